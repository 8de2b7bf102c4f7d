"""Whether verdicts are outdated: whether settling again would replace them."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Case, Exists, OuterRef, Q, QuerySet, Subquery, When

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
from annotation.queries import outcomes
from annotation.queries.outcomes import ItemOutcome
from stats.aggregation import consensus

# More than two units of the last stored decimal of a probability.
TOLERANCE = 2.5e-6


@dataclass(frozen=True)
class Stamp:
    """The numbers of decisions in a batch. Decisions are only added, so equal numbers mean the same decisions.

    Late judgements in a closed batch are surplus and change no outcome.
    """

    closed_at: datetime | None
    n_verdicts: int
    n_exclusions: int
    n_reviews: int


def stamp(batch: Batch) -> Stamp:
    """The stamp of the batch, read from the database."""
    return Stamp(
        closed_at=Batch.objects.values_list("closed_at", flat=True).get(pk=batch.pk),
        n_verdicts=Verdict.objects.filter(item__batch=batch).count(),
        n_exclusions=Exclusion.objects.filter(item__batch=batch).count(),
        n_reviews=Review.objects.filter(judgement__assignment__item__batch=batch).count(),
    )


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
    real = Item.objects.real().filter(batch=batch)
    touched = None if batch.is_rehearsal else _touched_items(batch)  # whose times are simulated
    if touched is not None and not touched:
        return []
    rule = last_rule_of(_current(batch))
    if touched is not None and rule in ("", *consensus.ITEM_BY_ITEM):
        real = real.filter(pk__in=touched)
    return _outdated_among(batch, real, rule)


def _outdated_among(batch: Batch, of_batch: QuerySet[Item], last_rule: str) -> list[Item]:
    items = list(of_batch.defer("payload"))
    verdicts = _current(batch).filter(item__in=of_batch.values("pk"))
    current = {verdict.item_id: verdict for verdict in verdicts}
    # Without a rule there are only decisions, which do not depend on the rule.
    rule = last_rule or next(iter(consensus.RULES))
    outcome_of = outcomes.outcomes_of(batch=batch, items=items, rule=rule)
    return [
        item for item in items if needs_new_verdict(current.get(item.pk), outcome_of[item.pk], rule)
    ]


def _current(batch: Batch) -> QuerySet[Verdict]:
    return Verdict.objects.current().filter(item__batch=batch)


def _touched_items(batch: Batch) -> set[int]:
    """The items whose outcome can be another one than at their current verdict: where judgements were reviewed, the
    item excluded or readmitted, or the batch closed since; where there is no verdict; and where too few judged, as
    that everybody skipped it depends on who is in the study.
    """
    current = _current(batch).order_by()
    may_change = Q(set_aside_reason__in=[SetAside.TOO_FEW, SetAside.SKIPPED_BY_ALL])
    if batch.closed_at:
        may_change |= Q(decided_at__lte=batch.closed_at)
    found = set(current.filter(may_change).values_list("item", flat=True))
    for rows, item, at in (
        # By the acts on the batch, of which there are few: by its items, SQLite reads all judgements.
        (Review.objects.filter(act__batch=batch), "judgement__assignment__item", "reviewed_at"),
        (Exclusion.objects.filter(item__batch=batch), "item", "excluded_at"),
    ):
        since = Verdict.objects.current().filter(item=OuterRef(item)).values("decided_at")
        later = rows.filter(**{f"{at}__gte": Subquery(since)}).order_by()
        found.update(later.values_list(item, flat=True))
    # An item with verdicts has a current one.
    verdicts = Verdict.objects.filter(item=OuterRef("pk"))
    without = Item.objects.real().filter(~Exists(verdicts), batch=batch).order_by()
    return found | set(without.values_list("pk", flat=True))
