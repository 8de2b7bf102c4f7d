"""CSV tables of a release, as `pages.csv_lines` writes them: nothing is escaped for spreadsheets.

Rows are written in their order, columns in the order of the fields. The same rows give the same
bytes; `=cmd` stays `=cmd`.
"""

import csv
import io
from collections.abc import Iterable, Iterator
from dataclasses import fields
from pathlib import Path
from typing import Any

from pages.csv_lines import line

# A text may be of any length. The csv module stops at 131,072 characters unless told otherwise, for the whole process.
LONGEST_CELL = 2**31 - 1


def lines(row_type: type[Any], rows: Iterable[Any]) -> Iterator[str]:
    """The lines of the file, with the header also if there are no rows.

    `row_type` is a dataclass whose fields are the columns, two or more: a single empty cell would
    be a blank line, which readers skip. Raises TypeError for a row of another type.
    """
    columns = [field.name for field in fields(row_type)]
    yield line(columns)
    for row in rows:
        if type(row) is not row_type:
            raise TypeError(f"a row of a {row_type.__name__} table is a {type(row).__name__}")
        yield line(getattr(row, column) for column in columns)


def contents(row_type: type[Any], rows: Iterable[Any]) -> bytes:
    return "".join(lines(row_type, rows)).encode("utf-8")


def rows(contents: bytes) -> Iterator[dict[str, str]]:
    """Yield the rows of a file by column, every cell a text.

    Raises ValueError, which names the line, where it is no UTF-8 or no table.
    """
    csv.field_size_limit(LONGEST_CELL)
    lines = csv.reader(io.StringIO(contents.decode("utf-8"), newline=""), strict=True)
    try:
        header = next(lines, [])
        for cells in lines:
            if len(cells) != len(header):
                raise ValueError(
                    f"line {lines.line_num}: {len(cells)} cells, {len(header)} columns"
                )
            yield dict(zip(header, cells, strict=True))
    except csv.Error as error:
        raise ValueError(f"line {lines.line_num}: {error}") from error


def write(path: Path, row_type: type[Any], rows: Iterable[Any]) -> None:
    path.write_bytes(contents(row_type, rows))
