"""The files of a comparison, the same on its page and in the folder that `compare_systems` writes."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from django.template.loader import render_to_string

from exports.comparison import qrels, summary_table
from exports.comparison.charts import PICTURED, picture
from exports.comparison.columns import AnswerRow, AutomaticRow, BatchRow, PairRow, SystemRow
from exports.comparison.tables import automatic_rows, pair_rows, system_rows
from exports.rows.columns import JudgementRow

Told = Mapping[str, Any]
# What the figures are computed from: file -> its row; the rows are read from the database.
READ: dict[str, type[Any]] = {
    "batches.csv": BatchRow,
    "judgements.csv": JudgementRow,
    "answers.csv": AnswerRow,
}
# What they come to: file -> its row, and the rows of what was computed.
COMPUTED: dict[str, tuple[type[Any], Callable[[Told], Iterable[Any]]]] = {
    "systems.csv": (SystemRow, system_rows),
    "pairs.csv": (PairRow, pair_rows),
    "automatic.csv": (AutomaticRow, automatic_rows),
}
TYPES = {
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


def texts(told: Told) -> dict[str, TextFile]:
    """By name; setups are numbered in their order, from 1."""
    return {each.name: each for each in _texts(told)}


def _texts(told: Told) -> Iterator[TextFile]:
    yield TextFile("table7.tex", partial(summary_table.latex, told))
    for number, setup in enumerate(told["setups"], start=1):
        if setup["relevance"]["n_passages"]:
            rows = setup["relevance"]["qrels"]
            yield TextFile(f"qrels-{number}.txt", partial(qrels.trec, rows))
            yield TextFile(f"qrels-{number}.tsv", partial(qrels.beir, rows))
        for column in PICTURED:
            yield TextFile(f"{column.name}-{number}.svg", partial(_drawn, setup, column))


def _drawn(setup: Told, column: summary_table.Column) -> str:
    shown = {"picture": picture(setup, column), "alone": True}
    return render_to_string("exports/pictures/intervals.svg", shown)
