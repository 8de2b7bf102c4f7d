"""The table of teams left out for a paper: LaTeX, escaped as in `text.latex`. Imports no Django."""

from collections.abc import Iterator, Mapping
from typing import Any

from exports.leave_one_team_out.tables import MEASURES
from text import latex
from text.latex import escaped, row, stacked

Json = Mapping[str, Any]
HEADS = ("Team", "All", "Left out", "Bias", "Unique share", "Change of rank")


def table(dataset: str, measure: str, found: Json, replicates: int, *, note: str) -> str:
    """A LaTeX `table` with a row for each run by one measure. `note` is appended to the caption."""
    caption = (
        f"{MEASURES[measure]} of the runs on {escaped(dataset)} by all accepted answers and without those of"
        f" the own team, over {found['n_questions']} questions; in brackets 95\\,\\% intervals (bootstrap over"
        f" questions, {replicates} replicates). Between both rankings $\\tau_b$ {_plain(found['kendall_tau_b'])},"
        f" $\\tau_{{AP}}$ {_plain(found['tau_ap'])}. {escaped(note)}"
    )
    return latex.table(caption, len(HEADS), _lines(found))


def _lines(found: Json) -> Iterator[str]:
    yield row("Run", *HEADS)
    yield latex.MIDRULE
    for run in found["runs"]:
        yield row(
            escaped(run["run"]),
            escaped(run["team"]) or "--",
            f"{run['full']:.3f}",
            f"{run['left_out']:.3f}",
            _cell(run["bias"], 3),
            _cell(run["unique_share"], 3),
            _cell(run["change"], 1),
        )


def _cell(estimate: Json, digits: int) -> str:
    if estimate["value"] is None:
        return stacked("undefined", escaped(estimate["reason"]))
    low, high = estimate["interval"]["low"], estimate["interval"]["high"]
    if low is None:
        why = f"no interval: {escaped(estimate['interval']['reason'])}"
        return stacked(f"{estimate['value']:.{digits}f}", why)
    return stacked(f"{estimate['value']:.{digits}f}", f"[{low:.{digits}f}, {high:.{digits}f}]")


def _plain(estimate: Json) -> str:
    if estimate["value"] is None:
        return f"undefined ({escaped(estimate['reason'])})"
    low, high = estimate["interval"]["low"], estimate["interval"]["high"]
    ends = "" if low is None else f" [{low:.3f}, {high:.3f}]"
    return f"{estimate['value']:.3f}{ends}"
