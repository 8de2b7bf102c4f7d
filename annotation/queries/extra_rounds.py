"""What a requester reads of asking for more: what a plan costs and takes, and what became of rounds."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.db.models import Count, Q

from annotation.models import Batch, BatchState, ExtraRound, Item, Source, VerdictState
from annotation.queries import batch_costs
from sampling import pay


@dataclass(frozen=True)
class Plan:
    """What asking would do now, and what is expected of it.

    unsettled     how many items the rule leaves open, by the reason; adjudicated ones are decided, and excluded
                  ones and those without evidence are left out
    items         those of which one judgement more is asked, in their order; of the others
    n_waiting     wait for a judgement that was asked for already
    n_at_cap      have had as many more as the cap allows
    n_nobody      were seen by everybody who may be handed them
    n_in_vain     cannot be settled by the rule within what is left
    by_next       how many of `items` are expected to settle by this judgement, `by_cap` by the cap
    n_judgements  how many judgements are expected until then
    n_people      who may be handed items of the batch now
    cautions      what makes the expectation weaker than it looks
    seal          tells whether another plan asks of the same items, as they are
    """

    batch: Batch
    rule: str
    cap: int
    unsettled: Mapping[str, int]
    items: tuple[Item, ...]
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


def item_slots(item: Item) -> tuple[int, int | None, int, int, int]:
    return item.pk, item.n_wanted, item.n_open, item.n_claimed, item.n_counted


@dataclass(frozen=True)
class Price:
    """What judgements cost and take. `now` is this round's, one of each item; `by_cap` all that are expected.

    seconds   of one judgement: the median of the batch's own, else what was expected of one
    for_each  money for each item that is expected to settle by the cap; None where it is unpaid or none is
    """

    now: pay.Money | None
    by_cap: pay.Money | None
    for_each: pay.Money | None
    time_now: str
    time_by_cap: str
    seconds: float
    is_measured: bool


def priced(plan: Plan) -> Price:
    batch, n_now = plan.batch, len(plan.items)
    measured = batch_costs.median_seconds(batch)
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
class Past:
    """A round, of how many items it asked, and of those: how many still wait for a judgement, how many have
    a label by a rule now, and how many by an adjudicator.
    """

    round: ExtraRound
    n_asked: int
    n_waiting: int
    n_settled: int
    n_adjudicated: int


def past(batch: Batch) -> Sequence[Past]:
    """The newest first. Verdicts are those of now, whatever rule the batch was settled by."""
    current = Q(asked__item__verdicts__replaced_by=None)
    decided = current & Q(asked__item__verdicts__state=VerdictState.DECIDED)
    by_rule = Q(asked__item__verdicts__source=Source.CONSENSUS)
    waiting = Q(asked__item__n_open__gt=0) | Q(asked__item__n_claimed__gt=0)
    found = ExtraRound.objects.filter(batch=batch).select_related("asked_by").order_by("-pk")
    counted = found.annotate(
        n_asked=Count("asked", distinct=True),
        n_waiting=Count("asked", filter=waiting, distinct=True),
        n_settled=Count("asked", filter=decided & by_rule, distinct=True),
        n_adjudicated=Count("asked", filter=decided & ~by_rule, distinct=True),
    )
    return [
        Past(each, each.n_asked, each.n_waiting, each.n_settled, each.n_adjudicated)
        for each in counted
    ]
