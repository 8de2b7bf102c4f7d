"""The plan of a round of extra judgements: its items, and what is expected of it."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.db.models import Count, Q

from annotation import schemes
from annotation.models import (
    Batch,
    BatchState,
    ExtraAsked,
    Item,
    SetAside,
    Source,
    Verdict,
)
from annotation.queries import item_takers
from annotation.queries import outcomes as outcome_queries
from annotation.queries.extra_rounds import Plan, PlannedItem
from annotation.review_decisions import ReviewError
from jobs import transactions
from stats.aggregation import consensus

if TYPE_CHECKING:
    from stats.aggregation.next_judgement import Crowd


# Equals stats.aggregation.next_judgement.MOST_EXTRA, which is not imported here because it imports numpy.
MOST_CAP = 3


def plan(*, batch: Batch, rule: str, cap: int, items: Collection[int] | None = None) -> Plan:
    """The plan of the next round, without changing anything. `items` are keys; None for all of the batch.

    Raises ReviewError for an unknown rule, a cap outside 1 to 3, a rehearsal or a draft.
    """
    with transactions.snapshot():
        batch = Batch.objects.select_related("study").get(pk=batch.pk)
        _require_possible(batch, rule, cap)
        votes = outcome_queries.counted_votes(batch)
        unsettled = _unsettled_reasons(batch, rule, votes, items)
        # Not of those that are settled.
        of_batch = Item.objects.filter(batch=batch).order_by("position")
        if len(unsettled) <= item_takers.MOST_KEYS:
            of_batch = of_batch.filter(pk__in=unsettled)
        found = map(PlannedItem._make, of_batch.values_list(*PlannedItem._fields))
        rows = [item for item in found if item.pk in unsettled]
        people = item_takers.eligible_people(batch)
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
    outcomes = consensus.RULES[rule](votes, labels=schemes.verdict_scheme(batch.scheme).labels)
    unsettled = {
        pk: outcome.reason or ""
        for pk, outcome in outcomes.items()
        if outcome.label is None and (items is None or pk in items)
    }
    decided = Verdict.objects.current().filter(
        Q(source=Source.ADJUDICATION) | Q(set_aside_reason=SetAside.NO_EVIDENCE)
    )
    decided = decided.filter(item_takers.among(batch, unsettled))
    for pk in decided.order_by().values_list("item_id", flat=True):
        unsettled.pop(pk, None)
    return unsettled


@dataclass(frozen=True)
class _Remaining:
    """The number of judgements of an item that the cap still allows, and of people who have not seen it."""

    by_cap: int
    n_people: int

    @property
    def most(self) -> int:
        return min(self.by_cap, self.n_people)


def _remaining(
    batch: Batch, cap: int, rows: Sequence[PlannedItem], people: Collection[int]
) -> dict[int, _Remaining]:
    """The remaining judgements and people by item; those of items that wait for a judgement are not asked for."""
    requests = ExtraAsked.objects.filter(round__batch=batch).order_by().values("item")
    n_asked = dict(requests.annotate(n=Count("pk")).values_list("item", "n"))
    by_cap = {
        item.pk: max(cap - n_asked.get(item.pk, 0), 0) for item in rows if not _is_waiting(item)
    }
    n_seen = item_takers.n_handed(batch, people, by_cap)
    return {pk: _Remaining(most, len(people) - n_seen.get(pk, 0)) for pk, most in by_cap.items()}


def _plan_with_expectations(
    batch: Batch,
    rule: str,
    cap: int,
    votes: Mapping[int, Mapping[str, str]],
    unsettled: Mapping[int, str],
    rows: Sequence[PlannedItem],
    remaining: Mapping[int, _Remaining],
    people: Collection[int],
) -> Plan:
    why_not = {item.pk: _why_not_asked(item, remaining.get(item.pk)) for item in rows}
    possible = [item for item in rows if not why_not[item.pk]]
    labels = schemes.verdict_scheme(batch.scheme).labels
    hopeful = [
        item
        for item in possible
        if consensus.can_settle(rule, votes[item.pk].values(), labels, remaining[item.pk].most)
    ]
    expected = _Expected()
    if hopeful:
        most = [remaining[item.pk].most for item in hopeful]
        expected = _expected(rule, _crowd(batch, votes, hopeful, people), hopeful, most)
    n = Counter(why_not.values())
    return Plan(
        batch=batch,
        rule=rule,
        cap=cap,
        unsettled=dict(Counter(unsettled[item.pk] for item in rows)),
        items=expected.items,
        n_waiting=n["waiting"],
        n_at_cap=n["at cap"],
        n_nobody=n["nobody"],
        n_in_vain=len(possible) - len(expected.items),
        by_next=expected.by_next,
        by_cap=expected.by_cap,
        n_judgements=expected.n_judgements,
        n_people=len(people),
        model=expected.model,
        cautions=expected.cautions,
    )


@dataclass(frozen=True)
class _Expected:
    """What is expected of a plan, by the names in it. Without items nothing is."""

    items: tuple[PlannedItem, ...] = ()
    by_next: float = 0.0
    by_cap: float = 0.0
    n_judgements: float = 0.0
    model: str = ""
    cautions: tuple[str, ...] = ()


def _expected(
    rule: str, crowd: "Crowd", hopeful: Sequence[PlannedItem], most: Sequence[int]
) -> _Expected:
    from stats.aggregation.next_judgement import expected_settlement  # noqa: PLC0415  numpy, of which no other page of batches has need

    chances = expected_settlement(rule, crowd, most)
    promising = [number for number, chance in enumerate(chances.by_most.tolist()) if chance > 0]
    return _Expected(
        items=tuple(hopeful[number] for number in promising),
        by_next=float(chances.by_next[promising].sum()),
        by_cap=float(chances.by_most[promising].sum()),
        n_judgements=float(chances.n_asked[promising].sum()),
        model=crowd.model,
        cautions=crowd.cautions,
    )


def _is_waiting(item: PlannedItem) -> bool:
    return bool(item.n_open or item.n_reserved or item.n_claimed)


def _why_not_asked(item: PlannedItem, remaining: _Remaining | None) -> str:
    """`remaining` is None of an item that waits for a judgement."""
    if remaining is None:
        return "waiting"
    if not remaining.by_cap:
        return "at cap"
    return "" if remaining.n_people > 0 else "nobody"


def _crowd(
    batch: Batch,
    votes: Mapping[int, Mapping[str, str]],
    possible: Sequence[PlannedItem],
    people: Collection[int],
) -> "Crowd":
    """The crowd model, fitted to all counted votes, for the items that can be asked about. It takes long."""
    from stats.aggregation.next_judgement import fit_crowd  # noqa: PLC0415

    row_of = {pk: row for row, pk in enumerate(votes)}
    labels = schemes.verdict_scheme(batch.scheme).labels
    crowd = fit_crowd(votes, labels, {str(pk) for pk in people})
    return crowd.of_rows([row_of[item.pk] for item in possible])
