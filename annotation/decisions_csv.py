"""A table of decisions on work, read from a CSV file: all of it, or every problem in it.

    assignment_id,paid,paid_reason,counted,counted_reason
    6f0c…,yes,in good faith,no,random answer: one key throughout

`paid` and `counted` are yes or no (or true and false, as in a release's judgements.csv); a reason is a code
of annotation.review_reasons that fits, with words behind a colon where there is more to say, or `other:` and words.
Other columns are not looked at. An assignment stands in one row only. Right: `no,random answer`. Wrong:
`yes,random answer` (no reason for counted), `no,` (no reason), `no,sleepy` (on no list).
"""

import csv
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from uuid import UUID

from annotation import review_reasons
from annotation.review_reasons import COUNTED, PAID, ReasonList
from corpus.problems import Report, json_excerpt
from corpus.readers import encoding
from corpus.readers.csv_rows import numbered_rows

COLUMNS = ("assignment_id", "paid", "paid_reason", "counted", "counted_reason")
ANSWERS = {"yes": True, "no": False, "true": True, "false": False}


@dataclass(frozen=True)
class Row:
    """One row: `number` as a spreadsheet counts it, the header being 1."""

    number: int
    assignment: UUID
    is_paid: bool
    paid_code: str
    paid_reason: str
    is_counted: bool
    counted_code: str
    counted_reason: str


def read(path: Path, report: Report) -> list[Row]:
    """Return the valid rows of the file. Errors are added to the report, with row and column."""
    if not encoding.is_utf8(path, report):
        return []
    with path.open(encoding="utf-8-sig", newline="") as file:
        try:
            return list(_rows(csv.DictReader(file, strict=True), report))
        except csv.Error as error:
            report.add(f"the file is no CSV: {error}")
            return []


def _rows(reader: "csv.DictReader[str]", report: Report) -> Iterator[Row]:
    missing = [name for name in COLUMNS if name not in (reader.fieldnames or ())]
    if missing:
        report.add(f"the header lacks {', '.join(missing)}", index=1)
        return
    seen: dict[UUID, int] = {}
    for number, cells in numbered_rows(reader):
        row = _row(number, cells, report)
        if row is None:
            continue
        if row.assignment in seen:
            where = f"stands in row {seen[row.assignment]} already"
            report.add(where, index=number, field="assignment_id", value=str(row.assignment))
            continue
        seen[row.assignment] = number
        yield row
    if not seen and not report.problems:
        report.add("there is no row below the header")


def _row(number: int, cells: Mapping[str, str | None], report: Report) -> Row | None:
    assignment = _assignment(number, cells["assignment_id"] or "", report)
    paid = _decision(number, cells, PAID, report)
    counted = _decision(number, cells, COUNTED, report)
    if assignment is None or paid is None or counted is None:
        return None
    return Row(number, assignment, *paid, *counted)


def _assignment(number: int, text: str, report: Report) -> UUID | None:
    try:
        return UUID(text.strip())
    except ValueError:
        report.add("is not an id", index=number, field="assignment_id", value=json_excerpt(text))
        return None


def _decision(
    number: int, cells: Mapping[str, str | None], reasons: ReasonList, report: Report
) -> tuple[bool, str, str] | None:
    said = (cells[reasons.what] or "").strip().lower()
    if said not in ANSWERS:
        report.add("is not yes or no", index=number, field=reasons.what, value=json_excerpt(said))
        return None
    outcome, column = ANSWERS[said], f"{reasons.what}_reason"
    text = (cells[column] or "").strip()
    code, _, words = (part.strip() for part in text.partition(":"))
    if not code:
        report.add("there is no reason", index=number, field=column)
        return None
    try:
        review_reasons.require_fits(code, words, reasons, outcome)
    except review_reasons.ReasonError as error:
        report.add(_told(str(error)), index=number, field=column)
        return None
    return outcome, code, words


def _told(error: str) -> str:
    """Return the error; if words were written without a code, with what to write instead."""
    is_unknown = "is no reason of the list" in error
    return f"{error}; write other: and your words" if is_unknown else error
