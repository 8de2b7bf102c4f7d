"""`columns.md` of a release, and of a comparison of runs: what each column holds, from the rows' own fields.

The same texts are docs/columns.md and docs/columns-of-comparisons.md. After a column was changed:

    .venv/bin/python -m exports.writers.columns > docs/columns.md
    .venv/bin/python -m exports.writers.columns comparisons > docs/columns-of-comparisons.md
"""

import sys
from collections.abc import Iterator, Mapping
from dataclasses import fields
from pathlib import Path
from types import NoneType
from typing import Annotated, Any, get_args, get_origin, get_type_hints

from exports.comparison import columns as compared
from exports.rows.columns import (
    AnswerRow,
    ItemRow,
    JudgementRow,
    PerRun,
    PrecisionRow,
    SoftLabelRow,
)

TABLES: dict[str, type[Any]] = {
    "judgements.csv": JudgementRow,
    "items.csv": ItemRow,
    "answers.csv": AnswerRow,
    "per_run.csv": PerRun,
    "soft_labels.csv": SoftLabelRow,
    "precision.csv": PrecisionRow,
}
COMPARISON: dict[str, type[Any]] = {
    "batches.csv": compared.BatchRow,
    "judgements.csv": JudgementRow,
    "answers.csv": compared.AnswerRow,
    "systems.csv": compared.SystemRow,
    "pairs.csv": compared.PairRow,
    "automatic.csv": compared.AutomaticRow,
}
TYPES = {str: "text", int: "whole number", float: "number", bool: "true or false"}
OF_FILES = """\
The tables are UTF-8 with a header line. A cell that holds a comma, a quote or a line end is quoted, a quote in it doubled; nothing is escaped for spreadsheets. Cells may look like `NA` or `null` and hold line ends: read them as texts, and then turn the columns that are numbers into numbers. An empty cell is an empty text, or nothing. Times are UTC with microseconds."""
HEAD = f"""\
# The columns of a release's tables

{OF_FILES} How the numbers of `report.json`, `per_run.csv` and `soft_labels.csv` follow from the other tables is in Touchstone's docs/report.md.
"""
HEAD_OF_COMPARISON = f"""\
# The columns of a comparison's tables

{OF_FILES} (The files that the page offers are made for spreadsheets: a text that one would run as a formula has a quote before it.) How the figures follow from the first three is in Touchstone's docs/comparing.md.
"""


def page(tables: Mapping[str, type[Any]] = TABLES) -> str:
    head = HEAD_OF_COMPARISON if tables is COMPARISON else HEAD
    return "\n".join([head, *(_section(name, row_type) for name, row_type in tables.items())])


def write(path: Path, tables: Mapping[str, type[Any]] = TABLES) -> None:
    path.write_bytes(page(tables).encode("utf-8"))


def meanings(row_type: type[Any]) -> dict[str, tuple[str, str]]:
    """Column -> its type in words and its meaning. Raises TypeError for a column without one."""
    hints = get_type_hints(row_type, include_extras=True)
    return {field.name: _meaning(field.name, hints[field.name]) for field in fields(row_type)}


def _meaning(name: str, hint: Any) -> tuple[str, str]:
    if get_origin(hint) is not Annotated:
        raise TypeError(f"the column {name} has no meaning: Annotated[type, meaning]")
    held, meaning = get_args(hint)
    (kind,) = {held, *get_args(held)} & TYPES.keys()
    is_optional = NoneType in get_args(held)
    return TYPES[kind] + (" or nothing" if is_optional else ""), meaning


def _section(name: str, row_type: type[Any]) -> str:
    return "\n".join([f"## {name}", _described(row_type), "", *_entries(row_type), ""])


def _described(row_type: type[Any]) -> str:
    paragraphs = (row_type.__doc__ or "").split("\n\n")
    return "\n\n".join(" ".join(paragraph.split()) for paragraph in paragraphs).strip()


def _entries(row_type: type[Any]) -> Iterator[str]:
    for column, (kind, meaning) in meanings(row_type).items():
        yield f"- `{column}` ({kind}): {meaning}"


if __name__ == "__main__":
    asked = COMPARISON if sys.argv[1:] == ["comparisons"] else TABLES
    sys.stdout.buffer.write(page(asked).encode("utf-8"))
