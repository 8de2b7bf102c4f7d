"""The state of a data set's scoring: what is at work, what failed, and what has no score to show."""

from collections.abc import Sequence
from dataclasses import dataclass

from corpus.models import Dataset
from jobs.actions import liveness
from jobs.models import UNFINISHED, Job, JobState
from scoring import queries as scoring_queries
from scoring.models import LABELS, Scorer
from scoring.registry import MEASURES, Inputs

KINDS = ("score", "calibrate", "import_scores")
# Older jobs say nothing of what one waits for now.
MOST_JOBS = 100
# Why a measure that was computed has no score.
WHY_NONE = {
    Inputs.REFERENCES: "no answer can be compared with a reference",
    Inputs.REWRITE: "no run rewrites a question that has a reference rewrite",
    Inputs.PASSAGES: "no answer cites a passage",
    Inputs.ALONE: "no run has an answer",
    Inputs.RETRIEVAL: "no run ranks passages on a turn with known relevant passages",
}


@dataclass(frozen=True)
class ScoringState:
    """The newest jobs of each measure. `without_scores` has the measure's label and the reason."""

    unfinished: Sequence[Job]
    failed: Sequence[Job]
    without_scores: Sequence[tuple[str, str]]

    @property
    def is_left_alone(self) -> bool:
        return any(liveness.is_left_alone(job) for job in self.unfinished[:1])


def scoring_state(dataset: Dataset, scorers: Sequence[Scorer]) -> ScoringState:
    jobs = dataset.study.jobs.filter(kind__in=KINDS, params__dataset=dataset.pk)
    newest: dict[str, Job] = {}
    for job in jobs.with_progress().defer("result").order_by("-pk")[:MOST_JOBS]:
        newest.setdefault(job.key, job)
    found = list(newest.values())
    shown = {scorer.metric for scorer in scorers}
    missing = {
        job.params["metric"]: None
        for job in found
        if job.kind == "score" and job.state == JobState.DONE and job.params["metric"] not in shown
    }
    return ScoringState(
        unfinished=[job for job in found if job.state in UNFINISHED],
        failed=[job for job in found if job.state == JobState.FAILED],
        without_scores=[(_label(metric), _why_none(metric)) for metric in missing],
    )


def _label(metric: str) -> str:
    return MEASURES[metric].label if metric in MEASURES else LABELS.get(metric, metric)


def _why_none(metric: str) -> str:
    return WHY_NONE[scoring_queries.inputs_of(metric)]
