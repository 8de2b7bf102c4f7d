"""From judgements to verdicts: what a batch's items end with under a rule."""

from dataclasses import asdict, dataclass
from datetime import datetime

from django.db import transaction

from accounts import permissions
from accounts.models import Role, User
from activity.actions import events
from annotation import consensus
from annotation.actions import claiming, clock, endings, locks, standing, verdicts
from annotation.actions.endings import Ending
from annotation.models import (
    Assignment,
    Batch,
    BatchState,
    Item,
    SetAside,
    Source,
    Verdict,
    VerdictState,
)


class SettleError(Exception):
    """The batch cannot be settled now; the message says why and what to do."""


@dataclass(frozen=True)
class Settled:
    """How many items of the batch are in each state now, and what this settling changed."""

    n_items: int
    n_decided: int
    n_disputed: int
    n_set_aside: int
    n_adjudicated: int
    n_new: int
    n_superseded: int


def settle(*, batch: Batch, rule: str, by: User, expire_claims: bool = False) -> Settled:
    """Give every item of a closed batch its ending by the rule (a name in consensus.RULES).

    Adjudications stay. Items whose ending is what it was, by the same rule and the same votes, get no
    new row: settling twice adds nothing. Raises SettleError while the batch or a claim is open.
    """
    permissions.require(by, batch.study, Role.REQUESTER)
    if rule not in consensus.RULES:
        raise SettleError(f"there is no rule {rule}: {', '.join(sorted(consensus.RULES))}")
    _end_claims(batch, expire_claims)
    return _settle(batch, rule, by)


@transaction.atomic
def _end_claims(batch: Batch, expire_claims: bool) -> None:
    """A transaction of its own, before any item is locked: a submission under way holds its assignment
    and asks for the item, so whoever held items and asked for assignments would wait for ever.
    """
    batch = _closed(batch)
    if expire_claims:
        claiming.expire_all(batch=batch)
    else:
        claiming.expire_lapsed(batch=batch, now=clock.now(batch))


def _closed(batch: Batch) -> Batch:
    """The batch, fresh and locked. Raises SettleError unless it is closed."""
    locked = locks.batch(batch.pk)
    if locked.state != BatchState.CLOSED:
        raise SettleError(f"the batch {locked.name} is {locked.state}: close it first")
    return locked


@transaction.atomic
def _settle(batch: Batch, rule: str, by: User) -> Settled:
    batch = _closed(batch)
    # The items are locked: a submission under way is waited for, a later one is surplus.
    items = list(Item.objects.real().filter(batch=batch).select_for_update())
    _require_no_claims(batch)
    current = {verdict.item_id: verdict for verdict in _current(batch)}
    ends = endings.of(batch=batch, items=items, rule=rule)
    changed = [
        item for item in items if standing.changes(current.get(item.pk), ends[item.pk], rule)
    ]
    rows = _rows(changed, ends, current, rule, by, clock.now(batch))
    Verdict.objects.bulk_create(rows)
    n_superseded = sum(row.replaces_id is not None for row in rows)
    settled = _counts(batch, len(items), n_new=len(rows), n_superseded=n_superseded)
    events.record(
        study=batch.study, by=by, verb="settled", target=batch, rule=rule, **asdict(settled)
    )
    return settled


def _require_no_claims(batch: Batch) -> None:
    n_open = Assignment.objects.claimed().filter(item__batch=batch).count()
    if n_open:
        raise SettleError(
            f"{n_open} claims of the batch {batch.name} are still open:"
            " wait until they expire, or expire them now with --expire-claims"
        )


def _current(batch: Batch) -> list[Verdict]:
    return list(Verdict.objects.current().filter(item__batch=batch))


def _rows(
    items: list[Item],
    ends: dict[int, Ending],
    current: dict[int, Verdict],
    rule: str,
    by: User,
    at: datetime,
) -> list[Verdict]:
    return [
        Verdict(
            item=item,
            replaces=current.get(item.pk),
            state=ends[item.pk].state,
            label=ends[item.pk].label,
            set_aside_reason=ends[item.pk].reason,
            source=Source.CONSENSUS,
            rule=rule,
            votes=ends[item.pk].votes,
            decided_at=at,
            decided_by=by,
        )
        for item in items
    ]


def _counts(batch: Batch, n_items: int, *, n_new: int, n_superseded: int) -> Settled:
    verdicts_now = _current(batch)
    states = [verdict.state for verdict in verdicts_now]
    return Settled(
        n_items=n_items,
        n_decided=states.count(VerdictState.DECIDED),
        n_disputed=states.count(VerdictState.DISPUTED),
        n_set_aside=states.count(VerdictState.SET_ASIDE),
        n_adjudicated=sum(verdict.source == Source.ADJUDICATION for verdict in verdicts_now),
        n_new=n_new,
        n_superseded=n_superseded,
    )


@transaction.atomic
def set_aside_disputes(*, batch: Batch, by: User) -> int:
    """Give up on what is still in dispute: set aside as disagreement. Returns how many."""
    permissions.require(by, batch.study, Role.REQUESTER)
    disputed = Item.objects.filter(
        batch=batch, verdicts__state=VerdictState.DISPUTED, verdicts__replaced_by=None
    )
    locked = list(disputed.select_for_update(of=("self",)))
    # Asked once more now that they are locked: an adjudicator may have been faster.
    items = [item for item in locked if _is_disputed(item)]
    at = clock.now(batch)
    for item in items:
        verdicts.set_aside(item, SetAside.DISAGREEMENT, by=by, at=at)
    if items:
        events.record(
            study=batch.study, by=by, verb="set disputes aside", target=batch, n_items=len(items)
        )
    return len(items)


def _is_disputed(item: Item) -> bool:
    verdict = verdicts.current(item)
    return verdict is not None and verdict.state == VerdictState.DISPUTED
