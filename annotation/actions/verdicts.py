"""Verdicts of one item, by adjudication or by a decision to set it aside."""

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


def current_verdict(item: Item) -> Verdict | None:
    return Verdict.objects.current().filter(item=item).first()


def decide_by_adjudication(adjudication: Adjudication, *, at: datetime) -> Verdict:
    """Replace the current verdict by the adjudicated label.

    Also used when an excluded item is readmitted: the decision is still the adjudicator's; who readmitted the item
    is in the Exclusion.
    """
    item = adjudication.item
    before = current_verdict(item)
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
    """Set the item aside by a person's decision."""
    before = current_verdict(item) or Verdict(item=item)
    verdict = set_aside_row(before, reason, by=by, at=at)
    verdict.save(force_insert=True)
    return verdict


def set_aside_row(before: Verdict, reason: SetAside, *, by: User, at: datetime) -> Verdict:
    """The verdict, not saved, that replaces `before`. If `before` was never saved, only its item is used."""
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
