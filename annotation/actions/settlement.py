"""From judgements to verdicts: what a batch's items end with under a rule."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from datetime import datetime

from django.db import transaction
from django.db.models import QuerySet

from accounts import permissions
from accounts.models import Role, User
from annotation import schemes
from annotation.actions import claims, locks, verdicts
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
from annotation.queries import batch_clock, outcomes, verdict_freshness
from annotation.queries.outcomes import Ending
from annotation.queries.verdict_freshness import Stamp
from audit import events
from jobs import transactions
from stats.aggregation import consensus

# So often an ending is looked for anew because something else was decided meanwhile.
MOST_TRIES = 3


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

    Adjudications stay. Items whose ending is what it was, by the same rule, the same votes and (by a rule
    that has one) the same posterior, get no new row: settling twice adds nothing. Under `posterior` every
    item rests on all counted judgements of the batch, so that one that is rejected later may give all of
    them new rows. Raises SettleError while the batch or a claim is open.

    Where a transaction locks the whole database (SQLite) verdicts are written in pieces: where that is
    broken off, settling again does the rest.
    """
    permissions.require(by, batch.study, Role.REQUESTER)
    scheme = schemes.get(batch.scheme)
    if not scheme.has_verdict:
        raise SettleError(f"items of {scheme.name} end with no verdict: there is nothing to settle")
    if rule not in consensus.RULES:
        raise SettleError(f"there is no rule {rule}: {', '.join(sorted(consensus.RULES))}")
    _end_claims(batch, expire_claims)
    with transactions.as_one_where_rows_are_locked():
        _wait_for_submissions(batch)
        rows: list[Verdict] = []
        for _ in range(MOST_TRIES):
            if _write(_plan(batch, rule, by), rows):
                return _record(batch, rule, rows, by)
            # Something was decided meanwhile: what was written stays, the rest is looked at anew.
    raise SettleError(f"something is being decided in the batch {batch.name}: settle it again")


@transaction.atomic
def _end_claims(batch: Batch, expire_claims: bool) -> None:
    """A transaction of its own, before any item is locked: a submission under way holds its assignment
    and asks for the item, so whoever held items and asked for assignments would wait for ever.
    """
    batch = _closed(batch)
    if expire_claims:
        claims.expire_all(batch=batch)
    else:
        claims.expire_lapsed(batch=batch, now=batch_clock.now(batch))


def _closed(batch: Batch) -> Batch:
    """The batch, fresh and locked. Raises SettleError unless it is closed."""
    locked = locks.batch(batch.pk)
    if locked.state != BatchState.CLOSED:
        raise SettleError(f"the batch {locked.name} is {locked.state}: close it first")
    return locked


@transaction.atomic
def _wait_for_submissions(batch: Batch) -> None:
    """The items are locked: a submission under way is waited for, a later one is surplus."""
    _closed(batch)
    if transactions.locks_rows():  # otherwise no transaction is beside this one
        list(batch.items.select_for_update().values_list("pk", flat=True))


@dataclass(frozen=True)
class _Plan:
    """The rows to write, and what was decided in the batch when they were made."""

    batch: Batch
    stamp: Stamp
    rows: list[Verdict]


def _plan(batch: Batch, rule: str, by: User) -> _Plan:
    with transactions.snapshot():
        items = list(Item.objects.real().filter(batch=batch).defer("payload"))
        _require_no_claims(batch)
        current = {verdict.item_id: verdict for verdict in _current(batch)}
        ends = outcomes.of(batch=batch, items=items, rule=rule)
        changed = [
            item
            for item in items
            if verdict_freshness.changes(current.get(item.pk), ends[item.pk], rule)
        ]
        rows = _rows(changed, ends, current, rule, by, batch_clock.now(batch))
        return _Plan(batch, verdict_freshness.stamp(batch), rows)


class _DecidedMeanwhileError(Exception):
    pass


def _write(plan: _Plan, written: list[Verdict]) -> bool:
    """Write the rows, and put them to those written already. False where something else was decided
    meanwhile: then the rest is not written.
    """
    n_before = plan.stamp.n_verdicts - len(written)

    def write(piece: list[Verdict]) -> None:
        _closed(plan.batch)
        locked = Item.objects.filter(pk__in=[row.item_id for row in piece]).select_for_update()
        list(locked.values_list("pk", flat=True))
        so_far = replace(plan.stamp, n_verdicts=n_before + len(written))
        if verdict_freshness.stamp(plan.batch) != so_far:
            raise _DecidedMeanwhileError
        Verdict.objects.bulk_create(piece)
        written.extend(piece)

    try:
        transactions.in_pieces(plan.rows, write)
    except _DecidedMeanwhileError:
        return False
    return True


def _record(batch: Batch, rule: str, rows: list[Verdict], by: User) -> Settled:
    with transactions.snapshot():
        settled = _counts(
            batch,
            Item.objects.real().filter(batch=batch).count(),
            n_new=len(rows),
            n_superseded=sum(row.replaces_id is not None for row in rows),
        )
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
            posterior=ends[item.pk].posterior,
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
def set_aside_disputes(*, batch: Batch, by: User, given_up: Sequence[Verdict] | None = None) -> int:
    """Give up on what is still in dispute: set aside as disagreement. Returns how many.

    `given_up` are the rows of giving_up() from before, whose items the caller has locked and found as
    they were.
    """
    permissions.require(by, batch.study, Role.REQUESTER)
    if given_up is None:
        list(disputed(batch).select_for_update(of=("self",)))
        # Asked once more now that they are locked: an adjudicator may have been faster.
        given_up = giving_up(batch=batch, by=by)
    Verdict.objects.bulk_create(given_up)
    n_items = len(given_up)
    if n_items:
        events.record(
            study=batch.study, by=by, verb="set disputes aside", target=batch, n_items=n_items
        )
    return n_items


def disputed(batch: Batch) -> QuerySet[Item]:
    return Item.objects.filter(
        batch=batch, verdicts__state=VerdictState.DISPUTED, verdicts__replaced_by=None
    )


def giving_up(*, batch: Batch, by: User) -> list[Verdict]:
    """The rows, not written yet, that set aside what is in dispute."""
    at = batch_clock.now(batch)
    current = Verdict.objects.current().filter(item__batch=batch, state=VerdictState.DISPUTED)
    return [
        verdicts.setting_aside(before, SetAside.DISAGREEMENT, by=by, at=at)
        for before in current.order_by("item_id")
    ]
