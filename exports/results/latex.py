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
    rates = [rate for name in HEADS for rate in measures[name]["rates"]]
    are_alike = any(rate["n_conversations"] < rate["n_questions"] for rate in rates)
    drawn = "conversations" if are_alike else "questions"
    method = "Wilson's" + (" by the design effect of conversations" if are_alike else "")
    if any(len(rate["shares"]) > 1 for rate in rates):
        method += f"; of a product a bootstrap over {drawn}, {replicates} replicates"
    is_weighted = any(rate.get("weighted") for rate in rates)
    weighted = " Weighted: by the inverse of the inclusion probabilities." if is_weighted else ""
    caption = (
        f"Rates of the settled answers of the runs on {escaped(dataset)}; in brackets"
        f" 95\\,\\% intervals for these annotators ({method}) and, marked others, for"
        " annotators like them; below them the accepted of the settled, of gold the"
        " plausible of the settled times the faithful of those whose faithfulness is settled where"
        " it is not settled for all; last the answers that are not settled, and the bounds of the"
        f" rate if none and if all of them were accepted.{weighted}{escaped(note and f' {note}')}"
    )
    return latex.table(caption, len(HEADS), _lines(measures))


def _lines(measures: Mapping[str, Any]) -> Iterator[str]:
    yield row("Run", *HEADS.values())
    yield latex.MIDRULE
    rates: list[Sequence[Mapping[str, Any]]] = [measures[name]["rates"] for name in HEADS]
    for run_rates in zip(*rates, strict=True):
        yield row(escaped(run_rates[0]["run"]), *map(_cell, run_rates))


def _ends(interval: Mapping[str, Any]) -> str:
    """The interval after a space; empty where there is none."""
    return "" if interval["low"] is None else f" [{interval['low']:.3f}, {interval['high']:.3f}]"


def _of_others(rate: Mapping[str, Any]) -> list[str]:
    """The interval for annotators like those who judged, in a line of its own, if there is one."""
    ends = _ends(rate["people_interval"])
    return [f"others{ends}"] if ends else []


def _cell(rate: Mapping[str, Any]) -> str:
    counts = r" $\times$ ".join(
        f"{share['n_accepted']} of {share['n_questions']}" for share in rate["shares"]
    )
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
        lines = [f"{rate['value']:.3f}", f"[{low:.3f}, {high:.3f}]", *_of_others(rate), counts]
    if (weighted := rate.get("weighted")) and weighted["value"] is not None:
        lines.append(f"weighted {weighted['value']:.3f}{_ends(weighted['interval'])}")
    if rate["n_not_settled"]:
        least, most = rate["bounds"]
        lines.append(f"{rate['n_not_settled']} not settled: {least:.3f} to {most:.3f}")
    return stacked(*lines)
