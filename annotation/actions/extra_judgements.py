"""One more judgement of each item that did not settle: planned and priced first, then asked for in one act.

    planned = extra_judgements.plan(batch=batch, rule="majority", cap=2)          # changes nothing
    extra_judgements.ask_more(batch=batch, rule="majority", cap=2, by=alice, seal=planned.seal)

The batch is reopened, judged, closed and settled again. The next round asks for the items still unsettled, until
an item settles or has had `cap` further judgements.
"""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.db.models import Count, F

from accounts import permissions
from accounts.models import Role, User
from annotation import schemes
from annotation.actions import batches, item_places, locks
from annotation.models import (
    Assignment,
    AssignmentState,
    Batch,
    BatchState,
    Cursor,
    ExtraAsked,
    ExtraRound,
    Item,
    SetAside,
    Source,
    Verdict,
)
from annotation.queries import batch_clock, completion
from annotation.queries import outcomes as outcome_queries
from annotation.queries.extra_rounds import Plan, item_slots
from annotation.review_decisions import ReviewError
from audit import events
from jobs import transactions
from stats.aggregation import consensus

if TYPE_CHECKING:
    from stats.aggregation.next_judgement import Crowd

# Equals stats.aggregation.next_judgement.MOST_EXTRA, which is not imported here because it imports numpy.
MOST_CAP = 3
MEANWHILE = "something was judged or decided meanwhile: check it again"


def plan(*, batch: Batch, rule: str, cap: int, items: Collection[int] | None = None) -> Plan:
    """The plan of the next round, without changing anything. `items` are keys; None for all of the batch.

    Raises ReviewError for an unknown rule, a cap outside 1 to 3, a rehearsal or a draft.
    """
    with transactions.snapshot():
        batch = Batch.objects.select_related("study").get(pk=batch.pk)
        _require_possible(batch, rule, cap)
        votes = outcome_queries.counted_votes(batch)
        unsettled = _unsettled_reasons(batch, rule, votes, items)
        # Without what the items show, which is long; and not of those that are settled.
        rows = list(
            Item.objects.filter(batch=batch, pk__in=unsettled).defer("payload").order_by("position")
        )
        people = _eligible_people(batch)
        remaining = _remaining(batch, cap, rows, people)
    return _plan_with_expectations(batch, rule, cap, votes, unsettled, rows, remaining, people)


def _require_possible(batch: Batch, rule: str, cap: int) -> None:
    if rule not in consensus.RULES:
        raise ReviewError(f"there is no rule {rule}: {', '.join(sorted(consensus.RULES))}")
    if not 1 <= cap <= MOST_CAP:
        raise ReviewError(f"an item is asked 1 to {MOST_CAP} times more, not {cap}")
    if batch.is_rehearsal:
        raise ReviewError(f"the batch {batch.name} is rehearsed: nobody real is asked")
    if batch.state == BatchState.DRAFT:
        raise ReviewError(f"the batch {batch.name} is a draft: nobody was asked yet")
    if batch.withdrawn_objection:
        raise ReviewError(batch.withdrawn_objection)


def _unsettled_reasons(
    batch: Batch,
    rule: str,
    votes: Mapping[int, Mapping[str, str]],
    items: Collection[int] | None,
) -> dict[int, str]:
    """The reason why the rule does not settle an item, by item.

    Leaves out adjudicated items and items without evidence.
    """
    current = Verdict.objects.current().filter(item__batch=batch)
    decided = current.filter(source=Source.ADJUDICATION) | current.filter(
        set_aside_reason=SetAside.NO_EVIDENCE
    )
    decided_items = set(decided.values_list("item_id", flat=True))
    outcomes = consensus.RULES[rule](votes, labels=schemes.verdict_scheme(batch.scheme).labels)
    return {
        pk: outcome.reason or ""
        for pk, outcome in outcomes.items()
        if outcome.label is None and pk not in decided_items and (items is None or pk in items)
    }


