"""Newest versions of data sets with turns that changed, and how far the work on them has come."""

from collections.abc import Sequence
from dataclasses import dataclass

from accounts.models import Study
from annotation.queries.batch_progress import BatchLine
from corpus import versions
from corpus.models import Dataset
from sampling.models import Pool
from scoring.models import ImportedScore, Metric


@dataclass(frozen=True)
class ChangedVersion:
    """A version whose turns changed or are new, in the number `n_turns`, beside the version that it continues.

    `is_drawn` says whether a pool was drawn from it, `to_ask_about` is its newest pool of answers if no batch
    is on such a pool yet.
    """

    dataset: Dataset
    n_turns: int
    is_scored: bool
    is_drawn: bool
    to_ask_about: Pool | None = None

    @property
    def step(self) -> str:
        """Return the step that is missing: scores, pool or acceptance; "" if people are asked."""
        if not (self.is_scored or self.is_drawn):
            return "scores"
        if not self.is_drawn:
            return "pool"
        return "acceptance" if self.to_ask_about else ""

    @property
    def turns_in_words(self) -> str:
        if self.n_turns == 1:
            return f"1 turn of {self.dataset} changed or is new"
        return f"{self.n_turns:,} turns of {self.dataset} changed or are new"

    @property
    def advice(self) -> str:
        """Return what to do next about these turns."""
        answers = "its answers" if self.n_turns == 1 else "their answers"
        doing = {
            "scores": f"score {answers}, draw a pool of them and have them judged.",
            "pool": f"draw a pool of {answers} and have them judged; what people are or were asked about on an"
            " earlier version is left out.",
            "acceptance": f"have {answers} judged.",
        }
        return f"{self.turns_in_words}: {doing[self.step]}" if self.step else ""


def changed_versions(
    study: Study, answer_pools: Sequence[Pool], batches: Sequence[BatchLine], released: set[int]
) -> list[ChangedVersion]:
    """Return the newest versions that continue others and were not released, where some turns changed or are new."""
    newest = versions.newest(study.datasets.counting()).filter(continues__isnull=False)
    found = {each.pk: each for each in newest if each.pk not in released and _n_turns(each)}
    if not found:
        return []
    scored = _scored(study, found)
    asked = {line.batch.pool_id for line in batches}
    return [
        _changed_version(
            each, [pool for pool in answer_pools if pool.dataset_id == pk], asked, pk in scored
        )
        for pk, each in found.items()
    ]


def _changed_version(
    dataset: Dataset, pools: Sequence[Pool], asked: set[int], is_scored: bool
) -> ChangedVersion:
    is_asked = any(pool.pk in asked for pool in pools)
    built = [
        pool for pool in pools if pool.built_at is not None and pool.counts.get("n_candidates")
    ]
    to_ask_about = built[-1] if built and not is_asked else None
    return ChangedVersion(dataset, _n_turns(dataset), is_scored, bool(pools), to_ask_about)


def _n_turns(dataset: Dataset) -> int:
    comparison = dataset.comparison
    return len(comparison.get("changed", ())) + len(comparison.get("new", ()))


def _scored(study: Study, datasets: dict[int, Dataset]) -> set[int]:
    """Return the data sets whose answers to changed turns were scored by similarity, or have imported ones."""
    jobs = study.jobs.filter(kind="score", state="done", params__metric=Metric.SAS.value)
    computed = set(jobs.filter(params__dataset__in=list(datasets)).values_list("params__dataset"))
    imported = ImportedScore.objects.filter(
        answer__run__dataset__in=datasets,
        answer__turn__same_as=None,
        scorer__metric=Metric.SAS,
    ).order_by()
    of_answers = set(imported.values_list("answer__run__dataset").distinct())
    return {pk for (pk,) in computed | of_answers}
