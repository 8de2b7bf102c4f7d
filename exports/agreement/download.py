"""All figures of agreement as one table for a spreadsheet."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from exports.agreement.presenter import Json, Section, sections

Figure = tuple[str, str, str, Json]  # part, element of the part, measure, figure


@dataclass(frozen=True, slots=True)
class Row:
    """A row of the table. `value` is a figure or, in the parts of labels, a count."""

    question: str
    part: str
    of: str
    measure: str
    value: float | None
    low: float | None = None
    high: float | None = None
    why_undefined: str | None = None
    why_no_interval: str | None = None
    items: int | None = None
    judgements: int | None = None
    questions: int | None = None
    replicates: int | None = None
    undefined_replicates: int | None = None


def rows(agreement: Mapping[str, Json]) -> Iterator[Row]:
    for section in sections(agreement):
        for part, of, measure, figure in _figures(section):
            yield Row(section.name, part, of, measure, **_cells(figure))
        yield from _counts(section)


def _figures(section: Section) -> Iterator[Figure]:
    for each in section.main:
        yield "all", "", each.figure["name"], each.figure
        if each.others:
            yield "all, other people", "", each.figure["name"], {"interval": each.others}
    yield from _part_figures(section.figures)


def _part_figures(figures: Json) -> Iterator[Figure]:
    for label in figures["by_label"]["labels"]:
        for key in ("prevalence", "specific"):
            yield "label", label["label"], figures["by_label"][key]["name"], label[key]
    for annotator in figures["by_annotator"]["annotators"]:
        yield "annotator", annotator["annotator"], figures["by_annotator"]["name"], annotator
    for pair in figures["pairs"]["kappas"]:
        yield "pair", " | ".join(pair["annotators"]), figures["pairs"]["name"], pair
    extra = figures["extra"]
    if extra["n_judgements"]:
        yield "further judgements", "", extra["raw"]["name"], extra["raw"]
    for window in figures["over_time"]:
        for key in ("raw", "alpha"):
            span = f"{window['first']} to {window['last']}"
            yield "time", span, figures[key]["name"], window[key]


def _cells(figure: Json) -> dict[str, Any]:
    interval = figure["interval"]
    return {
        "value": figure.get("value"),
        "low": interval["low"],
        "high": interval["high"],
        "why_undefined": figure.get("reason"),
        "why_no_interval": None if figure.get("reason") else interval["reason"],
        "items": figure.get("n_items"),
        "judgements": figure.get("n_judgements"),
        "questions": interval["n_questions"],
        "replicates": interval["n_replicates"],
        "undefined_replicates": interval["n_undefined"],
    }


def _counts(section: Section) -> Iterator[Row]:
    for cell in section.grid.cells:
        yield Row(section.name, "labels", f"{cell.row} | {cell.column}", "pairs", cell.n)
    for pair in section.figures["pairs"]["kappas"]:
        who = " | ".join(pair["annotators"])
        for cell in section.grid_of(pair).cells:
            of = f"{who}: {cell.row} | {cell.column}"
            yield Row(section.name, "labels of a pair", of, "items", cell.n)
