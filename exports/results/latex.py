"""The runs' rates as a table for a paper: LaTeX, escaped as in `text.latex`."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from text import latex
from text.latex import escaped, row, stacked

HEADS = {"plausible": "Plausible", "faithful": "Faithful", "gold": "Gold"}


def table(dataset: str, measures: Mapping[str, Any], replicates: int, *, note: str = "") -> str:
    """A LaTeX `table` with a row for each run: its rates with their intervals and counts.

    `note` is appended to the caption.
    """
    caption = (
        f"Rates of the runs on {escaped(dataset)} over what people settled; in brackets"
        f" 95\\,\\% intervals (bootstrap over questions, {replicates} replicates); below them the"
        f" accepted of the settled.{escaped(note and f' {note}')}"
    )
    return latex.table(caption, len(HEADS), _lines(measures))


def _lines(measures: Mapping[str, Any]) -> Iterator[str]:
    yield row("Run", *HEADS.values())
    yield latex.MIDRULE
    rates: list[Sequence[Mapping[str, Any]]] = [measures[name]["rates"] for name in HEADS]
    for run_rates in zip(*rates, strict=True):
        yield row(escaped(run_rates[0]["run"]), *map(_cell, run_rates))


def _cell(rate: Mapping[str, Any]) -> str:
    counts = f"{rate['n_accepted']} of {rate['n_questions']}"
    if rate["value"] is None:
        lines = ["undefined", escaped(rate["reason"])]
    elif rate["interval"]["low"] is None:
        lines = [
            f"{rate['value']:.3f}",
            f"no interval: {escaped(rate['interval']['reason'])}",
            counts,
        ]
    else:
        low, high = rate["interval"]["low"], rate["interval"]["high"]
        lines = [f"{rate['value']:.3f}", f"[{low:.3f}, {high:.3f}]", counts]
    return stacked(*lines)
