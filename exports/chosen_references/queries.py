"""The measures that have scores against several choices of references, and the means of runs by each."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import fsum, isnan, nan

from corpus.models import Dataset, References, Run
from scoring import score_queries
from scoring.actions import value_matrix
from scoring.denominators import Denominator
from scoring.models import Scorer


@dataclass(frozen=True)
class MeasureByReferences:
    """A measure in one version, and its scorer by each choice of references that has scores, truth first."""

    name: str
    scorers: Mapping[str, Scorer]


def measures_by_references(dataset: Dataset) -> list[MeasureByReferences]:
    """Return the measures with scores against the truth and against gold or silver answers too."""
    if not dataset.release:
        return []
    found: dict[tuple[str, str, str], dict[str, Scorer]] = {}
    for scorer in score_queries.scorers(dataset):
        if scorer.study_id is None:
            key = (scorer.metric, scorer.name, scorer.version)
            found.setdefault(key, {})[scorer.references] = scorer
    return [
        MeasureByReferences(
            f"{by_choice['truth'].label} {by_choice['truth'].short}",
            {choice.value: by_choice[choice] for choice in References if choice in by_choice},
        )
        for by_choice in found.values()
        if len(by_choice) > 1 and "truth" in by_choice
    ]


def runs_of(dataset: Dataset) -> list[Run]:
    return sorted(value_matrix.competing_runs(dataset), key=lambda run: run.name)


def means(
    dataset: Dataset, measure: MeasureByReferences, runs: Sequence[Run], beat: Callable[[], None]
) -> dict[str, list[float]]:
    """Return by choice the mean of each run, NaN if it has none, over all turns with a truth.

    Missing answers count as empty. A run whose answers are not all scored has no mean.
    """
    frame = value_matrix.frame(dataset)
    place = {run.pk: at for at, run in enumerate(frame.runs)}
    found: dict[str, list[float]] = {}
    for choice, scorer in measure.scorers.items():
        over = Denominator.ALL_TURNS
        by_run = value_matrix.run_values(frame, scorer, [over], beat)[over]
        found[choice] = [
            nan if by_run[place[run.pk]].n_not_scored else _mean(by_run[place[run.pk]].values)
            for run in runs
        ]
    return found


def _mean(values: Sequence[float]) -> float:
    known = [value for value in values if not isnan(value)]
    return fsum(known) / len(known) if known else nan
