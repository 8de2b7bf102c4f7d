"""The runs' rates as a table for a paper: LaTeX with booktabs, escaped as in `scoring.latex`. Plain Python."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from scoring.latex import escaped

JOINED = " \\\\ "
HEADS = {"plausible": "Plausible", "faithful": "Faithful", "gold": "Gold"}


def table(dataset: str, measures: Mapping[str, Any], replicates: int, *, note: str = "") -> str:
    """A `table` with a row a run: each rate with its interval, below it its counts; ends with a line end.

    `note` ends the caption.
    """
    return "\n".join(_lines(dataset, measures, replicates, note)) + "\n"


def _lines(dataset: str, measures: Mapping[str, Any], replicates: int, note: str) -> Iterator[str]:
    yield "% \\usepackage{booktabs}, \\usepackage[T1]{fontenc}, \\usepackage{textcomp}"
    yield "\\begin{table}"
    yield "\\centering"
    yield (
        f"\\caption{{Rates of the runs on {escaped(dataset)} over what people settled; in brackets"
        f" 95\\,\\% intervals (bootstrap over questions, {replicates} replicates); below them the"
        f" accepted of the settled.{escaped(note and f' {note}')}}}"
    )
    yield f"\\begin{{tabular}}{{l{'r' * len(HEADS)}}}"
    yield "\\toprule"
    yield _row("Run", *HEADS.values())
    yield "\\midrule"
    rates: list[Sequence[Mapping[str, Any]]] = [measures[name]["rates"] for name in HEADS]
    for of_run in zip(*rates, strict=True):
        yield _row(escaped(of_run[0]["run"]), *map(_cell, of_run))
    yield "\\bottomrule"
    yield "\\end{tabular}"
    yield "\\end{table}"


def _cell(rate: Mapping[str, Any]) -> str:
    counts = f"{rate['n_accepted']} of {rate['n_questions']}"
    if rate["value"] is None:
        lines = ["undefined", escaped(rate["reason"])]
    elif rate["interval"]["low"] is None:
        lines = [
            f"{rate['value']:.3f}",
            f"no interval: {escaped(rate['interval']['reason'])}",
            counts,
        ]
    else:
        low, high = rate["interval"]["low"], rate["interval"]["high"]
        lines = [f"{rate['value']:.3f}", f"[{low:.3f}, {high:.3f}]", counts]
    first, *rest = lines
    small = [f"{{\\scriptsize {each}}}" for each in rest]
    return f"\\shortstack[r]{{{JOINED.join([first, *small])}}}"


def _row(*cells: str) -> str:
    return f"{' & '.join(cells)} \\\\"
