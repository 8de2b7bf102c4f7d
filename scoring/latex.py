"""The table of runs under scorers for a paper: LaTeX with booktabs. Plain Python.

Whatever a name holds, the file compiles and prints the name: letters that mean something to TeX are
escaped, and so is what only means something at the beginning of a row ([ and *) or beside its like
(two hyphens are a dash). Letters beyond ASCII are UTF-8, which LaTeX has read since 2018; whether a
font has them is the paper's affair.
"""

import re
from collections.abc import Iterator
from itertools import groupby

from scoring.figures import Figure
from scoring.presenter import BOOTSTRAP, Shown, ShownScorer

_SPECIAL = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': r"\textquotedbl{}",
    "'": r"\textquotesingle{}",
    "`": r"\textasciigrave{}",
    "[": "{[}",
    "]": "{]}",
    "*": "{*}",
    **{letter: f"\\{letter}" for letter in "&%$#_"},
}
_JOINED = re.compile(r"([-,])(?=\1)")
_UNSEEN = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]+")


def escaped(text: str) -> str:
    """`100%_[a]` gives `100\\%\\_{[}a{]}`; control characters and ends of lines become a space."""
    found = "".join(_SPECIAL.get(letter, letter) for letter in _UNSEEN.sub(" ", text))
    return _JOINED.sub(r"\1{}", found)


def table(shown: Shown) -> str:
    """A `table` of the rows as they are shown, each setup under a heading; ends with a line end."""
    return "\n".join(_lines(shown)) + "\n"


def _lines(shown: Shown) -> Iterator[str]:
    yield "% \\usepackage{booktabs}, \\usepackage[T1]{fontenc}, \\usepackage{textcomp}"
    for scorer in shown.scorers:
        said = f"{scorer.label}: {scorer.metric} by {scorer.name}, version {scorer.version}"
        yield f"% {_UNSEEN.sub(' ', said)} ({scorer.source})"
    yield "\\begin{table}"
    yield "\\centering"
    yield f"\\caption{{{_caption(shown)}}}"
    yield f"\\begin{{tabular}}{{l{'r' * len(shown.scorers)}}}"
    yield "\\toprule"
    yield _row("Run", *(escaped(scorer.label) for scorer in shown.scorers))
    yield _row("", *(f"{{\\scriptsize {escaped(scorer.short)}}}" for scorer in shown.scorers))
    for setup, rows in groupby(shown.rows, key=lambda row: row[0].setup):
        yield "\\midrule"
        if setup:
            width = len(shown.scorers) + 1
            yield f"\\multicolumn{{{width}}}{{l}}{{\\textit{{{escaped(setup)}}}}} \\\\"
        for run, figures in rows:
            yield _row(escaped(run.name), *map(_cell, figures))
    yield "\\bottomrule"
    yield "\\end{tabular}"
    yield "\\end{table}"


def _caption(shown: Shown) -> str:
    by = "; ".join(f"{escaped(each.label)} by {_called(each)}" for each in shown.scorers)
    return (
        f"Means on {escaped(shown.dataset)} ({shown.denominator}); in brackets 95\\,\\% intervals"
        f" ({escaped(BOOTSTRAP)}; {shown.n_clusters} conversations); below them the turns and how"
        f" many of them were not given. {by}."
    )


def _called(scorer: ShownScorer) -> str:
    return f"{escaped(scorer.short)} ({scorer.source})"


def _row(*cells: str) -> str:
    return f"{' & '.join(cells)} \\\\"


def _cell(figure: Figure) -> str:
    lines = [_value(figure), *(f"{{\\scriptsize {each}}}" for each in _below(figure))]
    stacked = " \\\\ ".join(lines)
    return f"\\shortstack[r]{{{stacked}}}"


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
