"""Settlement of a batch: a verdict for each item, from its judgements and a rule."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from datetime import datetime

from django.db import transaction
from django.db.models import Q

from accounts import permissions
from accounts.errors import ActionError
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
from annotation.models.items import ItemQuerySet
from annotation.queries import batch_clock, outcomes, verdict_freshness
from annotation.queries.outcomes import ItemOutcome
from annotation.queries.verdict_freshness import Stamp
from annotation.schemes import SettledScheme
from audit import events
from jobs import transactions
from stats.aggregation import consensus

# How often the outcomes are computed again because something else was decided meanwhile.
MOST_TRIES = 3


class SettleError(ActionError):
    """The batch cannot be settled now; the message says why, and what to do."""


class OpenClaimsError(SettleError):
    """Claims are open, and were not to be ended. Whoever shows the message adds how that is asked for."""


@dataclass(frozen=True)
class Settlement:
    """The numbers of items in each state after a settlement, and of verdicts that it wrote."""

    n_items: int
    n_decided: int
    n_disputed: int
    n_set_aside: int
    n_adjudicated: int
    n_new: int
    n_superseded: int


def settle(*, batch: Batch, rule: str, by: User, expire_claims: bool = False) -> Settlement:
    """Give every item of a closed batch its verdict by the rule (a name in consensus.RULES).

    Adjudications stay. An item gets no new row if its outcome, rule, votes and (for a rule that has one)
    posterior are unchanged: settling twice adds nothing. Under `posterior` each outcome depends on all counted
    judgements of the batch, so that rejecting one later may give all items new rows. Raises SettleError while
    the batch is open, OpenClaimsError while a claim is.

    Where a transaction locks the whole database (SQLite), verdicts are written in pieces: after a failure,
    settling again writes the rest.
    """
    permissions.require(by, batch.study, Role.REQUESTER)
    scheme = schemes.get(batch.scheme)
    if not isinstance(scheme, SettledScheme):
        raise SettleError(f"items of {scheme.name} end with no verdict: there is nothing to settle")
    if batch.is_training:
        raise SettleError(
            f"the batch {batch.name} is a training: its items have known labels, and end with no verdict"
        )
    if rule not in consensus.RULES:
        raise SettleError(f"there is no rule {rule}: {', '.join(sorted(consensus.RULES))}")
    if rule not in scheme.rules:
        raise SettleError(f"the scheme {scheme.name} is settled by {' or '.join(scheme.rules)}")
    _expire_claims(batch, expire_claims)
    with transactions.atomic_where_rows_are_locked():
        _wait_for_submissions(batch)
        rows: list[Verdict] = []
        for _ in range(MOST_TRIES):
            if _write(_plan(batch, rule, by), rows):
                return _record(batch, rule, rows, by)
            # Something was decided meanwhile: rows already written stay, the rest is computed again.
    raise SettleError(f"something is being decided in the batch {batch.name}: settle it again")


@transaction.atomic
def _expire_claims(batch: Batch, expire_claims: bool) -> None:
    """Expire lapsed claims, or all of them, in a transaction of its own, before any item is locked: a submission
    locks its assignment before its item, so locking items before assignments could deadlock.
    """
    batch = _locked_closed_batch(batch)
    if expire_claims:
        claims.expire_all(batch=batch)
    else:
        claims.expire_lapsed(batch=batch, now=batch_clock.now(batch))


def _locked_closed_batch(batch: Batch) -> Batch:
    """The batch, reloaded and locked. Raises SettleError unless it is closed."""
    locked = locks.locked_batch(batch.pk)
    if locked.state != BatchState.CLOSED:
        raise SettleError(f"the batch {locked.name} is {locked.state}: close it first")
    if locked.withdrawn_objection:
        raise SettleError(locked.withdrawn_objection)
    return locked


@transaction.atomic
def _wait_for_submissions(batch: Batch) -> None:
    """Lock the items: this waits for submissions under way; a later one is surplus."""
    _locked_closed_batch(batch)
    if transactions.locks_rows():  # otherwise no other transaction writes now
        list(batch.items.locked().values_list("pk", flat=True))


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
        current = {verdict.item_id: verdict for verdict in _current_verdicts(batch)}
        outcome_of = outcomes.outcomes_of(batch=batch, items=items, rule=rule)
        changed = [
            item
            for item in items
            if verdict_freshness.needs_new_verdict(current.get(item.pk), outcome_of[item.pk], rule)
        ]
        rows = _rows(changed, outcome_of, current, rule, by, batch_clock.now(batch))
        return _Plan(batch, verdict_freshness.stamp(batch), rows)


class _DecidedMeanwhileError(Exception):
    pass


def _write(plan: _Plan, written: list[Verdict]) -> bool:
    """Write the rows and append them to `written`. Stops and returns False if something else was decided
    meanwhile.
    """
    n_before = plan.stamp.n_verdicts - len(written)

    def write(piece: list[Verdict]) -> None:
        _locked_closed_batch(plan.batch)
        locked = Item.objects.filter(pk__in=[row.item_id for row in piece]).locked()
        list(locked.values_list("pk", flat=True))
        so_far = replace(plan.stamp, n_verdicts=n_before + len(written))
        if verdict_freshness.stamp(plan.batch) != so_far:
            raise _DecidedMeanwhileError
        Verdict.objects.bulk_create(piece)
        written.extend(piece)

    try:
        transactions.write_in_pieces(plan.rows, write)
    except _DecidedMeanwhileError:
        return False
    return True


def _record(batch: Batch, rule: str, rows: list[Verdict], by: User) -> Settlement:
    with transactions.snapshot():
        counts = _counts(
            batch,
            Item.objects.real().filter(batch=batch).count(),
            n_new=len(rows),
            n_superseded=sum(row.replaces_id is not None for row in rows),
        )
    events.record(
        study=batch.study, by=by, verb="settled", target=batch, rule=rule, **asdict(counts)
    )
    return counts


def _require_no_claims(batch: Batch) -> None:
    n_open = Assignment.objects.claimed().filter(item__batch=batch).count()
    if n_open:
        open_claims, expire = (
            ("claim", "is still open: wait until it expires")
            if n_open == 1
            else ("claims", "are still open: wait until they expire")
        )
        raise OpenClaimsError(f"{n_open} {open_claims} of the batch {batch.name} {expire}")


def _current_verdicts(batch: Batch) -> list[Verdict]:
    return list(Verdict.objects.current().filter(item__batch=batch))


def _rows(
    items: list[Item],
    outcome_of: dict[int, ItemOutcome],
    current: dict[int, Verdict],
    rule: str,
    by: User,
    at: datetime,
) -> list[Verdict]:
    return [
        Verdict(
            item=item,
            replaces=current.get(item.pk),
            state=outcome_of[item.pk].state,
            label=outcome_of[item.pk].label,
            set_aside_reason=outcome_of[item.pk].reason,
            source=Source.CONSENSUS,
            rule=rule,
            votes=outcome_of[item.pk].votes,
            posterior=outcome_of[item.pk].posterior,
            decided_at=at,
            decided_by=by,
        )
        for item in items
    ]


def _counts(batch: Batch, n_items: int, *, n_new: int, n_superseded: int) -> Settlement:
    verdicts_now = _current_verdicts(batch)
    states = [verdict.state for verdict in verdicts_now]
    return Settlement(
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
    """Set aside the items still in dispute, as disagreement. Returns how many.

    `given_up` are rows made by set_aside_rows(), if the caller has locked their items and found them unchanged.
    """
    permissions.require(by, batch.study, Role.REQUESTER)
    if given_up is None:
        list(disputed_items(batch).locked())
        # Read again now that they are locked: an adjudicator may have settled some.
        given_up = set_aside_rows(batch=batch, by=by)
    Verdict.objects.bulk_create(given_up)
    n_items = len(given_up)
    if n_items:
        events.record(
            study=batch.study, by=by, verb="set disputes aside", target=batch, n_items=n_items
        )
    return n_items


def disputed_items(batch: Batch) -> ItemQuerySet:
    return Item.objects.filter(
        batch=batch, verdicts__state=VerdictState.DISPUTED, verdicts__replaced_by=None
    )


def set_aside_rows(*, batch: Batch, by: User, where: Q | None = None) -> list[Verdict]:
    """Verdicts, not saved, that set aside the items in dispute, or those of them that `where` selects."""
    at = batch_clock.now(batch)
    current = Verdict.objects.current().filter(item__batch=batch, state=VerdictState.DISPUTED)
    if where:
        current = current.filter(item__in=Item.objects.filter(where, batch=batch))
    return [
        verdicts.set_aside_row(before, SetAside.DISAGREEMENT, by=by, at=at)
        for before in current.order_by("item_id")
    ]
