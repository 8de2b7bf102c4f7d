"""The columns of a release's tables, as its columns.md has them."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from pathlib import Path

from exports.verification.findings import Findings, Problem
from exports.verification.tables import Rows, UnreadableError, read_bytes

# What a column holds, by column and table.
Columns = Mapping[str, Mapping[str, str]]
HEADING = re.compile(r"^## ([\w.-]+\.csv)$")
ENTRY = re.compile(r"^- `(\w+)` \(([a-z ]+)\): ")
NUMBER = re.compile(r"-?(0|[1-9][0-9]*)(\.[0-9]+)?(e[+-]?[0-9]+)?")
OPTIONAL = " or nothing"
WHOLE = re.compile(r"-?(0|[1-9][0-9]*)")
TYPES: Mapping[str, Callable[[str], object]] = {
    "whole number": WHOLE.fullmatch,
    "number": NUMBER.fullmatch,
    "true or false": lambda cell: cell in ("true", "false"),
}


def columns_of(folder: Path) -> Columns:
    found: dict[str, dict[str, str]] = {}
    table: dict[str, str] = {}
    for line in read_bytes(folder, "columns.md").decode("utf-8", "replace").splitlines():
        if heading := HEADING.match(line):
            table = found.setdefault(heading[1], {})
        elif entry := ENTRY.match(line):
            table[entry[1]] = entry[2]
    if not found:
        raise UnreadableError("columns.md: describes no table")
    return found


def check_columns(
    name: str, header: list[str], rows: Rows, columns: Columns, findings: Findings
) -> None:
    """That a table has its columns in their order, and in each what it holds."""
    expected = columns.get(name, {})
    if header != list(expected):
        findings.problems.append(Problem(f"{name} (its columns)", list(expected), header))
        return
    for column, kind in expected.items():
        what = kind.replace(OPTIONAL, "")
        if what in TYPES:
            _check_cells_of(name, column, rows, what, kind, findings)


def _check_cells_of(
    name: str, column: str, rows: Rows, what: str, kind: str, findings: Findings
) -> None:
    cells = [row[column] for row in rows]
    is_good = {cell: bool(TYPES[what](cell)) for cell in set(cells) - {""}}
    is_good[""] = OPTIONAL in kind
    if all(is_good[cell] for cell in set(cells)):
        return
    for number, cell in enumerate(cells):
        if not is_good[cell]:
            findings.complain(f"{name}[{number}].{column}", f"{cell!r} is no {kind}")
