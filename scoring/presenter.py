"""The table of runs and scorers for display, and its rows for CSV."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from pages.csv_lines import Cell
from scoring.figures import Figure, ScorerCorrelation

BOOTSTRAP = "bootstrap over conversations, 1,000 replicates, percentiles 2.5 and 97.5"


@dataclass(frozen=True, slots=True)
class TableRun:
    name: str
    kind: str
    team: str
    system: str
    setup: str


@dataclass(frozen=True, slots=True)
class TableScorer:
    """`label` is the measure's name for people, `short` the scorer with a shortened version."""

    metric: str
    label: str
    name: str
    version: str
    short: str
    source: str  # computed | imported


@dataclass(frozen=True)
class ScoresTable:
    """The rows of the table, each with a figure for each scorer, in their order."""

    dataset: str
    denominator: str
    n_clusters: int
    scorers: Sequence[TableScorer]
    rows: Sequence[tuple[TableRun, Sequence[Figure]]]


FIGURE_COLUMNS = (
    *("data_set", "denominator", "setup", "run", "kind", "team", "system"),
    *("metric", "scorer", "version", "source", "mean", "low", "high"),
    *("n_turns", "n_not_given", "n_not_scored", "undefined", "interval_undefined", "interval"),
    "n_conversations",
)
CORRELATION_COLUMNS = (
    *("data_set", "denominator", "setup", "metric", "scorer", "version"),
    *("other_metric", "other_scorer", "other_version", "coefficient", "value"),
    *("n_runs", "undefined"),
)


def figure_rows(table: ScoresTable) -> Iterator[tuple[Cell, ...]]:
    """A row for each figure, by FIGURE_COLUMNS; an undefined value is empty, with its reason."""
    for run, figures in table.rows:
        for scorer, figure in zip(table.scorers, figures, strict=True):
            yield (
                *(table.dataset, table.denominator, run.setup, run.name, run.kind),
                *(run.team, run.system),
                *(scorer.metric, scorer.name, scorer.version, scorer.source),
                *(figure.value, figure.low, figure.high),
                *(figure.n_turns, figure.n_not_given, figure.n_not_scored),
                *(figure.reason, figure.interval_reason, BOOTSTRAP, table.n_clusters),
            )


def correlation_rows(
    dataset: str,
    denominator: str,
    scorers: Mapping[int, TableScorer],
    correlations: Sequence[ScorerCorrelation],
) -> Iterator[tuple[Cell, ...]]:
    """A row for each coefficient, by CORRELATION_COLUMNS."""
    for correlation in correlations:
        one, other = scorers[correlation.one], scorers[correlation.other]
        yield (
            *(dataset, denominator, correlation.setup),
            *(one.metric, one.name, one.version),
            *(other.metric, other.name, other.version),
            *(correlation.coefficient, correlation.value, correlation.n_runs, correlation.reason),
        )
