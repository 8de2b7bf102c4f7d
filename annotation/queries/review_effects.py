"""The plan of a review and its effects, which are shown before it is written."""

import hashlib
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass
from decimal import Decimal

from django.db.models import QuerySet

from annotation.models import Batch, BatchState, Item, Judgement, Review, SetAside, Source, Verdict
from annotation.queries import item_takers, outcomes, verdict_freshness
from annotation.queries.batch_progress import OutcomeKind
from annotation.review_decisions import Decision


@dataclass(frozen=True)
class Step:
    """A decision on one judgement with the current review; `why_not` says why it is refused."""

    judgement: Judgement
    before: Review | None
    decision: Decision
    why_not: str = ""

    @property
    def was_counted(self) -> bool:
        if self.judgement.is_surplus:
            return False
        return self.before.is_counted if self.before else True

    @property
    def was_paid(self) -> bool:
        return self.before.is_paid if self.before else True

    @property
    def asks_in_vain(self) -> bool:
        """Whether asking for another judgement in its place would open no place.

        So it is if an earlier act stopped counting it, and closed its place, without asking for another.
        """
        if self.judgement.is_surplus or self.was_counted or self.decision.is_counted:
            return False
        return not (self.before and self.before.act.asks_again)

    @property
    def is_same(self) -> bool:
        """Whether the current review is the same decision."""
        return self.before is not None and all(
            getattr(self.before, name) == value for name, value in asdict(self.decision).items()
        )


@dataclass(frozen=True)
class Plan:
    """The steps of a review in the order of items.

    done      steps to write
    same      steps whose decision is current already
    refused   steps that cannot be written, with a reason
    opened    by item, the number of places to open again
    seal      equal for two equal plans
    """

    batch: Batch
    done: tuple[Step, ...]
    same: tuple[Step, ...]
    refused: tuple[Step, ...]
    opened: Mapping[int, int]

    @property
    def n_opened(self) -> int:
        return sum(self.opened.values())

    @property
    def reopens(self) -> bool:
        return bool(self.opened) and self.batch.state == BatchState.CLOSED

    @property
    def seal(self) -> str:
        steps = [
            (name, step.judgement.pk, step.before.pk if step.before else 0, step.why_not)
            for name, steps_of_kind in (("done", self.done), ("refused", self.refused))
            for step in steps_of_kind
        ]
        text = repr((sorted(steps), sorted(self.opened.items()), self.reopens))
        return hashlib.sha256(text.encode()).hexdigest()[:16]


# The rule for the effects on a batch that was never settled.
DEFAULT_RULE = "unanimous"


@dataclass(frozen=True)
class Change:
    """The number of items whose outcome changes in this way if the batch is settled by its rule."""

    before: OutcomeKind
    after: OutcomeKind
    n: int


@dataclass(frozen=True)
class Effects:
    """The effects of a plan. Counts are of judgements unless the name says items.

    changes         changed outcomes, most items first
    is_settled      whether the batch was settled; otherwise `changes` are those under DEFAULT_RULE
    n_adjudicated   items of the plan with an adjudication, which stays
    n_nobody        items with a place to open again that nobody may be handed now
    unpaid          money no longer paid, minus money paid again; None without a price
    """

    n_decided: int
    n_same: int
    n_refused: int
    n_counted_no_more: int
    n_counted_again: int
    n_paid_no_more: int
    n_paid_again: int
    n_items: int
    n_adjudicated: int
    rule: str
    is_settled: bool
    changes: tuple[Change, ...]
    n_opened: int
    reopens: bool
    n_nobody: int
    unpaid: Decimal | None
    currency: str

    @property
    def n_lose_verdict(self) -> int:
        return sum(each.n for each in self.changes if each.before.label and not each.after.label)

    @property
    def n_too_few(self) -> int:
        return sum(each.n for each in self.changes if each.after.reason == SetAside.TOO_FEW)


def effects(plan: Plan) -> Effects:
    as_if = {
        step.judgement.pk: step.decision.is_counted for step in plan.done if _changes_count(step)
    }
    touched = {
        step.judgement.assignment.item_id for step in plan.done if step.judgement.pk in as_if
    }
    current = Verdict.objects.current().filter(item__batch=plan.batch)
    rule = verdict_freshness.last_rule_of(current)
    # All items: under posterior a judgement influences the outcomes of other items too.
    real = list(Item.objects.real().filter(batch=plan.batch).only("pk")) if as_if else []
    n_paid_no_more = _n_steps(plan.done, lambda step: step.was_paid and not step.decision.is_paid)
    n_paid_again = _n_steps(plan.done, lambda step: step.decision.is_paid and not step.was_paid)
    price, currency = price_of(plan.batch)
    return Effects(
        n_decided=len(plan.done),
        n_same=len(plan.same),
        n_refused=len(plan.refused),
        n_counted_no_more=sum(not counts for counts in as_if.values()),
        n_counted_again=sum(as_if.values()),
        n_paid_no_more=n_paid_no_more,
        n_paid_again=n_paid_again,
        n_items=len({step.judgement.assignment.item_id for step in plan.done}),
        n_adjudicated=current.filter(item__in=touched, source=Source.ADJUDICATION).count(),
        rule=rule or DEFAULT_RULE,
        is_settled=bool(rule),
        changes=_changes(plan.batch, real, current, rule or DEFAULT_RULE, as_if),
        n_opened=plan.n_opened,
        reopens=plan.reopens,
        n_nobody=len(item_takers.without_taker(plan.batch, plan.opened)),
        unpaid=None if price is None else (n_paid_no_more - n_paid_again) * price,
        currency=currency,
    )


def _changes_count(step: Step) -> bool:
    return not step.judgement.is_surplus and step.was_counted != step.decision.is_counted


def _n_steps(steps: Iterable[Step], holds: Callable[[Step], bool]) -> int:
    return sum(map(holds, steps))


def price_of(batch: Batch) -> tuple[Decimal | None, str]:
    """The reward of a judgement and its currency; (None, "") for an unpaid batch."""
    reward = getattr(batch, "reward", None)
    return (None if not reward else Decimal(reward)), str(getattr(batch, "currency", "") or "")


def _changes(
    batch: Batch,
    items: list[Item],
    current: QuerySet[Verdict],
    rule: str,
    as_if: dict[int, bool],
) -> tuple[Change, ...]:
    """The changes from settling without the plan to settling with it."""
    if not items:
        return ()
    now, then = outcomes.outcomes_as_if(batch=batch, items=items, rule=rule, as_if=as_if)
    # Equal outcomes lead to equal verdicts: of these none need be read.
    unlike = [item.pk for item in items if now[item.pk] != then[item.pk]]
    verdicts = {verdict.item_id: verdict for verdict in current.filter(item__in=unlike)}
    moved: Counter[tuple[OutcomeKind, OutcomeKind]] = Counter()
    for pk in unlike:
        before, after = (
            _outcome_when_settled(verdicts.get(pk), ends[pk], rule) for ends in (now, then)
        )
        if before != after:
            moved[before, after] += 1
    ordered = sorted(moved.items(), key=lambda pair: (-pair[1], str(pair[0])))
    return tuple(Change(before, after, n) for (before, after), n in ordered)


def _outcome_when_settled(
    verdict: Verdict | None, outcome: outcomes.ItemOutcome, rule: str
) -> OutcomeKind:
    if verdict is None or verdict_freshness.needs_new_verdict(verdict, outcome, rule):
        return OutcomeKind(outcome.state, outcome.label, outcome.reason)
    return OutcomeKind(verdict.state, verdict.label, verdict.set_aside_reason)
