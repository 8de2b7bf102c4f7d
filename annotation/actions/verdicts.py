"""Verdict rows: the one way in which an item's end is written."""

from datetime import datetime

from accounts.models import User
from annotation.models import (
    Adjudication,
    Item,
    SetAside,
    Source,
    Verdict,
    VerdictState,
)


def current(item: Item) -> Verdict | None:
    return Verdict.objects.current().filter(item=item).first()


def decide_by_adjudication(adjudication: Adjudication, *, at: datetime) -> Verdict:
    """The adjudicated label stands from now on, whatever stood before.

    Written anew where its item was excluded meanwhile: it is the adjudicator's decision still, and who
    readmitted the item stands in the Exclusion.
    """
    item = adjudication.item
    before = current(item)
    return Verdict.objects.create(
        item=item,
        replaces=before,
        state=VerdictState.DECIDED,
        label=adjudication.label,
        source=Source.ADJUDICATION,
        rule=before.rule if before else "",
        votes=before.votes if before else {},
        posterior=before.posterior if before else {},
        adjudication=adjudication,
        decided_at=at,
        decided_by=adjudication.adjudicated_by,
    )


def set_aside(item: Item, reason: SetAside, *, by: User, at: datetime) -> Verdict:
    """A person decides that the item gets no verdict."""
    before = current(item) or Verdict(item=item)
    verdict = setting_aside(before, reason, by=by, at=at)
    verdict.save(force_insert=True)
    return verdict


def setting_aside(before: Verdict, reason: SetAside, *, by: User, at: datetime) -> Verdict:
    """The row, not written yet, that replaces this one; one that was never written is only its item."""
    return Verdict(
        item_id=before.item_id,
        replaces=before if before.pk else None,
        state=VerdictState.SET_ASIDE,
        set_aside_reason=reason,
        source=Source.DECISION,
        rule=before.rule,
        votes=before.votes,
        posterior=before.posterior,
        decided_at=at,
        decided_by=by,
    )