def _eligible_people(batch: Batch) -> frozenset[int]:
    """The people who may be handed items of the batch now: with a desk, not paused, below their share."""
    cursors = Cursor.objects.filter(batch=batch)
    full = cursors.filter(n_taken__gte=F("batch__most_per_person"))
    return completion.annotators(batch.study) - set(
        (cursors.filter(is_paused=True) | full).values_list("annotator_id", flat=True)
    )


@dataclass(frozen=True)
class _Remaining:
    """For one item, how many judgements the cap still allows, and how many people have not seen it."""

    by_cap: int
    n_people: int

    @property
    def most(self) -> int:
        return min(self.by_cap, self.n_people)


def _remaining(
    batch: Batch, cap: int, rows: Sequence[Item], people: Collection[int]
) -> dict[int, _Remaining]:
    """The remaining judgements and people by item.

    People whose claim expired may get the item again; those who judged, skipped or took back may not.
    """
    requests = ExtraAsked.objects.filter(round__batch=batch).order_by().values("item")
    n_asked = dict(requests.annotate(n=Count("pk")).values_list("item", "n"))
    assignments = Assignment.objects.filter(item__batch=batch, annotator__in=people)
    assignments = assignments.exclude(state=AssignmentState.EXPIRED).order_by()
    n_seen = dict(assignments.values("item").annotate(n=Count("pk")).values_list("item", "n"))
    return {
        item.pk: _Remaining(
            max(cap - n_asked.get(item.pk, 0), 0), len(people) - n_seen.get(item.pk, 0)
        )
        for item in rows
    }


def _plan_with_expectations(
    batch: Batch,
    rule: str,
    cap: int,
    votes: Mapping[int, Mapping[str, str]],
    unsettled: Mapping[int, str],
    rows: Sequence[Item],
    remaining: Mapping[int, _Remaining],
    people: Collection[int],
) -> Plan:
    from stats.aggregation.next_judgement import expected_settlement  # noqa: PLC0415  numpy, of which no other page of batches has need

    why_not = {item.pk: _why_not_asked(item, remaining[item.pk]) for item in rows}
    possible = [item for item in rows if not why_not[item.pk]]
    crowd = _crowd(batch, votes, possible, people)
    chances = expected_settlement(rule, crowd, [remaining[item.pk].most for item in possible])
    promising = [number for number, chance in enumerate(chances.by_most.tolist()) if chance > 0]
    n = Counter(why_not.values())
    return Plan(
        batch=batch,
        rule=rule,
        cap=cap,
        unsettled=dict(Counter(unsettled[item.pk] for item in rows)),
        items=tuple(possible[number] for number in promising),
        n_waiting=n["waiting"],
        n_at_cap=n["at cap"],
        n_nobody=n["nobody"],
        n_in_vain=len(possible) - len(promising),
        by_next=float(chances.by_next[promising].sum()),
        by_cap=float(chances.by_most[promising].sum()),
        n_judgements=float(chances.n_asked[promising].sum()),
        n_people=len(people),
        model=crowd.model,
        cautions=crowd.cautions,
    )


def _why_not_asked(item: Item, remaining: _Remaining) -> str:
    if item.n_open or item.n_claimed:
        return "waiting"
    if not remaining.by_cap:
        return "at cap"
    return "" if remaining.n_people > 0 else "nobody"


def _crowd(
    batch: Batch,
    votes: Mapping[int, Mapping[str, str]],
    possible: Sequence[Item],
    people: Collection[int],
) -> "Crowd":
    """The crowd model, fitted to all counted votes, for the items that can be asked about."""
    from stats.aggregation.next_judgement import fit_crowd  # noqa: PLC0415

    row_of = {pk: row for row, pk in enumerate(votes)}
    labels = schemes.verdict_scheme(batch.scheme).labels
    crowd = fit_crowd(votes, labels, {str(pk) for pk in people})
    return crowd.of_rows([row_of[item.pk] for item in possible])


