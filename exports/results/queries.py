"""The data set whose results are shown first, and what stays with its earlier versions (docs/adr/0035)."""

from collections.abc import Sequence
from dataclasses import dataclass

from accounts.models import Study
from annotation.models import Batch, BatchState
from corpus.models import Dataset
from corpus.versions import lineage, lineage_keys
from exports.models import PrecisionAudit
from sampling.models import NOT_RELEASED, Pool, Purpose


@dataclass(frozen=True)
class Earlier:
    """An earlier version, its precision audits, and its samples and comparisons that are not withdrawn."""

    dataset: Dataset
    precision_audits: Sequence[PrecisionAudit]
    samples: Sequence[Pool]
    comparisons: Sequence[Pool]


def newest_judged(study: Study, datasets: Sequence[Dataset]) -> Dataset:
    """Return the first of the data sets about which people are or were asked, else the first.

    People were asked about a version also by the batches of those that it continues.
    """
    batches = Batch.objects.counting().filter(study=study).exclude(state=BatchState.DRAFT)
    asked = set(
        batches.exclude(pool__purpose__in=NOT_RELEASED).values_list("pool__dataset", flat=True)
    )
    judged = (
        each
        for each in datasets
        if not each.is_withdrawn and not asked.isdisjoint(lineage_keys(each))
    )
    return next(judged, datasets[0])


def earlier_versions(dataset: Dataset) -> list[Earlier]:
    """Return the versions that this one continues and that have such work, newest first."""
    if dataset.continues_id is None:
        return []
    keys = lineage_keys(dataset)[1:]
    audits = list(PrecisionAudit.objects.filter(dataset__in=keys).order_by("number"))
    pools = Pool.objects.filter(dataset__in=keys, is_withdrawn=False, built_at__isnull=False)
    found = list(pools.select_related("audit_of").order_by("created_at", "pk"))
    versions = [
        Earlier(
            version,
            [audit for audit in audits if audit.dataset_id == version.pk],
            [each for each in found if each.dataset_id == version.pk and each.audit_of_id],
            [
                each
                for each in found
                if each.dataset_id == version.pk and each.purpose == Purpose.COMPARISON
            ],
        )
        for version in lineage(dataset)[1:]
    ]
    return [each for each in versions if each.precision_audits or each.samples or each.comparisons]
