"""The current verdicts of batches in numbers, for pages with many batches."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count, Max, Min, Q

from annotation.models import SetAside, Source, Verdict, VerdictState

# That everybody skipped an item, and that too few judged it, depends on who is in the study.
MAY_CHANGE = (SetAside.TOO_FEW, SetAside.SKIPPED_BY_ALL)


@dataclass(frozen=True)
class VerdictCounts:
    """How many current verdicts a batch has, of what kind, and the rule that it was last settled by ("" for none)."""

    n: int = 0
    n_disputed: int = 0
    n_set_aside: int = 0
    n_with_too_few: int = 0
    oldest: datetime | None = None
    last_rule: str = ""

    def may_change(self, closed_at: datetime | None) -> bool:
        """Whether a verdict is from before the batch was closed, or for a reason that can pass."""
        is_earlier = self.oldest is not None and closed_at is not None and self.oldest <= closed_at
        return self.n_with_too_few > 0 or is_earlier


def verdict_counts(batches: Collection[int]) -> dict[int, VerdictCounts]:
    """The counts of each batch with one of these keys. Two queries.

    The groups are batches alone: to group by rule as well, SQLite sorts all verdicts first.
    """
    with_rule = ~Q(rule="")
    rows = list(
        Verdict.objects.current()
        .filter(item__batch__in=batches)
        .order_by()
        .values_list("item__batch")
        .annotate(
            all=Count("pk"),
            disputed=Count("pk", filter=Q(state=VerdictState.DISPUTED)),
            set_aside=Count("pk", filter=Q(state=VerdictState.SET_ASIDE)),
            too_few=Count("pk", filter=Q(set_aside_reason__in=MAY_CHANGE)),
            oldest=Min("decided_at"),
            # As verdict_freshness.last_rule: by consensus first.
            newest_consensus=Max("pk", filter=with_rule & Q(source=Source.CONSENSUS)),
            newest=Max("pk", filter=with_rule),
        )
    )
    newest = {batch: consensus or of_any for batch, *_, consensus, of_any in rows}
    named = [pk for pk in newest.values() if pk]
    rules = dict(Verdict.objects.filter(pk__in=named).order_by().values_list("pk", "rule"))
    found = {
        batch: VerdictCounts(n, disputed, set_aside, too_few, oldest, rules.get(newest[batch], ""))
        for batch, n, disputed, set_aside, too_few, oldest, _, _ in rows
    }
    return {batch: found.get(batch, VerdictCounts()) for batch in batches}
