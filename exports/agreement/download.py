"""All figures of agreement as one table, for a spreadsheet. Plain Python."""

from collections.abc import Iterator, Mapping, Sequence

from exports.agreement.presenter import Json, Section, sections

Line = tuple[str, str, str, Json]  # which part, of what in it, by which measure, the figure

HEADER = (
    *(
        "question",
        "part",
        "of",
        "measure",
        "value",
        "low",
        "high",
        "why_undefined",
        "why_no_interval",
    ),
    *("items", "judgements", "questions", "replicates", "undefined_replicates"),
)


def table(agreement: Mapping[str, Json]) -> Iterator[Sequence[object]]:
    """Every figure as a line of HEADER; of counts of labels the count is the value."""
    for section in sections(agreement):
        for part, of, measure, figure in _figures(section):
            yield [section.name, part, of, measure, *_cells(figure)]
        if section.is_whole:
            yield from _counts(section)


def _figures(section: Section) -> Iterator[Line]:
    for each in section.main:
        yield "all", "", each.figure["name"], each.figure
        if each.others:
            yield "all, other people", "", each.figure["name"], {"interval": each.others}
    if section.is_whole:
        yield from _parts(section.figures)


def _parts(found: Json) -> Iterator[Line]:
    for label in found["by_label"]["labels"]:
        for key in ("prevalence", "specific"):
            yield "label", label["label"], found["by_label"][key]["name"], label[key]
    for annotator in found["by_annotator"]["annotators"]:
        yield "annotator", annotator["annotator"], found["by_annotator"]["name"], annotator
    for pair in found["pairs"]["kappas"]:
        yield "pair", " | ".join(pair["annotators"]), found["pairs"]["name"], pair
    for window in found["over_time"]:
        for key in ("raw", "alpha"):
            span = f"{window['first']} to {window['last']}"
            yield "time", span, found[key]["name"], window[key]


def _cells(figure: Json) -> list[object]:
    interval = figure["interval"]
    return [
        figure.get("value"),
        interval["low"],
        interval["high"],
        figure.get("reason"),
        None if figure.get("reason") else interval["reason"],
        figure.get("n_items"),
        figure.get("n_judgements"),
        interval["n_questions"],
        interval["n_replicates"],
        interval["n_undefined"],
    ]


def _counts(section: Section) -> Iterator[Sequence[object]]:
    empty = [None] * (len(HEADER) - 5)
    for cell in section.grid.cells:
        yield [section.name, "labels", f"{cell.row} | {cell.column}", "pairs", cell.n, *empty]
    for pair in section.figures["pairs"]["kappas"]:
        who = " | ".join(pair["annotators"])
        for cell in section.grid_of(pair).cells:
            of = f"{who}: {cell.row} | {cell.column}"
            yield [section.name, "labels of a pair", of, "items", cell.n, *empty]
