"""Tables for papers: LaTeX with booktabs.

Whatever a name holds, the file compiles and prints the name: letters that mean something to TeX are
escaped, and so is what only means something at the beginning of a row ([ and *) or beside its like
(two hyphens are a dash). Letters beyond ASCII are UTF-8, which LaTeX has read since 2018; whether a
font has them is the paper's affair.
"""

import re
from collections.abc import Iterable

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


def one_line(text: str) -> str:
    """Replaces control characters and line ends by spaces, as a comment needs it."""
    return _UNSEEN.sub(" ", text)


def escaped(text: str) -> str:
    """`100%_[a]` gives `100\\%\\_{[}a{]}`; control characters and ends of lines become a space."""
    found = "".join(_SPECIAL.get(letter, letter) for letter in one_line(text))
    return _JOINED.sub(r"\1{}", found)


MIDRULE = "\\midrule"


def table(
    caption: str,
    n_columns: int,
    lines: Iterable[str],
    *,
    comments: Iterable[str] = (),
    environment: str = "table",
) -> str:
    """A `table` with a left column and `n_columns` right-aligned ones; ends with a line end.

    `lines` are its rows and the rules between them.
    """
    return "\n".join(
        [
            "% \\usepackage{booktabs}, \\usepackage[T1]{fontenc}, \\usepackage{textcomp}",
            *(f"% {one_line(comment)}" for comment in comments),
            f"\\begin{{{environment}}}",
            "\\centering",
            f"\\caption{{{caption}}}",
            f"\\begin{{tabular}}{{l{'r' * n_columns}}}",
            "\\toprule",
            *lines,
            "\\bottomrule",
            "\\end{tabular}",
            f"\\end{{{environment}}}",
            "",
        ]
    )


def row(*cells: str) -> str:
    return f"{' & '.join(cells)} \\\\"


def stacked(first: str, *small: str) -> str:
    """A cell of several lines, the first in the table's size."""
    lines = " \\\\ ".join([first, *(f"{{\\scriptsize {each}}}" for each in small)])
    return f"\\shortstack[r]{{{lines}}}"
