"""The lines of every CSV file that the program writes. Imports no Django.

UTF-8 without a byte order mark, a header line, "\\n" after each line. A cell is quoted, as in RFC
4180, exactly if it contains a comma, a quote, "\\n" or "\\r"; a quote inside is doubled. (The module
`csv` of Python 3.11 leaves a lone "\\r" unquoted, which its own reader takes for the end of a line.)

    None, ""        nothing between the commas
    True, False     true, false
    int, float      as Python writes them: 12, 0.1, 1e-07; NaN and infinities raise ValueError
    str             unchanged; `pages.spreadsheet` escapes what a spreadsheet would run

To read the files: answers may be texts such as `NA`, `null` or `1`, and contain line ends. In
Python, `open(path, encoding="utf-8", newline="")` for `csv.DictReader`; in pandas `read_csv(path,
dtype=str, keep_default_na=False, na_filter=False)`, and then turn the columns that are numbers into
numbers. Never read by lines.
"""

import re
from collections.abc import Iterable
from math import isfinite

Cell = str | int | float | None

_TO_QUOTE = re.compile('[,"\r\n]')


def line(cells: Iterable[Cell]) -> str:
    """Return the line. Raises TypeError for a cell of another type, ValueError for no number."""
    return ",".join(map(_cell, cells)) + "\n"


def _cell(value: Cell) -> str:
    if value is None:
        return ""
    if isinstance(value, str):
        return '"' + value.replace('"', '""') + '"' if _TO_QUOTE.search(value) else value
    if isinstance(value, bool):
        return "true" if value else "false"
    return _number(value)


def _number(value: int | float) -> str:
    if isinstance(value, int):
        return str(int(value))
    if not isinstance(value, float):
        raise TypeError(f"a cell is a text, a number, true, false or nothing, not {value!r}")
    if not isfinite(value):
        raise ValueError(f"{value!r} is not a number that a table can hold")
    return repr(float(value))
