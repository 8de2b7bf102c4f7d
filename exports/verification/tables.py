"""The files of a release as they are read, every cell a text. Whatever cannot be read raises UnreadableError."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

Row = dict[str, str]
Rows = list[Row]

LONGEST_CELL = 2**31 - 1


class UnreadableError(ValueError):
    """A file that cannot be read as what it must be; the message says which, where, and what is wrong."""


def read_bytes(folder: Path, name: str) -> bytes:
    try:
        return (folder / name).read_bytes()
    except OSError as error:
        raise UnreadableError(f"{name}: cannot be read: {error.strerror or error}") from error


def read_json(folder: Path, name: str) -> Any:
    return parsed(read_bytes(folder, name), name)


def parsed(contents: bytes, name: str) -> Any:
    try:
        return json.loads(contents.decode("utf-8"), parse_constant=_refuse)
    except (ValueError, RecursionError) as error:
        raise UnreadableError(f"{name}: is not JSON in UTF-8: {error}") from error


def _refuse(constant: str) -> None:
    raise ValueError(f"{constant} is not JSON")


def read_table(folder: Path, name: str) -> Rows:
    """The rows of a table, by column."""
    lines = _lines(folder, name)
    _, header = next(lines, (1, []))
    if not header or len(set(header)) < len(header):
        raise UnreadableError(f"{name}: line 1 is no header: {header}")
    known: dict[str, str] = {}  # a text that many cells have is in memory once
    rows = []
    for number, cells in lines:
        if len(cells) != len(header):
            raise UnreadableError(
                f"{name}: line {number}: {len(cells)} cells, {len(header)} columns"
            )
        rows.append(dict(zip(header, map(known.setdefault, cells, cells))))
    return rows


def read_header(folder: Path, name: str) -> list[str]:
    return next(_lines(folder, name), (1, []))[1]


def _lines(folder: Path, name: str) -> Iterator[tuple[int, list[str]]]:
    csv.field_size_limit(LONGEST_CELL)
    number = 0
    try:
        with (folder / name).open(encoding="utf-8", newline="") as file:
            reader = csv.reader(file, strict=True)
            for cells in reader:
                number = reader.line_num
                yield number, cells
    except OSError as error:
        raise UnreadableError(f"{name}: cannot be read: {error.strerror or error}") from error
    except (csv.Error, UnicodeDecodeError) as error:
        raise UnreadableError(f"{name}: after line {number}: {error}") from error


@cache
def conversation_of(turn: str) -> str:
    """Up to and with the last underscore; all of it where there is none."""
    return turn[: turn.rfind("_") + 1] or turn


def only(rows: Rows, column: str) -> str | None:
    """The one value of a column; None where there are no rows."""
    values = {row[column] for row in rows}
    if len(values) > 1:
        raise ValueError(f"{column} has several values: {sorted(values)[:5]}")
    return next(iter(values), None)


def n_distinct(rows: Rows, *columns: str) -> int:
    return len({tuple(row[column] for column in columns) for row in rows})
