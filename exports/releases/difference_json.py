"""A difference of two releases as JSON values, to be stored, and made of them again. Without Django."""

from dataclasses import asdict
from typing import Any

from exports.releases.difference import AnswerChange, Difference, Outcome, VerdictChange
from exports.releases.difference_figures import FigureRow

Json = dict[str, Any]


def to_json(found: Difference) -> Json:
    return asdict(found)


def from_json(values: Json) -> Difference:
    return Difference(
        turns_gone=values["turns_gone"],
        turns_changed=values["turns_changed"],
        turns_added=values["turns_added"],
        answers=[AnswerChange(**each) for each in values["answers"]],
        verdicts=[_verdict(each) for each in values["verdicts"]],
        runs_gone=values["runs_gone"],
        runs_added=values["runs_added"],
        runs_renamed=[(old, new) for old, new in values["runs_renamed"]],
        accepted={tier: (before, after) for tier, (before, after) in values["accepted"].items()},
        figures=[FigureRow(**each) for each in values["figures"]],
    )


def _verdict(values: Json) -> VerdictChange:
    sides = {
        side: Outcome(**values[side]) if values[side] else None for side in ("before", "after")
    }
    return VerdictChange(**values | sides)
