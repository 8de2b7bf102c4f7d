"""The table of a data set's runs as CSV: downloaded, edited, and read back."""

import csv
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from corpus.actions import run_descriptions
from corpus.actions.run_descriptions import FIELDS, Change
from corpus.models import Dataset, Run
from corpus.problems import Report, json_excerpt
from corpus.readers import tables
from corpus.readers.encoding import is_utf8
from pages import spreadsheet

# `run` says which run, `new_name` what to call it; an empty one leaves its name.
COLUMNS = ("run", "new_name", "team", "system", "setup", "kind")
COLUMN_OF = {"name": "new_name"}
UNIT = "row"


@dataclass(frozen=True)
class ReadTable:
    """The wanted values by run, and what they would change."""

    wanted: dict[int, dict[str, str]]
    changes: tuple[Change, ...]


def runs(dataset: Dataset) -> list[Run]:
    """Return the runs that can be described, withdrawn ones too, by name."""
    return list(dataset.runs.competing().order_by("name"))


def rows(dataset: Dataset) -> Iterator[list[str]]:
    """Yield a row for each run, without new names."""
    for run in runs(dataset):
        yield [run.name, "", run.team, run.system, run.setup, run.kind]


def read(path: Path, dataset: Dataset) -> ReadTable:
    """Return what the table wants. Cells are read as `pages.spreadsheet` escapes them.

    A column that is left out changes nothing, and neither does a run that is. Raises ImportProblems
    with every problem, also of values that a run cannot have.
    """
    report = Report(path.name, UNIT)
    wanted: dict[int, dict[str, str]] = {}
    row_of: dict[int, int] = {}
    if is_utf8(path, report):
        by_cell = _runs_by_cell(dataset)
        for number, cells in tables.rows(path, report, _columns(path, report), delimiter=","):
            run = _run(by_cell, cells["run"].strip(), row_of, number, report)
            if run is not None:
                row_of[run.pk] = number
                wanted[run.pk] = _values(run, cells)
    plan = run_descriptions.plan(dataset=dataset, wanted=wanted)
    for flaw in plan.flaws:
        column = COLUMN_OF.get(flaw.field, flaw.field)
        report.add(run_descriptions.in_words(flaw), index=row_of.get(flaw.run), field=column)
    report.finish()
    return ReadTable(wanted, plan.changes)


def _columns(path: Path, report: Report) -> tuple[str, ...]:
    """Return the known columns of the header; report the others."""
    with path.open(encoding="utf-8-sig", newline="") as file:
        try:
            header = [name.strip() for name in next(csv.reader(file), [])]
        except csv.Error:  # reported where the rows are read
            return ("run",)
    known = tuple(name for name in COLUMNS if name in header)
    if len(header) > 1:  # else it may be separated by another mark, which is reported
        for name in header:
            if name not in COLUMNS:
                message = f"is no column of this table ({', '.join(COLUMNS)})"
                report.add(message, index=1, value=json_excerpt(name))
    return ("run", *known) if "run" not in known else known


def _runs_by_cell(dataset: Dataset) -> dict[str, Run]:
    """Return the runs by name, and by name as a spreadsheet was given it."""
    found = {str(spreadsheet.cell(run.name)): run for run in runs(dataset)}
    return found | {run.name: run for run in found.values()}


def _run(
    by_cell: Mapping[str, Run], name: str, row_of: Mapping[int, int], number: int, report: Report
) -> Run | None:
    """Return the run of a row; None, with a problem, if there is none or it is there twice."""
    run = by_cell.get(name)
    if run is None:
        message = "is no run of the data set" if name else "names no run"
        value = json_excerpt(name) if name else ""
    elif run.pk in row_of:
        message, value = f"is in row {row_of[run.pk]} already", json_excerpt(name)
    else:
        return run
    report.add(message, index=number, field="run", value=value)
    return None


def _values(run: Run, cells: Mapping[str, str]) -> dict[str, str]:
    """Return the values of the columns that the table has; without a new name the run keeps its own."""
    columns = {field: COLUMN_OF.get(field, field) for field in FIELDS}
    found = {
        field: _value(cells[column], getattr(run, field))
        for field, column in columns.items()
        if column in cells
    }
    return {field: text for field, text in found.items() if text or field != "name"}


def _value(cell: str, current: str) -> str:
    """Return the text of a cell; the quote that keeps a spreadsheet from running it is no part of it."""
    text = cell.strip()
    if text == str(spreadsheet.cell(current)):
        return current
    unquoted = text.removeprefix("'")
    return unquoted if str(spreadsheet.cell(unquoted)) == text else text
