"""CSV that pages offer: what a spreadsheet would run is escaped.

The files of a release are not escaped: they are data.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import fields
from operator import attrgetter
from typing import Any, TypeVar

from django.http import StreamingHttpResponse

from pages.csv_lines import Cell, line

# What a spreadsheet would run as a formula.
FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n")

Row = TypeVar("Row")
Columns = Mapping[str, Callable[[Row], Cell]]


def cell(value: Cell) -> Cell:
    """Return the value; a text that a spreadsheet would execute begins with a quote."""
    return f"'{value}" if isinstance(value, str) and value.startswith(FORMULA) else value


def lines(header: Sequence[str], rows: Iterable[Sequence[Cell]]) -> Iterator[str]:
    """Return the lines of the file, with the header also if there are no rows."""
    yield line(header)
    for row in rows:
        yield line(cell(value) for value in row)


def download(
    name: str, header: Sequence[str], rows: Iterable[Sequence[Cell]]
) -> StreamingHttpResponse:
    """Return the rows as a file, streamed one at a time. `name` is ASCII."""
    return StreamingHttpResponse(
        lines(header, rows),
        content_type="text/csv; charset=utf-8",
        headers={"Content-Disposition": f'attachment; filename="{name}"'},
    )


def download_table(name: str, columns: Columns[Row], rows: Iterable[Row]) -> StreamingHttpResponse:
    """Return the rows as a file: `columns` has each column's name and its value in a row."""
    cells = ([value(row) for value in columns.values()] for row in rows)
    return download(name, list(columns), cells)


def columns_of(row_type: type[Any]) -> Columns[Any]:
    """Return the fields of a dataclass as columns."""
    return {field.name: attrgetter(field.name) for field in fields(row_type)}
