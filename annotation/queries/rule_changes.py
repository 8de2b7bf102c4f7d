"""How many items of a settled batch would end otherwise under another rule."""

from annotation.models import Batch, Item, Verdict
from annotation.queries import outcomes, verdict_freshness
from annotation.queries.batch_progress import OutcomeKind

# The rules that only count votes, so that applying them to the items of a batch takes no time worth a job.
COUNTING_RULES = ("unanimous", "majority")
# With more items than this the changes are not counted.
MOST_ITEMS = 5000


def last_rule(batch: Batch) -> str:
    """The rule that the batch was last settled by; "" if it never was."""
    return verdict_freshness.last_rule_of(Verdict.objects.current().filter(item__batch=batch))


def changed_items(batch: Batch) -> dict[str, int]:
    """The number of items whose outcome settling by each counting rule changes; {} for a batch of too many items."""
    items = list(Item.objects.real().filter(batch=batch).only("pk")[: MOST_ITEMS + 1])
    if len(items) > MOST_ITEMS:
        return {}
    current = {each.item_id: each for each in Verdict.objects.current().filter(item__batch=batch)}
    return {
        rule: sum(
            _changes(current.get(pk), outcome, rule)
            for pk, outcome in outcomes.outcomes_of(batch=batch, items=items, rule=rule).items()
        )
        for rule in COUNTING_RULES
    }


def _changes(before: Verdict | None, outcome: outcomes.ItemOutcome, rule: str) -> bool:
    if not verdict_freshness.needs_new_verdict(before, outcome, rule):
        return False
    after = OutcomeKind(outcome.state, outcome.label, outcome.reason)
    return before is None or after != OutcomeKind(
        before.state, before.label, before.set_aside_reason
    )
