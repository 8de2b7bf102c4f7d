"""The table of runs under scorers for a paper, as LaTeX."""

from collections.abc import Iterator
from itertools import groupby

from scoring.figures import Figure
from scoring.presenter import BOOTSTRAP, ScoresTable, TableScorer
from text import latex
from text.latex import escaped, row, stacked


def table(table: ScoresTable) -> str:
    """A LaTeX `table` of the rows in their order, each setup under a heading; ends with a newline."""
    return latex.table(
        _caption(table),
        len(table.scorers),
        _lines(table),
        comments=map(_comment, table.scorers),
    )


def _comment(scorer: TableScorer) -> str:
    line = f"{scorer.label}: {scorer.metric} by {scorer.name}, version {scorer.version}"
    return f"{line} ({scorer.source})"


def _lines(table: ScoresTable) -> Iterator[str]:
    yield row("Run", *(escaped(scorer.label) for scorer in table.scorers))
    yield row("", *(f"{{\\scriptsize {escaped(scorer.short)}}}" for scorer in table.scorers))
    for setup, rows in groupby(table.rows, key=lambda each: each[0].setup):
        yield latex.MIDRULE
        if setup:
            width = len(table.scorers) + 1
            yield f"\\multicolumn{{{width}}}{{l}}{{\\textit{{{escaped(setup)}}}}} \\\\"
        for run, figures in rows:
            yield row(escaped(run.name), *map(_cell, figures))


def _caption(table: ScoresTable) -> str:
    by = "; ".join(f"{escaped(scorer.label)} by {_scorer_name(scorer)}" for scorer in table.scorers)
    return (
        f"Means on {escaped(table.dataset)} ({table.denominator}); in brackets 95\\,\\% intervals"
        f" ({escaped(BOOTSTRAP)}; {table.n_clusters} conversations); below them the turns and how"
        f" many of them were not given. {by}."
    )


def _scorer_name(scorer: TableScorer) -> str:
    return f"{escaped(scorer.short)} ({scorer.source})"


def _cell(figure: Figure) -> str:
    return stacked(_value(figure), *_below(figure))


def _value(figure: Figure) -> str:
    return "undefined" if figure.value is None else f"{figure.value:.3f}"


def _below(figure: Figure) -> Iterator[str]:
    if figure.value is None:
        yield escaped(figure.reason)
    elif figure.low is None or figure.high is None:
        yield f"no interval: {escaped(figure.interval_reason)}"
    else:
        yield f"[{figure.low:.3f}, {figure.high:.3f}]"
    counts = f"{figure.n_turns}, {figure.n_not_given} not given"
    yield counts + (f", {figure.n_not_scored} not scored" if figure.n_not_scored else "")
