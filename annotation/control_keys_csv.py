"""Control items from a CSV file of answers with known labels: all of it, or every problem in it.

    turn,answer,label,explanation
    12_3,The keeper's guild.,plausible,The guild built it.

`turn` names a question of the data set as its tables do; `explanation` may be empty. Other columns are not looked at.
A question stands in one row only: a person is handed one control item of each. Wrong: a label that the scheme lacks.
"""

import csv
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from corpus.problems import Report, json_excerpt
from corpus.readers import encoding
from corpus.readers.csv_rows import numbered_rows

COLUMNS = ("turn", "answer", "label", "explanation")
LONGEST_EXPLANATION = 1_000


@dataclass(frozen=True)
class KeyRow:
    """One row: `number` as a spreadsheet counts it, the header being 1."""

    number: int
    turn: str
    answer: str
    label: str
    explanation: str


def read(path: Path, labels: Collection[str], report: Report) -> list[KeyRow]:
    """Return the valid rows of the file. Errors are added to the report, with row and column."""
    if not encoding.is_utf8(path, report):
        return []
    with path.open(encoding="utf-8-sig", newline="") as file:
        try:
            return list(_rows(csv.DictReader(file, strict=True), labels, report))
        except csv.Error as error:
            report.add(f"the file is no CSV: {error}")
            return []


def _rows(
    reader: "csv.DictReader[str]", labels: Collection[str], report: Report
) -> Iterator[KeyRow]:
    missing = [name for name in COLUMNS if name not in (reader.fieldnames or ())]
    if missing:
        report.add(f"the header lacks {', '.join(missing)}", index=1)
        return
    seen: dict[str, int] = {}
    for number, cells in numbered_rows(reader):
        if None in cells:  # which would be cut off
            report.add("has more cells than the header", index=number)
            continue
        row = _row(number, cells, labels, report)
        if row is None:
            continue
        if row.turn in seen:
            where = f"stands in row {seen[row.turn]} already"
            report.add(where, index=number, field="turn", value=json_excerpt(row.turn))
            continue
        seen[row.turn] = number
        yield row
    if not seen and not report.problems:
        report.add("there is no row below the header")


def _explanation_problem(explanation: str) -> str:
    if "\0" in explanation:
        return "holds a NUL character"
    too_long = len(explanation) > LONGEST_EXPLANATION
    return f"has more than {LONGEST_EXPLANATION} characters" if too_long else ""


def _row(
    number: int, cells: Mapping[str, str | None], labels: Collection[str], report: Report
) -> KeyRow | None:
    turn, answer, label, explanation = ((cells[name] or "").strip() for name in COLUMNS)
    problems = {
        "turn": "" if turn else "is empty",
        "answer": "is empty" if not answer else "holds a NUL character" if "\0" in answer else "",
        "label": "" if label in labels else f"is none of {', '.join(labels)}",
        "explanation": _explanation_problem(explanation),
    }
    for field, problem in problems.items():
        if problem:
            value = json_excerpt(label) if field == "label" else ""
            report.add(problem, index=number, field=field, value=value)
    return None if any(problems.values()) else KeyRow(number, turn, answer, label, explanation)
