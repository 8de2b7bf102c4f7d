"""Tables for papers: LaTeX with booktabs.

Whatever a name contains, the file compiles and prints the name: characters with a meaning in TeX
are escaped, and so are those with a meaning only at the beginning of a row ([ and *) or next to
another (two hyphens are a dash). Characters beyond ASCII are UTF-8, which LaTeX reads since 2018;
the paper's font must have them.
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
    """Replace control characters and line ends by spaces, as a comment needs it."""
    return _UNSEEN.sub(" ", text)


def escaped(text: str) -> str:
    r"""Return the text for LaTeX; control characters and line ends become a space.

    `100%_[a]` becomes `100\%\_{[}a{]}`.
    """
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
    """Return a `table` with a left column and `n_columns` right-aligned ones; ends with a newline.

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
    """Return a cell of several lines, the first in the table's size."""
    lines = " \\\\ ".join([first, *(f"{{\\scriptsize {each}}}" for each in small)])
    return f"\\shortstack[r]{{{lines}}}"
