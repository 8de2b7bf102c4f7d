"""Items to reserve for a person: from a CSV file, or as lines of text; all of them, or every problem.

    item                                          turn
    5f0c6f0e-6f0a-4d1c-9a3f-0d6f9b7c2a10          12_3

The column `item` has ids of items, as items.csv and the page of a batch show them; `turn` names questions, of which all
items of the batch are meant. A file has one of the two columns; others are not looked at. Lines of text have either.
Wrong: an id or a question that stands there twice.
"""

import csv
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from uuid import UUID

from corpus.problems import Report, json_excerpt
from corpus.readers import encoding
from corpus.readers.csv_rows import numbered_rows

ITEM, TURN = "item", "turn"
# A whole batch, and more.
MOST_ROWS = 200_000


@dataclass(frozen=True)
class Named:
    """An item by its id, or a question; `number` is its row or line."""

    number: int
    field: str
    value: str


def read(path: Path, report: Report) -> list[Named]:
    """Return the rows of the file. Problems are added to the report, with row and column."""
    if not encoding.is_utf8(path, report):
        return []
    with path.open(encoding="utf-8-sig", newline="") as file:
        try:
            return list(_distinct(_rows(csv.DictReader(file, strict=True), report), report))
        except csv.Error as error:
            report.add(f"the file is no CSV: {error}")
            return []


def read_lines(text: str, report: Report) -> list[Named]:
    """Return the items and questions of a text with one a line; empty lines are left out."""
    lines = enumerate(text.splitlines(), start=1)
    rows = [_line(number, line.strip()) for number, line in lines if line.strip()]
    if not rows:
        report.add("no item and no question is named")
    return list(_distinct(rows, report))


def of_values(items: Iterable[str], turns: Iterable[str], report: Report) -> list[Named]:
    """Return the items and questions of two lists; each is counted from 1."""
    rows = [Named(number, ITEM, value) for number, value in enumerate(items, start=1)]
    rows += [Named(number, TURN, value) for number, value in enumerate(turns, start=1)]
    return list(_distinct(rows, report))


def _line(number: int, value: str) -> Named:
    return Named(number, ITEM if as_uuid(value) else TURN, value)


def as_uuid(value: str) -> UUID | None:
    """Return the id that the text is; None if it is none."""
    try:
        return UUID(value)
    except ValueError:
        return None


def _rows(reader: "csv.DictReader[str]", report: Report) -> Iterator[Named]:
    found = [name for name in (ITEM, TURN) if name in (reader.fieldnames or ())]
    if len(found) != 1:
        report.add(f"the header has to have one of the columns {ITEM} and {TURN}", index=1)
        return
    is_empty = True
    for number, cells in numbered_rows(reader):
        is_empty = False
        if number > MOST_ROWS:
            report.add(f"the file has more than {MOST_ROWS:,} rows")
            return
        value = (cells[found[0]] or "").strip()
        if value:
            yield Named(number, found[0], value)
        else:
            report.add("is empty", index=number, field=found[0])
    if is_empty:
        report.add("there is no row below the header")


def _distinct(rows: Iterable[Named], report: Report) -> Iterator[Named]:
    seen: dict[tuple[str, str], int] = {}
    for row in rows:
        key = row.field, row.value
        if key in seen:
            problem = f"stands in {report.unit} {seen[key]} already"
            report.add(problem, index=row.number, field=row.field, value=json_excerpt(row.value))
            continue
        seen[key] = row.number
        yield row
