"""The results by question for a paper: LaTeX, escaped as in `text.latex`. Imports no Django."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from exports.question_results.figures import BOOTSTRAP, FEW, Results, is_few
from text import latex
from text.latex import escaped, row, stacked

if TYPE_CHECKING:
    from stats.cell_means import CellMean


def table(results: Results) -> str:
    """Return a LaTeX `table`: the last cut makes the columns. It needs the package xcolor too."""
    n_columns = len(results.heads) - 1 + len(results.columns)
    return latex.table(
        _caption(results), n_columns, _lines(results), comments=["\\usepackage{xcolor}"]
    )


def _caption(results: Results) -> str:
    by = f" by {escaped(results.column_cut.lower())}" if results.column_cut else ""
    given = escaped(", ".join(results.evaluators))
    return (
        f"Mean {escaped(results.label)} on {escaped(results.dataset)}{by}, scored by {given}; in brackets"
        f" 95\\,\\% intervals (bootstrap over {results.n_clusters} {results.cluster}s, {BOOTSTRAP.replicates} replicates),"
        f" and the number of answers. Grey: fewer than {FEW} answers. A dash: no score."
    )


def _lines(results: Results) -> Iterator[str]:
    yield row(*map(escaped, (*results.heads, *results.columns)))
    yield latex.MIDRULE
    for names, means in results.rows():
        yield row(*map(escaped, names), *map(_cell, means))


def _cell(mean: "CellMean | None") -> str:
    if mean is None:
        return "--"
    low, high = mean.interval.low, mean.interval.high
    ends = [] if low is None or high is None else [f"{{[}}{low:.3f}, {high:.3f}{{]}}"]
    cell = stacked(f"{mean.value:.3f}", *ends, f"n {mean.n}")
    return f"\\textcolor{{gray}}{{{cell}}}" if is_few(mean) else cell
