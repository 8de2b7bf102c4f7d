"""Stored figures of agreement as the pages show them, from the JSON of a job's result. No Django."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from exports.agreement.charts import Grid, TimeLine, grid, time_line
from exports.agreement.wording import report_sentence
from stats.agreement.registry import COEFFICIENTS, OF_EVERY_QUESTION, Inputs

Json = Mapping[str, Any]

MISSING_INPUTS = {
    Inputs.SCALE: "no scale",
    Inputs.TWO_ANNOTATORS: "not two annotators",
}


@dataclass(frozen=True)
class Main:
    """A coefficient over all, with the interval for other people where there is one."""

    key: str
    figure: Json
    others: Json | None
    is_quoted: bool


@dataclass(frozen=True)
class Cell:
    """A coefficient in its column; without a figure `why_missing` says why."""

    key: str
    figure: Json | None
    why_missing: str
    level: str  # of measurement, for a coefficient that depends on it


@dataclass(frozen=True)
class Section:
    """A question and its figures. Addresses have `number`, from 1, as names may not fit into them."""

    name: str
    number: int
    figures: Json

    @property
    def is_judged(self) -> bool:
        return bool(self.figures["confusion"]["labels"])

    @cached_property
    def main(self) -> list[Main]:
        return main(self.figures)

    @property
    def cells(self) -> list[Cell]:
        """The coefficients that every question has, one a column."""
        return cells(self.figures, OF_EVERY_QUESTION)

    @property
    def most_prevalent(self) -> tuple[str, float] | None:
        """The label with the largest prevalence, and that; None without judgements."""
        shares = self.figures["prevalence"]
        if not shares:
            return None
        label = max(shares, key=lambda label: (shares[label], label))
        return label, shares[label]

    @cached_property
    def annotators(self) -> list[Json]:
        """The annotators by their agreement, the lowest first, those without a figure last."""
        return sorted(self.figures["by_annotator"]["annotators"], key=_value_order)

    @property
    def has_three_judgements(self) -> bool:
        """Whether some item has three judgements or more."""
        raw = self.figures["raw"]
        return bool(raw["n_judgements"] > 2 * raw["n_items"])

    @cached_property
    def pairs(self) -> list[Json]:
        return sorted(self.figures["pairs"]["kappas"], key=_value_order)

    def pair(self, address: str) -> Json | None:
        """The pair of an address, which names two annotators with a bar between them."""
        return next((each for each in self.pairs if "|".join(each["annotators"]) == address), None)

    @cached_property
    def grid(self) -> Grid:
        confusion = self.figures["confusion"]
        return grid(confusion["labels"], confusion["counts"])

    def grid_of(self, pair: Json) -> Grid:
        return grid(self.figures["confusion"]["labels"], pair["counts"])

    @cached_property
    def time_line(self) -> TimeLine:
        return time_line(self.figures["over_time"])


def quoted_key(figures: Json) -> str | None:
    """The key of the coefficient to quote; None if there is none, or it rests on one conversation only."""
    key: str | None = figures.get("quote", {}).get("figure")
    return None if key is None or figures[key]["interval"]["n_questions"] == 1 else key


def quote_sentence(figures: Json) -> str:
    """Which figure to report and why, or that a single conversation is too little, whatever it is."""
    quote = figures["quote"]
    if quote["figure"] is not None and quoted_key(figures) is None:
        what = "question" if figures[quote["figure"]]["n_questions"] == 1 else "conversation"
        return f"No figure can be reported: all items are of a single {what}."
    return report_sentence(str(quote["sentence"]))


def main(figures: Json) -> list[Main]:
    quoted = quoted_key(figures)
    others = figures.get("people", {})
    return [
        Main(key, figures[key], others.get(key), is_quoted=key == quoted)
        for key in COEFFICIENTS
        if key in figures
    ]


def cells(figures: Json, keys: Iterable[str]) -> list[Cell]:
    """The coefficients of these keys, one a column."""
    return [_cell(figures, key) for key in keys]


def _cell(figures: Json, key: str) -> Cell:
    inputs = COEFFICIENTS[key].inputs
    # figures of before a coefficient was added do not have it
    why_missing = MISSING_INPUTS.get(inputs, "not computed")
    level = figures["level"] if inputs is Inputs.LEVEL else ""
    return Cell(key, figures.get(key), why_missing, level)


def sections(agreement: Mapping[str, Json]) -> list[Section]:
    ordered = sorted(agreement.items())
    return [
        Section(name, number, figures) for number, (name, figures) in enumerate(ordered, start=1)
    ]


def _value_order(figure: Json) -> tuple[bool, float]:
    return figure["value"] is None, figure["value"] or 0.0
