"""CSV tables of a release: UTF-8 without BOM, a header line, "\\n" after each line.

A cell is quoted, as in RFC 4180, exactly if it contains a comma, a quote, "\\n" or "\\r"; a quote
inside is doubled. (The module `csv` of Python 3.11 leaves a lone "\\r" unquoted, which its own
reader takes for the end of a line; hence this module.)

    None, ""        nothing between the commas
    True, False     true, false
    int, float      as Python writes them: 12, 0.1, 1e-07; NaN and infinities raise ValueError
    str             unchanged: nothing is escaped for spreadsheets, `=cmd` stays `=cmd`

Rows are written in their order, columns in the order of the fields. The same rows give the same
bytes.

To read the files: answers may be texts such as `NA`, `null` or `1`, and contain line ends. In
Python, `open(path, encoding="utf-8", newline="")` for `csv.DictReader`; in pandas `read_csv(path,
dtype=str, keep_default_na=False, na_filter=False)`, and then turn the columns that are numbers into
numbers. Never read by lines.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import fields
from math import isfinite
from pathlib import Path
from typing import Any

Cell = str | int | float | None

_TO_QUOTE = re.compile('[,"\r\n]')


def lines(row_type: type[Any], rows: Iterable[Any]) -> Iterator[str]:
    """The lines of the file, with the header also if there are no rows.

    `row_type` is a dataclass whose fields are the columns, two or more: a single empty cell would
    be a blank line, which readers skip. Raises TypeError for a row of another type.
    """
    columns = [field.name for field in fields(row_type)]
    yield _line(columns)
    for row in rows:
        if type(row) is not row_type:
            raise TypeError(f"a row of a {row_type.__name__} table is a {type(row).__name__}")
        yield _line(getattr(row, column) for column in columns)


def contents(row_type: type[Any], rows: Iterable[Any]) -> bytes:
    return "".join(lines(row_type, rows)).encode("utf-8")


def write(path: Path, row_type: type[Any], rows: Iterable[Any]) -> None:
    path.write_bytes(contents(row_type, rows))


def _line(cells: Iterable[Cell]) -> str:
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
