"""The means of the scores in each cell, and the table that shows them. Imports no Django."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from corpus.digests import natural
from exports.question_results.cuts import CUTS, Choice, CutError
from pages.csv_lines import Cell
from stats.bootstrap_settings import Bootstrap

if TYPE_CHECKING:  # it needs numpy, which a page loads only where it counts
    from stats.cell_means import CellMean

Key = tuple[str, ...]
BOOTSTRAP = Bootstrap(replicates=1_000, seed=0)
MOST_CELLS = 2_000
# A mean of fewer values is printed grey.
FEW = 10
NOT_GIVEN = "not given"
CSV_NUMBERS = ("n", "mean", "low", "high", "interval_undefined", "n_clusters", "cluster", "is_few")


@dataclass(frozen=True)
class Scored:
    """The values, each with its cell and its cluster.

    n_not_scored  the answers that lack a score, of one evaluator or more
    cluster       what a cluster is: document, conversation
    """

    cells: Sequence[Key]
    clusters: Sequence[str]
    values: Sequence[float]
    n_not_scored: int
    cluster: str


@dataclass(frozen=True)
class Results:
    """The means by cell, and the parts of the cells' names in the order of the table.

    `label` is the measure's name for people, `evaluators` are those whose scores are in it, `cluster` is what is drawn
    together for the intervals.
    """

    dataset: str
    choice: Choice
    label: str
    evaluators: Sequence[str]
    cells: "Mapping[Key, CellMean]"
    n_values: int
    cluster: str
    n_clusters: int
    n_not_scored: int

    @property
    def heads(self) -> list[str]:
        """Return the heads of the columns that name a row."""
        return [CUTS[cut] for cut in self._row_cuts]

    @property
    def columns(self) -> list[str]:
        """Return the names of the columns of means."""
        if not self._is_crossed:
            return ["Mean"]
        return [value or NOT_GIVEN for value in self._last_values]

    @property
    def column_cut(self) -> str:
        """Return what the columns of means are; "" if there is only one."""
        return CUTS[self.choice.by[-1]] if self._is_crossed else ""

    def rows(self) -> "Iterator[tuple[list[str], list[CellMean | None]]]":
        """Yield each row: the parts of its name, and its means, None in an empty cell."""
        row_keys = sorted({key[: len(self._row_cuts)] for key in self.cells}, key=_order)
        for row in row_keys:
            ends = [(value,) for value in self._last_values] if self._is_crossed else [()]
            yield [part or NOT_GIVEN for part in row], [self.cells.get((*row, *e)) for e in ends]

    @property
    def _is_crossed(self) -> bool:
        return len(self.choice.by) > 1

    @property
    def _row_cuts(self) -> tuple[str, ...]:
        return self.choice.by[:-1] if self._is_crossed else self.choice.by

    @property
    def _last_values(self) -> list[str]:
        return [value for (value,) in sorted({key[-1:] for key in self.cells}, key=_order)]

    def names(self) -> list[Key]:
        """Return the cells that have a value, in the order of the table."""
        return sorted(self.cells, key=_order)

    @property
    def csv_columns(self) -> tuple[str, ...]:
        return ("data_set", "measure", "evaluators", *self.choice.by, *CSV_NUMBERS)

    def csv_rows(self) -> Iterator[tuple[Cell, ...]]:
        """Yield a row for each cell that has a value, not rounded."""
        about = (self.dataset, self.choice.measure, "|".join(self.evaluators))
        for key in self.names():
            mean = self.cells[key]
            low, high, why = mean.interval.low, mean.interval.high, mean.interval.reason
            numbers = (mean.n, mean.value, low, high, why, mean.n_clusters)
            yield (*about, *key, *numbers, self.cluster, is_few(mean))


def is_few(mean: "CellMean") -> bool:
    return mean.n < FEW


def _order(key: Key) -> list[tuple[bool, list[tuple[str, int]]]]:
    """Sort numbers in names as numbers, and what is not given last."""
    return [(not part, natural(part)) for part in key]


def results(
    dataset: str, choice: Choice, label: str, evaluators: Sequence[str], scored: Scored
) -> Results:
    """Return the means. Raises CutError if there are too many cells, or no scores."""
    from stats.cell_means import cell_means  # noqa: PLC0415  numpy

    n_cells = len(set(scored.cells))
    if n_cells > MOST_CELLS:
        raise CutError(f"these cuts make {n_cells:,} cells, more than {MOST_CELLS:,}: cut by less")
    if not n_cells:
        raise CutError(f"no answer of a run that counts has a score of {label}")
    means = cell_means(
        scored.cells,
        scored.clusters,
        scored.values,
        replicates=BOOTSTRAP.replicates,
        seed=BOOTSTRAP.seed,
        cluster=scored.cluster,
    )
    return Results(
        dataset=dataset,
        choice=choice,
        label=label,
        evaluators=evaluators,
        cells=means,
        n_values=len(scored.values),
        cluster=scored.cluster,
        n_clusters=len(set(scored.clusters)),
        n_not_scored=scored.n_not_scored,
    )