def ask_more(
    *,
    batch: Batch,
    rule: str,
    cap: int,
    by: User,
    items: Collection[int] | None = None,
    seal: str | None = None,
) -> ExtraRound:
    """Open one more place on each item that plan() names, and reopen a closed batch.

    Nobody is handed an item twice, so it goes to people who have not seen it. Verdicts stay until the batch
    is settled again. `seal` is that of the plan which the person has seen; None for any plan. Up to PIECE_SIZE
    items are one transaction; more are written in pieces, and after a failure calling again writes the rest.
    Raises ReviewError if nothing can be asked, or if the plan is another one by now.
    """
    permissions.require(by, batch.study, Role.REQUESTER)
    planned = plan(batch=batch, rule=rule, cap=cap, items=items)
    if seal not in (None, planned.seal):
        raise ReviewError(MEANWHILE)
    if not planned.items:
        raise ReviewError(nothing_to_ask_message(planned))
    writing = _Writing(planned, by)
    transactions.write_in_pieces(planned.items, writing.write)
    return writing.round


def nothing_to_ask_message(planned: Plan) -> str:
    """Why the plan asks for nothing."""
    if not planned.n_unsettled:
        return f"every item settles by {planned.rule}: nothing is left to ask"
    reasons = [
        (planned.n_waiting, "wait for a judgement that was asked for already"),
        (planned.n_at_cap, f"had {planned.cap} more already"),
        (planned.n_nobody, "were seen by everybody who can be assigned them"),
        (planned.n_in_vain, f"cannot settle by {planned.rule} within the cap"),
    ]
    sentences = "; ".join(f"{n} {words}" for n, words in reasons if n)
    return f"of {planned.n_unsettled} unsettled, {sentences}"


class _Writing:
    """Writes a round piece by piece. The round is created with the first piece."""

    def __init__(self, planned: Plan, by: User) -> None:
        price = planned.batch.price
        self.round = ExtraRound(
            batch=planned.batch,
            rule=planned.rule,
            cap=planned.cap,
            n_unsettled=planned.n_unsettled,
            expected_by_next=planned.by_next,
            expected_by_cap=planned.by_cap,
            reward=price.amount if price else None,
            currency=price.currency if price else "",
            asked_by=by,
        )
        self.planned, self.by = planned, by
        self.n_left = len(planned.items)

    def write(self, piece: list[Item]) -> None:
        batch = locks.locked_batch(self.planned.batch.pk)
        items = _locked_unchanged(piece)
        if not self.round.pk:
            self.round.asked_at = batch_clock.now(batch)
            self.round.save()
        ExtraAsked.objects.bulk_create(ExtraAsked(round=self.round, item=item) for item in items)
        for item in items:
            item_places.apply_unsaved(item, item_places.change_to_ask_again(item))
        item_places.save_all(items)
        if batch.state == BatchState.CLOSED:
            batches.reopen(batch=batch, by=self.by)
        self.n_left -= len(piece)
        if not self.n_left:
            self._record()

    def _record(self) -> None:
        events.record(
            study=self.planned.batch.study,
            by=self.by,
            verb="asked for more",
            target=self.planned.batch,
            rule=self.planned.rule,
            cap=self.planned.cap,
            n_items=len(self.planned.items),
        )


def _locked_unchanged(piece: Sequence[Item]) -> list[Item]:
    """The items, reloaded and locked. Raises ReviewError if one changed since it was planned."""
    pks = [item.pk for item in piece]
    items = list(Item.objects.filter(pk__in=pks).order_by("pk").select_for_update())
    as_planned = {item_slots(item) for item in piece}
    adjudicated = Verdict.objects.current().filter(item__in=pks, source=Source.ADJUDICATION)
    is_same = all(item_slots(item) in as_planned and not item.is_excluded for item in items)
    if not is_same or adjudicated.exists():
        raise ReviewError(MEANWHILE)
    return items
