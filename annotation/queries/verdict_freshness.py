"""Whether verdicts are outdated: whether settling again would replace them."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import TypeVar

from django.db.models import Case, Count, Exists, F, Model, OuterRef, Q, QuerySet, Subquery, When
from django.db.models.expressions import Combinable
from django.db.models.functions import Coalesce

from annotation.models import (
    Batch,
    Exclusion,
    Item,
    Review,
    SetAside,
    Source,
    Verdict,
    VerdictState,
)
from annotation.queries import few_rows, outcomes
from annotation.queries.outcomes import ItemOutcome
from annotation.queries.verdict_counts import MAY_CHANGE, VerdictCounts
from performance.compiled_queries import Compiled
from stats.aggregation import consensus

# More than two units of the last stored decimal of a probability.
TOLERANCE = 2.5e-6
M = TypeVar("M", bound=Model)


@dataclass(frozen=True)
class Stamp:
    """The numbers of decisions in a batch. Decisions are only added, so equal numbers mean the same decisions.

    Late judgements in a closed batch are surplus and change no outcome.
    """

    closed_at: datetime | None
    n_verdicts: int
    n_exclusions: int
    n_reviews: int


def _n(model: type[Model], batch: str) -> Combinable:
    """The number of rows of the model in the batch; `batch` is the lookup from a row to its batch."""
    of_batch = model._default_manager.filter(**{batch: OuterRef("pk")}).order_by()
    return Coalesce(Subquery(of_batch.values(batch).annotate(n=Count("*")).values("n")), 0)


_STAMPS = Compiled(
    lambda *, batch: Batch.objects.filter(pk=batch).values_list(
        "closed_at",
        _n(Verdict, "item__batch"),
        _n(Exclusion, "item__batch"),
        _n(Review, "judgement__assignment__item__batch"),
    )
)


def stamp(batch: Batch) -> Stamp:
    """The stamp of the batch, read from the database."""
    return Stamp(*_STAMPS.get(batch=batch.pk))


def needs_new_verdict(before: Verdict | None, outcome: ItemOutcome, rule: str) -> bool:
    """Whether settling with this outcome has to write a new verdict in place of `before`."""
    if before is None:
        return True
    if before.source == Source.ADJUDICATION:
        return False
    if decision_holds(before, outcome):
        return False
    same = (before.state, before.label, before.set_aside_reason) == (
        outcome.state,
        outcome.label,
        outcome.reason,
    )
    made_from = before.rule == rule and before.votes == outcome.votes
    return not (same and made_from and _posteriors_equal(before.posterior, outcome.posterior))


def _posteriors_equal(before: Mapping[str, float], now: Mapping[str, float]) -> bool:
    """Whether the posteriors are equal up to rounding, which differs between machines."""
    return before.keys() == now.keys() and all(
        abs(before[label] - now[label]) < TOLERANCE for label in now
    )


def decision_holds(before: Verdict, outcome: ItemOutcome) -> bool:
    """Whether a person's decision to set the item aside still holds, because its reason does."""
    if before.source != Source.DECISION:
        return False
    if before.set_aside_reason == SetAside.DISAGREEMENT:
        return outcome.state == VerdictState.DISPUTED
    return outcome.reason == before.set_aside_reason


def last_rule(verdicts: Iterable[Verdict]) -> str:
    """The rule that a batch was last settled by, from its current verdicts; "" if none has a rule.

    Verdicts by consensus come first: a decision or adjudication keeps the rule of the verdict that it replaced.
    """
    ordered = sorted(verdicts, key=lambda each: (each.source != Source.CONSENSUS, -each.pk))
    return next((each.rule for each in ordered if each.rule), "")


def last_rule_of(verdicts: QuerySet[Verdict]) -> str:
    """The same as `last_rule`, of verdicts that are not read."""
    is_other = Case(When(source=Source.CONSENSUS, then=0), default=1)
    found = verdicts.exclude(rule="").order_by(is_other, "-pk")
    return found.values_list("rule", flat=True).first() or ""


def outdated_items(batch: Batch) -> list[Item]:
    """The items that would get a new verdict if the batch were settled again by its last rule, for example
    because of a later review or exclusion. Includes items without a verdict.
    """
    real = Item.objects.real().filter(batch=batch)
    return _outdated_among(batch, real, last_rule_of(_current(batch)))


def outdated_touched_items(batch: Batch) -> list[Item]:
    """The same from what was decided since each verdict, which is quick where that is little: for pages."""
    if batch.is_rehearsal:  # whose times are simulated
        return outdated_items(batch)
    touched = _touched_items([batch])[batch.pk] | _without_verdict(batch)
    return _outdated_touched(batch, touched, last_rule_of(_current(batch))) if touched else []


