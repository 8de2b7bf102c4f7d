"""Every column is explained, in every release and in the documentation."""

from dataclasses import dataclass, fields
from pathlib import Path
from typing import Annotated

import pytest

from exports.batch_tables import column_page as batch_page
from exports.comparison import column_page as comparison_page
from exports.releases import column_page as release_page
from exports.writers import columns
from tests.cases import all_cases

DOCUMENT = Path(__file__).resolve().parents[3] / "docs" / "columns.md"
RELEASE = columns.page(release_page.HEAD, release_page.TABLES)


@all_cases("row_type", release_page.TABLES.values(), ids=release_page.TABLES)
def test_every_column_has_a_type_and_a_meaning(row_type):
    told = columns.meanings(row_type)

    assert list(told) == [field.name for field in fields(row_type)]
    assert all(kind and len(meaning.split()) > 1 for kind, meaning in told.values())


def test_the_page_of_the_documentation_is_what_a_release_says():
    """After a change: .venv/bin/python -m exports.releases.column_page > docs/columns.md"""
    assert DOCUMENT.read_text(encoding="utf-8") == RELEASE


def test_what_is_written_is_the_page(tmp_path):
    columns.write(tmp_path / "columns.md", release_page.HEAD, release_page.TABLES)

    assert (tmp_path / "columns.md").read_bytes() == RELEASE.encode("utf-8")


def test_a_column_without_a_meaning_is_refused():
    @dataclass
    class Row:
        told: Annotated[str, "what was told"]
        untold: str

    with pytest.raises(TypeError, match="the column untold has no meaning"):
        columns.meanings(Row)


def test_types_are_told_in_words():
    @dataclass
    class Row:
        text: Annotated[str, "a text"]
        count: Annotated[int, "a count"]
        rate: Annotated[float | None, "a rate"]
        held: Annotated[bool, "a truth"]

    kinds = [kind for kind, _ in columns.meanings(Row).values()]

    assert kinds == ["text", "whole number", "number or nothing", "true or false"]


@all_cases("row_type", comparison_page.TABLES.values(), ids=comparison_page.TABLES)
def test_every_column_of_a_comparison_says_what_it_holds(row_type):
    told = columns.meanings(row_type)

    assert list(told) == [field.name for field in fields(row_type)]
    assert all(kind and meaning for kind, meaning in told.values())


def test_the_documentation_says_what_a_comparison_s_columns_md_says():
    """After a change: .venv/bin/python -m exports.comparison.column_page > docs/columns-of-comparisons.md"""
    written = DOCUMENT.with_name("columns-of-comparisons.md").read_text(encoding="utf-8")

    assert written == columns.page(comparison_page.HEAD, comparison_page.TABLES)


def test_the_documentation_says_what_a_batch_s_own_tables_hold():
    """After a change: .venv/bin/python -m exports.batch_tables.column_page > docs/columns-of-batches.md"""
    written = DOCUMENT.with_name("columns-of-batches.md").read_text(encoding="utf-8")

    assert written == columns.page(batch_page.HEAD, batch_page.TABLES)
