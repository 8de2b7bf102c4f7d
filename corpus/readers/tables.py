"""Tables of text: the rows of a CSV or TSV file, quoted as RFC 4180, by column name."""

import csv
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

from corpus.problems import Report, json_excerpt

# The csv module stops at 131,072 characters unless told otherwise, for the whole process. What is longer
# than this is a quote that never ends.
LONGEST_CELL = 1 << 24
SEPARATORS = {"\t": "tab", ",": "comma", ";": "semicolon"}


def rows(
    path: Path, report: Report, columns: tuple[str, ...], *, delimiter: str
) -> Iterator[tuple[int, dict[str, str]]]:
    """Yield the rows with their numbers, one held at a time.

    The header is row 1, must have `columns`, and no name twice. Blank lines are skipped but counted. Reading ends
    at the first broken quote: later rows have no certain number. The caller has checked that the
    file is UTF-8.
    """
    csv.field_size_limit(LONGEST_CELL)
    if other := _separated_by_another(path, delimiter, columns):
        why = f"no {SEPARATORS[delimiter]} in the header: is the file separated by {other}s?"
        report.add(why, index=1)
        return
    with path.open(encoding="utf-8-sig", newline="") as file:
        numbered = enumerate(_cells(file, report, delimiter), start=1)
        _, (_, first) = next(numbered, (1, (1, [])))
        header = [name.strip() for name in first]
        if not _has_columns(header, columns, report):
            return
        any_row = False
        for number, (line, cells) in numbered:
            if not cells:
                continue
            any_row = True
            if len(cells) == len(header):
                yield number, dict(zip(header, cells, strict=True))
            else:
                report.add(_other_columns(header, cells, line), index=number)
        if not any_row:
            report.add("there is no row under the header")


def _separated_by_another(path: Path, delimiter: str, columns: tuple[str, ...]) -> str:
    """Return the name of the separator that the header has instead of the delimiter, or ""."""
    with path.open(encoding="utf-8-sig", newline="") as file:
        header = file.readline()
    if delimiter in header:
        return ""
    for mark, name in SEPARATORS.items():
        cells = {cell.strip(' "\r\n') for cell in header.split(mark)}
        if mark in header and not cells.isdisjoint(columns):
            return name
    return ""


def _other_columns(header: list[str], cells: list[str], line: int) -> str:
    """Return what is wrong with a row of another length, with its line in the file and its first cell."""
    first = f", {header[0]} {json_excerpt(cells[0])}" if cells[0].strip() else ""
    return f"has {len(cells)} columns, the header {len(header)}; it begins at line {line}{first}"


def _cells(file: Iterable[str], report: Report, delimiter: str) -> Iterator[tuple[int, list[str]]]:
    """Yield the rows, each with the line of the file at which it begins."""
    reader = csv.reader(file, delimiter=delimiter, strict=True)
    n_rows, line = 0, 1
    try:
        for cells in reader:
            yield line, cells
            n_rows, line = n_rows + 1, reader.line_num + 1
    except csv.Error as error:
        why = "a quote is never closed" if "end of data" in str(error) else str(error)
        report.add(f"is not quoted as RFC 4180: {why}; it begins at line {line}", index=n_rows + 1)


def _has_columns(header: list[str], columns: tuple[str, ...], report: Report) -> bool:
    for column in columns:
        times = header.count(column)
        if times != 1:
            message = "is not in the header" if times == 0 else f"is {times} times in the header"
            report.add(f"column {json_excerpt(column)} {message}", index=1)
    twice = [name for name, n in Counter(header).items() if name and n > 1 and name not in columns]
    for name in twice:
        report.add(
            f"column {json_excerpt(name)} is {header.count(name)} times in the header", index=1
        )
    return not twice and all(header.count(column) == 1 for column in columns)
