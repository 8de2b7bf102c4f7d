"""How many items of a settled batch would end otherwise under another rule."""

import json

from annotation.models import Batch, Item, Verdict
from annotation.queries import outcomes, verdict_freshness
from annotation.queries.batch_progress import OutcomeKind

# The rules that only count votes, so that applying them to the items of a batch takes no time worth a job.
COUNTING_RULES = ("unanimous", "majority")
# What a verdict is compared by, besides its votes and the posterior.
COMPARED = ("state", "label", "set_aside_reason", "source", "rule")
# With more items than this the changes are not counted.
MOST_ITEMS = 5000


def last_rule(batch: Batch) -> str:
    """The rule that the batch was last settled by; "" if it never was."""
    return verdict_freshness.last_rule_of(Verdict.objects.current().filter(item__batch=batch))


def changed_items(batch: Batch) -> dict[str, int]:
    """The number of items whose outcome settling by each counting rule changes; {} for a batch of too many items."""
    real = Item.objects.real().filter(batch=batch)
    items = list(real.values_list("pk", flat=True)[: MOST_ITEMS + 1])
    if len(items) > MOST_ITEMS:
        return {}
    current = _current_verdicts(batch)
    by_rule = outcomes.outcomes_by_rule(batch=batch, items=items, rules=COUNTING_RULES)
    return {
        rule: sum(_changes(current.get(pk), outcome, rule) for pk, outcome in found.items())
        for rule, found in by_rule.items()
    }


def _current_verdicts(batch: Batch) -> dict[int, Verdict]:
    """The current verdicts by item, with what they are compared by. Those that are alike are one: few are different."""
    rows = Verdict.objects.current().filter(item__batch=batch).order_by()
    made: dict[tuple[str, ...], Verdict] = {}
    current: dict[int, Verdict] = {}
    for item, *said in rows.values_list(
        "item", *COMPARED, outcomes.as_text("votes"), outcomes.as_text("posterior")
    ):
        key = tuple(said)
        if key not in made:
            *plain, votes, posterior = said
            made[key] = Verdict(
                **dict(zip(COMPARED, plain, strict=True)),
                votes=json.loads(votes),
                posterior=json.loads(posterior),
            )
        current[item] = made[key]
    return current


def _changes(before: Verdict | None, outcome: outcomes.ItemOutcome, rule: str) -> bool:
    if not verdict_freshness.needs_new_verdict(before, outcome, rule):
        return False
    after = OutcomeKind(outcome.state, outcome.label, outcome.reason)
    return before is None or after != OutcomeKind(
        before.state, before.label, before.set_aside_reason
    )
