"""A page in Markdown with the meanings of the columns of tables, from the fields of their rows."""

from collections.abc import Iterator, Mapping
from dataclasses import fields
from pathlib import Path
from types import NoneType
from typing import Annotated, Any, get_args, get_origin, get_type_hints

TYPES = {str: "text", int: "whole number", float: "number", bool: "true or false"}
OF_FILES = """\
The tables are UTF-8 with a header line. A cell that holds a comma, a quote or a line end is quoted, a quote in it doubled; nothing is escaped for spreadsheets. Cells may look like `NA` or `null` and hold line ends: read them as texts, and then turn the columns that are numbers into numbers. An empty cell is an empty text, or nothing. Times are UTC with microseconds."""


def page(head: str, tables: Mapping[str, type[Any]]) -> str:
    """The page. `tables` has the types of rows by names of files."""
    return "\n".join([head, *(_section(name, row_type) for name, row_type in tables.items())])


def contents(head: str, tables: Mapping[str, type[Any]]) -> bytes:
    return page(head, tables).encode("utf-8")


def write(path: Path, head: str, tables: Mapping[str, type[Any]]) -> None:
    path.write_bytes(contents(head, tables))


def meanings(row_type: type[Any]) -> dict[str, tuple[str, str]]:
    """The type in words and the meaning of each column. Raises TypeError for a column without a meaning."""
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
