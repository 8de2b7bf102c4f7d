"""Whether a verdict still stands beside what its rule makes of the judgements now."""

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
from annotation.queries.outcomes import Ending
from stats.aggregation import consensus

# Two units of the last place that is kept of a probability.
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
    """As the batch is now, whatever the row at hand says."""
    return Stamp(
        closed_at=Batch.objects.values_list("closed_at", flat=True).get(pk=batch.pk),
        n_verdicts=Verdict.objects.filter(item__batch=batch).count(),
        n_exclusions=Exclusion.objects.filter(item__batch=batch).count(),
        n_reviews=Review.objects.filter(judgement__assignment__item__batch=batch).count(),
    )


def changes(before: Verdict | None, ending: Ending, rule: str) -> bool:
    """Whether the ending needs a row of its own beside what stands."""
    if before is None:
        return True
    if before.source == Source.ADJUDICATION:
        return False
    if stands_by_decision(before, ending):
        return False
    same = (before.state, before.label, before.set_aside_reason) == (
        ending.state,
        ending.label,
        ending.reason,
    )
    made_from = before.rule == rule and before.votes == ending.votes
    return not (same and made_from and _as_likely(before.posterior, ending.posterior))


def _as_likely(before: Mapping[str, float], now: Mapping[str, float]) -> bool:
    """But for rounding, which another machine may do otherwise in the last place."""
    return before.keys() == now.keys() and all(
        abs(before[label] - now[label]) < NEARLY for label in now
    )


def stands_by_decision(before: Verdict, ending: Ending) -> bool:
    """What a person set aside stays so while the reason holds."""
    if before.source != Source.DECISION:
        return False
    if before.set_aside_reason == SetAside.DISAGREEMENT:
        return ending.state == VerdictState.DISPUTED
    return ending.reason == before.set_aside_reason


def rule_of(verdicts: Iterable[Verdict]) -> str:
    """The rule that a batch was last settled by, from its current verdicts; "" where none says.

    All verdicts by consensus have it. What was decided or adjudicated keeps the rule that it came upon.
    """
    ordered = sorted(verdicts, key=lambda each: (each.source != Source.CONSENSUS, -each.pk))
    return next((each.rule for each in ordered if each.rule), "")


def outdated(batch: Batch) -> list[Item]:
    """The items that settling the batch again by the same rule would give another row.

    A review, an exclusion or its end came after the batch was settled, say. Items without a verdict are
    among them.
    """
    items = list(Item.objects.real().filter(batch=batch).defer("payload"))
    current = {
        verdict.item_id: verdict for verdict in Verdict.objects.current().filter(item__batch=batch)
    }
    # Without a rule there are decisions only, which ask for nothing that depends on it.
    rule = rule_of(current.values()) or next(iter(consensus.RULES))
    ends = outcomes.of(batch=batch, items=items, rule=rule)
    return [item for item in items if changes(current.get(item.pk), ends[item.pk], rule)]
