"""The table of runs under scorers as it is shown, and its rows for a CSV. Plain Python."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from scoring.figures import Figure, Likeness

BOOTSTRAP = "bootstrap over conversations, 1,000 replicates, percentiles 2.5 and 97.5"


@dataclass(frozen=True, slots=True)
class ShownRun:
    name: str
    kind: str
    team: str
    system: str
    setup: str


@dataclass(frozen=True, slots=True)
class ShownScorer:
    """`label` is what people call the measure, `short` the scorer with a version of a few letters."""

    metric: str
    label: str
    name: str
    version: str
    short: str
    source: str  # computed | imported


@dataclass(frozen=True)
class Shown:
    """Each row has a figure for each scorer, in their order."""

    dataset: str
    denominator: str
    n_clusters: int
    scorers: Sequence[ShownScorer]
    rows: Sequence[tuple[ShownRun, Sequence[Figure]]]


FIGURE_COLUMNS = (
    *("data_set", "denominator", "setup", "run", "kind", "team", "system"),
    *("metric", "scorer", "version", "source", "mean", "low", "high"),
    *("n_turns", "n_not_given", "n_not_scored", "undefined", "interval_undefined", "interval"),
    "n_conversations",
)
LIKENESS_COLUMNS = (
    *("data_set", "denominator", "setup", "metric", "scorer", "version"),
    *("other_metric", "other_scorer", "other_version", "coefficient", "value", "low", "high"),
    *("n_runs", "undefined", "interval_undefined", "interval"),
)


def figure_rows(shown: Shown) -> Iterator[tuple[object, ...]]:
    """A row for each figure, by FIGURE_COLUMNS; what is undefined is empty, with its reason."""
    for run, figures in shown.rows:
        for scorer, figure in zip(shown.scorers, figures, strict=True):
            yield (
                *(shown.dataset, shown.denominator, run.setup, run.name, run.kind),
                *(run.team, run.system),
                *(scorer.metric, scorer.name, scorer.version, scorer.source),
                *(figure.value, figure.low, figure.high),
                *(figure.n_turns, figure.n_not_given, figure.n_not_scored),
                *(figure.reason, figure.interval_reason, BOOTSTRAP, shown.n_clusters),
            )


def likeness_rows(
    dataset: str,
    denominator: str,
    scorers: Mapping[int, ShownScorer],
    likenesses: Sequence[Likeness],
) -> Iterator[tuple[object, ...]]:
    """A row for each coefficient, by LIKENESS_COLUMNS."""
    for each in likenesses:
        one, other = scorers[each.one], scorers[each.other]
        yield (
            *(dataset, denominator, each.setup),
            *(one.metric, one.name, one.version),
            *(other.metric, other.name, other.version),
            *(each.coefficient, each.value, each.low, each.high, each.n_runs),
            *(each.reason, each.interval_reason, BOOTSTRAP),
        )