def outdated_touched_items_of_settled(
    batches: Collection[Batch], counts: Mapping[int, VerdictCounts]
) -> dict[int, list[Item]]:
    """The same by batch, of batches whose items all have a verdict. `counts` are those of their verdicts."""
    real = [batch for batch in batches if not batch.is_rehearsal]
    may_change = [batch for batch in real if counts[batch.pk].may_change(batch.closed_at)]
    touched = _touched_items(real, of_verdicts=may_change)
    return {
        batch.pk: outdated_items(batch)
        if batch.is_rehearsal
        else _outdated_touched(batch, touched[batch.pk], counts[batch.pk].last_rule)
        for batch in batches
    }


def _outdated_touched(batch: Batch, touched: set[int], last_rule: str) -> list[Item]:
    if not touched:
        return []
    real = Item.objects.real().filter(batch=batch)
    if last_rule not in ("", *consensus.ITEM_BY_ITEM):
        return _outdated_among(batch, real, last_rule)
    outdated = _outdated_keys(batch, touched, _current_of(touched, batch), last_rule)
    return list(real.filter(pk__in=outdated).defer("payload")) if outdated else []


def _outdated_among(batch: Batch, of_batch: QuerySet[Item], last_rule: str) -> list[Item]:
    items = list(of_batch.defer("payload"))
    verdicts = _current(batch).filter(item__in=of_batch.values("pk"))
    outdated = _outdated_keys(batch, [item.pk for item in items], verdicts, last_rule)
    return [item for item in items if item.pk in outdated]


def _outdated_keys(
    batch: Batch, items: Collection[int], verdicts: QuerySet[Verdict], last_rule: str
) -> set[int]:
    """The keys of the items, of these, that would get a new verdict. `verdicts` are their current ones."""
    current = {verdict.item_id: verdict for verdict in verdicts}
    # Without a rule there are only decisions, which do not depend on the rule.
    rule = last_rule or next(iter(consensus.RULES))
    outcome_of = outcomes.outcomes_by_rule(batch=batch, items=items, rules=[rule])[rule]
    return {pk for pk in items if needs_new_verdict(current.get(pk), outcome_of[pk], rule)}


def _current(batch: Batch) -> QuerySet[Verdict]:
    return Verdict.objects.current().filter(item__batch=batch)


def _current_of(items: Collection[int], batch: Batch) -> QuerySet[Verdict]:
    """The current verdicts of these items of the batch: of few, named; of many, all of the batch."""
    if len(items) > outcomes.FEW:
        return _current(batch)
    return Verdict.objects.current().filter(item__in=items)


def _touched_items(
    batches: Collection[Batch], of_verdicts: Collection[Batch] | None = None
) -> dict[int, set[int]]:
    """The items by batch whose outcome can be another one than at their current verdict: where judgements were
    reviewed, the item excluded or readmitted, or the batch closed since; and where too few judged, as that everybody
    skipped it depends on who is in the study.

    `of_verdicts` are the batches with verdicts that say so by themselves; all of these, where it is not known.
    """
    found: dict[int, set[int]] = {batch.pk: set() for batch in batches}
    said = batches if of_verdicts is None else of_verdicts
    rows: list[tuple[int, int]] = []
    if said:
        may_change = Q(set_aside_reason__in=MAY_CHANGE) | Q(
            decided_at__lte=F("item__batch__closed_at")
        )
        current = Verdict.objects.current().filter(may_change, item__batch__in=list(said))
        rows += current.order_by().values_list("item__batch", "item")
    # By the acts on the batches and by the exclusions, of which there are few: by their items, SQLite reads all
    # judgements or all items.
    reviews = Review.objects.filter(act__batch__in=found)
    reviewed = _since_verdict(reviews, "judgement__assignment__item", "reviewed_at")
    rows += reviewed.values_list("act__batch", "judgement__assignment__item")
    of_batch = few_rows.key(Exclusion.objects.all(), "item__batch")
    exclusions = Exclusion.objects.annotate(batch=of_batch).filter(batch__in=found)
    excluded = _since_verdict(exclusions, "item", "excluded_at")
    rows += excluded.values_list("batch", "item")
    for batch, item in rows:
        found[batch].add(item)
    return found


def _since_verdict(rows: "QuerySet[M]", item: str, at: str) -> "QuerySet[M]":
    """The rows that were added since the current verdict of their item."""
    verdict = Verdict.objects.current().filter(item=OuterRef(item)).order_by()
    return rows.filter(**{f"{at}__gte": Subquery(verdict.values("decided_at"))}).order_by()


def _without_verdict(batch: Batch) -> set[int]:
    # An item with verdicts has a current one.
    verdicts = Verdict.objects.filter(item=OuterRef("pk"))
    without = Item.objects.real().filter(~Exists(verdicts), batch=batch).order_by()
    return set(without.values_list("pk", flat=True))
