"""Rounds of extra judgements for requesters: the plan of the next one, its price, and the past ones."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from django.db.models import Count, Q

from annotation.models import Batch, BatchState, ExtraRound, Item, Source, VerdictState
from annotation.queries import batch_costs
from sampling import pay


class PlannedItem(NamedTuple):
    """What a plan reads of an item: how far it is. Of thousands an `Item` each takes long to make."""

    pk: int
    position: int
    n_wanted: int | None
    n_open: int
    n_reserved: int
    n_claimed: int
    n_counted: int


@dataclass(frozen=True)
class Plan:
    """The items that a round would ask about now, and its expected results.

    unsettled     number of items that the rule does not settle, by reason; without adjudicated items, excluded
                  items and those without evidence
    items         the unsettled items that the round asks about, in their order
    n_waiting     number of other items that wait for a judgement already asked for
    n_at_cap      number of other items that have had as many extra judgements as the cap allows
    n_nobody      number of other items that everybody eligible has seen
    n_in_vain     number of other items that the rule cannot settle within the cap
    by_next       expected number of `items` that settle with this judgement
    by_cap        expected number of `items` that settle within the cap
    n_judgements  expected number of judgements until then
    n_people      number of people who may be handed items of the batch now
    cautions      reasons why the expectation may be wrong
    seal          equal for two plans that ask about the same items in the same state
    """

    batch: Batch
    rule: str
    cap: int
    unsettled: Mapping[str, int]
    items: tuple[PlannedItem, ...]
    n_waiting: int
    n_at_cap: int
    n_nobody: int
    n_in_vain: int
    by_next: float
    by_cap: float
    n_judgements: float
    n_people: int
    model: str
    cautions: tuple[str, ...]

    @property
    def n_unsettled(self) -> int:
        return sum(self.unsettled.values())

    @property
    def reopens(self) -> bool:
        return self.batch.state == BatchState.CLOSED

    @property
    def seal(self) -> str:
        text = repr((self.rule, self.cap, self.reopens, [item_slots(item) for item in self.items]))
        return hashlib.sha256(text.encode()).hexdigest()[:16]


def item_slots(item: Item | PlannedItem) -> tuple[int, int | None, int, int, int, int]:
    return (
        *(item.pk, item.n_wanted, item.n_open),
        *(item.n_reserved, item.n_claimed, item.n_counted),
    )


@dataclass(frozen=True)
class Price:
    """The cost and time of a plan: `now` for one judgement of each item, `by_cap` for all that are expected.

    seconds   for one judgement: the batch's median once there are enough, else the expected time
    for_each  money for each item expected to settle within the cap; None if unpaid or no item is expected to
    """

    now: pay.Money | None
    by_cap: pay.Money | None
    for_each: pay.Money | None
    time_now: str
    time_by_cap: str
    seconds: float
    is_measured: bool


def plan_price(plan: Plan) -> Price:
    batch, n_now = plan.batch, len(plan.items)
    measured = batch_costs.measured_seconds(batch)
    seconds = measured or batch.expected_seconds
    one, n_by_cap = batch.price, round(plan.n_judgements, 1)
    return Price(
        now=one and one.times(n_now),
        by_cap=one and one.times(n_by_cap),
        for_each=one.times(plan.n_judgements / plan.by_cap) if one and plan.by_cap else None,
        time_now=pay.work_time(pay.hours(n_now, seconds)),
        time_by_cap=pay.work_time(pay.hours(n_by_cap, seconds)),
        seconds=seconds,
        is_measured=bool(measured),
    )


@dataclass(frozen=True)
class PastRound:
    """A round with the number of items it asked about and, of these, how many still wait for a judgement, have
    a label by a rule now, and have one by an adjudicator.
    """

    round: ExtraRound
    n_asked: int
    n_waiting: int
    n_settled: int
    n_adjudicated: int


def past_rounds(batch: Batch) -> Sequence[PastRound]:
    """The batch's rounds, newest first, with the current verdicts, whichever rule the batch was settled by."""
    current = Q(asked__item__verdicts__replaced_by=None)
    decided = current & Q(asked__item__verdicts__state=VerdictState.DECIDED)
    by_rule = Q(asked__item__verdicts__source=Source.CONSENSUS)
    waiting = (
        Q(asked__item__n_open__gt=0)
        | Q(asked__item__n_reserved__gt=0)
        | Q(asked__item__n_claimed__gt=0)
    )
    rounds = ExtraRound.objects.filter(batch=batch).select_related("asked_by").order_by("-pk")
    with_counts = rounds.annotate(
        n_asked=Count("asked", distinct=True),
        n_waiting=Count("asked", filter=waiting, distinct=True),
        n_settled=Count("asked", filter=decided & by_rule, distinct=True),
        n_adjudicated=Count("asked", filter=decided & ~by_rule, distinct=True),
    )
    return [
        PastRound(each, each.n_asked, each.n_waiting, each.n_settled, each.n_adjudicated)
        for each in with_counts
    ]
