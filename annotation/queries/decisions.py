from collections.abc import Iterable

from django.db.models import Count, OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce

from annotation.models import Batch, Exclusion, Review, Verdict, Withdrawal

# From each kind of decision to its batch.
_DECISIONS: tuple[tuple[QuerySet[Withdrawal | Review | Exclusion | Verdict], str], ...] = (
    (Withdrawal.objects.all(), "judgement__assignment__item__batch"),
    (Review.objects.all(), "judgement__assignment__item__batch"),
    (Exclusion.objects.all(), "item__batch"),
    (Verdict.objects.all(), "item__batch"),
)


def n_decisions(batches: Iterable[Batch]) -> dict[int, int]:
    """The number of withdrawals, reviews, exclusions and verdicts by batch, in one query.

    Decisions are only added, so equal numbers mean the same decisions.
    """
    total = sum(
        (
            Coalesce(
                Subquery(
                    rows.filter(**{path: OuterRef("pk")})
                    .order_by()
                    .values(path)
                    .annotate(n=Count("pk"))
                    .values("n")
                ),
                0,
            )
            for rows, path in _DECISIONS
        ),
        start=Coalesce(0, 0),
    )
    rows = Batch.objects.filter(pk__in=[batch.pk for batch in batches])
    return dict(rows.order_by().annotate(n_decisions=total).values_list("pk", "n_decisions"))
