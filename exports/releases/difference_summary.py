"""A difference of two releases as the command and the page have it. Without Django."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from datetime import datetime
from typing import Any, Protocol

from exports.releases.changes import KINDS
from exports.releases.difference import AnswerChange, Difference, VerdictChange
from exports.releases.difference_figures import FigureRow
from exports.rows.ids import timestamp

NO_ACT = "nothing was decided about it: what it rests on changed"
SHOWN = 50  # rows of a list as text; --json has all
Json = Mapping[str, Any]


class Act(Protocol):
    """Something that was decided: when, by whom, what, and why."""

    @property
    def at(self) -> datetime: ...
    @property
    def who(self) -> str: ...
    @property
    def what(self) -> str: ...
    @property
    def why(self) -> str: ...


def summary(
    found: Difference, acts: Sequence[Sequence[Act]], acts_on_runs: Sequence[Act]
) -> dict[str, Any]:
    """Return the difference as JSON values. `acts` are those of its verdicts, in their order."""
    return {
        "turns": {
            "gone": list(found.turns_gone),
            "changed": list(found.turns_changed),
            "added": list(found.turns_added),
        },
        **{kind: [_answer(each) for each in found.of_kind(kind)] for kind in KINDS},
        "verdicts": [_verdict(*each) for each in zip(found.verdicts, acts, strict=True)],
        "runs": {
            "gone": list(found.runs_gone),
            "added": list(found.runs_added),
            "renamed": [list(each) for each in found.runs_renamed],
            "acts": [_act(each) for each in acts_on_runs],
        },
        "accepted": {tier: list(counts) for tier, counts in found.accepted.items()},
        "figures": [_figure(each) for each in found.figures],
    }


def _answer(change: AnswerChange) -> dict[str, str]:
    return {key: value or "" for key, value in asdict(change).items()}


def _verdict(change: VerdictChange, acts: Sequence[Act]) -> dict[str, Any]:
    return {
        "scheme": change.scheme,
        "turn": change.turn,
        "answer_id": change.answer_id,
        "answer": change.answer,
        "before": asdict(change.before) if change.before else None,
        "after": asdict(change.after) if change.after else None,
        "acts": [_act(each) for each in acts],
    }


def _act(act: Act) -> dict[str, str]:
    return {"at": timestamp(act.at), "by": act.who, "what": act.what, "why": act.why}


def _figure(row: FigureRow) -> dict[str, Any]:
    sides = {"before": row.before, "after": row.after}
    return {"of": row.of, "name": row.name} | {side: _value(each) for side, each in sides.items()}


def _value(figure: Json | None) -> dict[str, Any] | None:
    if figure is None:
        return None
    interval = figure.get("interval") or {"low": figure.get("low"), "high": figure.get("high")}
    return {
        "value": figure["value"],
        "low": interval["low"],
        "high": interval["high"],
        "reason": figure.get("reason"),
    }


def lines(found: Json) -> Iterator[str]:
    """Yield the summary as text, long lists cut."""
    yield f"Release {found['before']} → release {found['after']} of {found['dataset']}"
    yield from found["notes"]
    for kind in ("gone", "changed", "added"):
        yield from _list(f"Turns {kind}", found["turns"][kind])
    for kind, (_, heading) in KINDS.items():
        yield from _list(heading, [_answer_line(each) for each in found[kind]])
    yield from _list("Verdicts changed", [_verdict_line(each) for each in found["verdicts"]])
    runs = found["runs"]
    yield from _list("Runs gone", runs["gone"])
    yield from _list("Runs added", runs["added"])
    yield from _list("Runs renamed", [" → ".join(each) for each in runs["renamed"]])
    yield from _list("Acts on runs", [_act_line(each) for each in runs["acts"]])
    for tier, (before, after) in found["accepted"].items():
        yield f"{tier}: {before} → {after}"
    rows = [f"{each['of']}, {each['name']}: {_sides(each)}" for each in found["figures"]]
    yield from _list("Figures", rows)


def _list(heading: str, rows: Sequence[str]) -> Iterator[str]:
    if rows:
        yield f"{heading} ({len(rows)}):"
        yield from (f"  {row}" for row in rows[:SHOWN])
    if len(rows) > SHOWN:
        yield f"  ... and {len(rows) - SHOWN} more; --json lists all"


def _answer_line(each: Json) -> str:
    return f"{each['answer_id'] or each['turn']} {_short(each['answer'])}: {_arrow(each)}"


def _verdict_line(each: Json) -> str:
    before, after = (each[side] and each[side]["label"] for side in ("before", "after"))
    acts = "; ".join(map(_act_line, each["acts"])) or NO_ACT
    change = f"{each['scheme']} {_arrow({'before': before, 'after': after})}"
    return f"{each['answer_id']} {_short(each['answer'])}: {change} ({acts})"


def _act_line(act: Json) -> str:
    why = f": {act['why']}" if act["why"] else ""
    return f"{act['by']} {act['what']}{why}"


def _arrow(each: Json) -> str:
    return f"{each['before'] or 'none'} → {each['after'] or 'none'}"


def _sides(each: Json) -> str:
    return " → ".join(_figure_in_words(each[side]) for side in ("before", "after"))


def _figure_in_words(figure: Json | None) -> str:
    if figure is None:
        return "not in it"
    if figure["value"] is None:
        return f"undefined: {figure['reason']}"
    if figure["low"] is None:
        return f"{figure['value']:.3f}"
    return f"{figure['value']:.3f} [{figure['low']:.3f}, {figure['high']:.3f}]"


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= 70 else f"{line[:69]}…"
