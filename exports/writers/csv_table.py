"""CSV tables of a release, as `pages.csv_lines` writes them: nothing is escaped for spreadsheets.

Rows are written in their order, columns in the order of the fields. The same rows give the same
bytes; `=cmd` stays `=cmd`.
"""

from collections.abc import Iterable, Iterator
from dataclasses import fields
from pathlib import Path
from typing import Any

from pages.csv_lines import line


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


def write(path: Path, row_type: type[Any], rows: Iterable[Any]) -> None:
    path.write_bytes(contents(row_type, rows))
