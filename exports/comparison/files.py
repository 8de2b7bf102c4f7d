"""The files of a comparison, on its page and in the folder that `compare_systems` writes."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from django.template.loader import render_to_string

from exports.comparison import qrels, summary_table
from exports.comparison.charts import PICTURE_COLUMNS, picture
from exports.comparison.columns import (
    AnswerRow,
    AutomaticRow,
    BatchRow,
    LongPreferenceRow,
    LongRatingRow,
    PairRow,
    SystemRow,
)
from exports.comparison.long_form import preference_rows, rating_rows
from exports.comparison.readme import readme
from exports.comparison.records_from_rows import Rows
from exports.comparison.tables import automatic_rows, pair_rows, system_rows
from exports.rows.columns import JudgementRow
from pages.charts import in_xml

Json = Mapping[str, Any]
FOLDER_OF_RECIPES = Path(__file__).resolve().parent / "recipes"
# Tables that the figures are computed from, read from the database: file -> its row.
SOURCE_TABLES: dict[str, type[Any]] = {
    "batches.csv": BatchRow,
    "judgements.csv": JudgementRow,
    "answers.csv": AnswerRow,
}
# The same judgements in long form: file -> its row, and the function that makes the rows from those tables.
LONG_TABLES: dict[str, tuple[type[Any], Callable[[Rows], Iterable[Any]]]] = {
    "ratings_long.csv": (LongRatingRow, rating_rows),
    "preferences_long.csv": (LongPreferenceRow, preference_rows),
}
# Scripts that are shipped as they are.
RECIPES = ("mixed_model.R", "mixed_model.py")
# Tables of the figures: file -> its row, and the function that makes the rows from the result.
FIGURE_TABLES: dict[str, tuple[type[Any], Callable[[Json], Iterable[Any]]]] = {
    "systems.csv": (SystemRow, system_rows),
    "pairs.csv": (PairRow, pair_rows),
    "automatic.csv": (AutomaticRow, automatic_rows),
}
TYPES = {
    "R": "text/plain; charset=utf-8",
    "md": "text/markdown; charset=utf-8",
    "py": "text/x-python; charset=utf-8",
    "tex": "application/x-tex; charset=utf-8",
    "svg": "image/svg+xml; charset=utf-8",
    "txt": "text/plain; charset=utf-8",
    "tsv": "text/tab-separated-values; charset=utf-8",
}


@dataclass(frozen=True)
class TextFile:
    name: str
    text: Callable[[], str]

    @property
    def content_type(self) -> str:
        return TYPES[self.name.rpartition(".")[2]]


def text_files(result: Json) -> dict[str, TextFile]:
    """The text files of a result by name. Setups are numbered from 1 in their order."""
    return {each.name: each for each in _text_files(result)}


def _text_files(result: Json) -> Iterator[TextFile]:
    yield TextFile("table7.tex", partial(summary_table.latex, result))
    yield TextFile("README.md", partial(readme, result))
    for name in RECIPES:
        yield TextFile(name, partial((FOLDER_OF_RECIPES / name).read_text, encoding="utf-8"))
    for number, setup in enumerate(result["setups"], start=1):
        if setup["relevance"]["n_passages"]:
            rows = setup["relevance"]["qrels"]
            yield TextFile(f"qrels-{number}.txt", partial(qrels.trec, rows))
            yield TextFile(f"qrels-{number}.tsv", partial(qrels.beir, rows))
        for column in PICTURE_COLUMNS:
            yield TextFile(f"{column.name}-{number}.svg", partial(_svg, setup, column))


def _svg(setup: Json, column: summary_table.Column) -> str:
    shown = {"picture": picture(setup, column), "alone": True}
    return in_xml(render_to_string("exports/pictures/intervals.svg", shown))
