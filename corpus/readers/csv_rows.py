"""The rows of a CSV file with their numbers."""

import csv
from collections.abc import Iterator
from typing import Any

Cells = dict[str | Any, str | None]


def numbered_rows(reader: "csv.DictReader[str]") -> Iterator[tuple[int, Cells]]:
    """Yield the rows below the header, each with its number as a spreadsheet counts: the header is 1, and blank rows,
    which are left out, count.

    A missing cell is None; cells beyond the header are joined under None.
    """
    names = list(reader.fieldnames or ())
    for number, cells in enumerate(reader.reader, start=2):
        if not cells:
            continue
        row: Cells = dict.fromkeys(names)
        row |= dict(zip(names, cells, strict=False))
        if len(cells) > len(names):
            row[None] = ",".join(cells[len(names) :])
        yield number, row
