"""How far a study has come on the way of the data, and what is to be done next."""

from dataclasses import dataclass

from accounts.models import Role, Study
from annotation import overview
from annotation.models import Flag
from annotation.overview import BatchLine
from corpus.models import Answer, Run, RunKind, Turn
from sampling.models import Pool, Purpose
from scoring.models import ImportedScore, Metric


@dataclass(frozen=True)
class Way:
    """Counts of everything on a study's way. `next_step` names the first thing that is missing."""

    n_datasets: int
    n_turns: int
    n_runs: int
    n_answers: int
    is_scored: bool
    n_annotators: int
    n_adjudicators: int
    n_unanswered_flags: int
    n_jobs: int
    pools: list[Pool]
    batches: list[BatchLine]
    n_releases: int

    @property
    def plausibility(self) -> list[BatchLine]:
        return [line for line in self.batches if line.batch.scheme == "plausibility"]

    @property
    def faithfulness(self) -> list[BatchLine]:
        return [line for line in self.batches if line.batch.scheme == "faithfulness"]

    @property
    def answer_pools(self) -> list[Pool]:
        return [pool for pool in self.pools if pool.purpose == Purpose.ANSWERS]

    @property
    def evidence_pools(self) -> list[Pool]:
        return [pool for pool in self.pools if pool.purpose == Purpose.EVIDENCE]

    @property
    def next_step(self) -> str:
        """data | runs | scores | pool | plausibility | evidence | faithfulness | release | done"""
        missing = (
            ("data", self.n_datasets),
            ("runs", self.n_runs),
            ("scores", self.is_scored),
            ("pool", self.answer_pools),
            ("plausibility", _settled(self.plausibility)),
            ("evidence", self.evidence_pools),
            ("faithfulness", _settled(self.faithfulness)),
            ("release", self.n_releases),
        )
        return next((name for name, there in missing if not there), "done")


def _settled(lines: list[BatchLine]) -> bool:
    return bool(lines) and all(line.is_settled for line in lines)


def way(study: Study) -> Way:
    """The counts of a study's way, in a number of queries that does not grow with it."""
    runs = Run.objects.filter(dataset__study=study).exclude(kind=RunKind.REFERENCE)
    members = study.memberships.filter(user__is_simulated=False)
    flags = Flag.objects.filter(assignment__item__batch__study=study, answers=None)
    return Way(
        n_datasets=study.datasets.count(),
        n_turns=Turn.objects.filter(conversation__dataset__study=study).count(),
        n_runs=runs.count(),
        n_answers=Answer.objects.filter(run__in=runs).count(),
        is_scored=_is_scored(study),
        n_annotators=members.holding(Role.ANNOTATOR).count(),
        n_adjudicators=members.holding(Role.ADJUDICATOR).count(),
        n_unanswered_flags=flags.count(),
        n_jobs=study.jobs.unfinished().count(),
        pools=list(study.pools.order_by("created_at", "pk")),
        batches=overview.lines(study.batches.order_by("created_at", "pk")),
        n_releases=study.releases.count(),
    )


def _is_scored(study: Study) -> bool:
    """Whether a pool can be drawn: some answer has a similarity. Other measures draw none."""
    imported = ImportedScore.objects.filter(
        answer__run__dataset__study=study, scorer__metric=Metric.SAS
    )
    computed = study.jobs.filter(kind="score", state="done", params__metric=Metric.SAS.value)
    return imported.exists() or computed.exists()
