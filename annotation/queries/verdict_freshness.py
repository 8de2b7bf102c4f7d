"""Whether a verdict still agrees with the outcome of its rule for the judgements of now."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime

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

# Two units of the last decimal that is stored of a probability.
NEARLY = 2.5e-6


@dataclass(frozen=True)
class Stamp:
    """What was decided in a batch. Decisions are only ever added: while there are as many, they are the same.

    Late judgements in a closed batch are surplus, and change nothing that was decided.
    """

    closed_at: datetime | None
    n_verdicts: int
    n_exclusions: int
    n_reviews: int


def stamp(batch: Batch) -> Stamp:
    """Reads the current state from the database, not from `batch`."""
    return Stamp(
        closed_at=Batch.objects.values_list("closed_at", flat=True).get(pk=batch.pk),
        n_verdicts=Verdict.objects.filter(item__batch=batch).count(),
        n_exclusions=Exclusion.objects.filter(item__batch=batch).count(),
        n_reviews=Review.objects.filter(judgement__assignment__item__batch=batch).count(),
    )


def needs_new_verdict(before: Verdict | None, outcome: ItemOutcome, rule: str) -> bool:
    """Whether the ending needs a row of its own beside what stands."""
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
        abs(before[label] - now[label]) < NEARLY for label in now
    )


def decision_holds(before: Verdict, outcome: ItemOutcome) -> bool:
    """Whether a person's decision to set the item aside still holds, because its reason does."""
    if before.source != Source.DECISION:
        return False
    if before.set_aside_reason == SetAside.DISAGREEMENT:
        return outcome.state == VerdictState.DISPUTED
    return outcome.reason == before.set_aside_reason


def last_rule(verdicts: Iterable[Verdict]) -> str:
    """The rule that a batch was last settled by, from its current verdicts; "" where none says.

    All verdicts by consensus have it. What was decided or adjudicated keeps the rule that it came upon.
    """
    ordered = sorted(verdicts, key=lambda each: (each.source != Source.CONSENSUS, -each.pk))
    return next((each.rule for each in ordered if each.rule), "")


def outdated_items(batch: Batch) -> list[Item]:
    """The items that would get a new verdict if the batch were settled again by its last rule, for example
    because of a later review or exclusion. Includes items without a verdict.
    """
    items = list(Item.objects.real().filter(batch=batch).defer("payload"))
    current = {
        verdict.item_id: verdict for verdict in Verdict.objects.current().filter(item__batch=batch)
    }
    # Without a rule there are decisions only, which ask for nothing that depends on it.
    rule = last_rule(current.values()) or next(iter(consensus.RULES))
    ends = outcomes.outcomes_of(batch=batch, items=items, rule=rule)
    return [item for item in items if needs_new_verdict(current.get(item.pk), ends[item.pk], rule)]
