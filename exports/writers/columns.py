"""`columns.md` of a release: what each column of its tables holds, from the rows' own fields.

The same text is docs/columns.md. After a column was changed:

    .venv/bin/python -m exports.writers.columns > docs/columns.md
"""

import sys
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path
from types import NoneType
from typing import Annotated, Any, get_args, get_origin, get_type_hints

from exports.rows import AnswerRow, ItemRow, JudgementRow, PerRun

TABLES: dict[str, type[Any]] = {
    "judgements.csv": JudgementRow,
    "items.csv": ItemRow,
    "answers.csv": AnswerRow,
    "per_run.csv": PerRun,
}
TYPES = {str: "text", int: "whole number", float: "number", bool: "true or false"}
HEAD = """\
# The columns of a release's tables

The tables are UTF-8 with a header line. A cell that holds a comma, a quote or a line end is quoted, a quote in it doubled; nothing is escaped for spreadsheets. Cells may look like `NA` or `null` and hold line ends: read them as texts, and then turn the columns that are numbers into numbers. An empty cell is an empty text, or nothing. Times are UTC with microseconds. How the numbers of `report.json` and `per_run.csv` follow from the first three tables is in Touchstone's docs/report.md.
"""


def page() -> str:
    return "\n".join([HEAD, *(_section(name, row_type) for name, row_type in TABLES.items())])


def write(path: Path) -> None:
    path.write_bytes(page().encode("utf-8"))


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
    sys.stdout.buffer.write(page().encode("utf-8"))
