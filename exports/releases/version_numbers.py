"""Versions of a released data set: MAJOR.MINOR.PATCH, and the least that a difference allows. Without Django.

| step  | what it takes                                                                                    |
| ----- | ------------------------------------------------------------------------------------------------ |
| major | a turn, an accepted answer or a run is gone; a turn is changed; an answer is in the other tier    |
| minor | a turn, an accepted answer or a run is added; another answer has another outcome                  |
| patch | anything else: names, descriptions, guidelines, votes, evidence, figures                          |

Both directions between the tiers are major: gold.json and silver.json each say other than before what an answer is.
"""

import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass

from exports.releases.difference import Difference

Number = tuple[int, int, int]
LEAST = "least"  # written in place of a version: the least that is allowed
FIRST: Number = (1, 0, 0)
_NUMBER = r"(0|[1-9]\d{0,8})"
_VERSION = re.compile(rf"{_NUMBER}\.{_NUMBER}\.{_NUMBER}", re.ASCII)


@dataclass(frozen=True)
class Label:
    """How a release is called by others: its version, LEAST, or "" without one; and what it is about."""

    version: str = ""
    note: str = ""


def number_of(version: str) -> Number:
    """Return the numbers of a version. Raises ValueError if it is none."""
    match = _VERSION.fullmatch(version)
    if match is None:
        raise ValueError(f"{version} is no version: three whole numbers, as 1.1.0, or {LEAST}")
    major, minor, patch = map(int, match.groups())
    return major, minor, patch


def in_words(number: Number) -> str:
    return ".".join(map(str, number))


def reasons(difference: Difference) -> tuple[str, list[str]]:
    """Return the step that the difference takes, major, minor or patch, and what takes it, in words."""
    steps = {
        "major": [
            (len(difference.turns_gone), "turn", "gone"),
            (len(difference.turns_changed), "turn", "changed"),
            (len(difference.of_kind("gone")), "accepted answer", "gone"),
            (len(difference.of_kind("moved")), "accepted answer", "in the other tier"),
            (len(difference.runs_gone), "run", "gone"),
        ],
        "minor": [
            (len(difference.turns_added), "turn", "added"),
            (len(difference.of_kind("added")), "accepted answer", "added"),
            (len(difference.runs_added), "run", "added"),
            (len(difference.verdicts), "outcome", "added or changed"),
        ],
    }
    for step, counts in steps.items():
        if found := [f"{n:,} {what}{'s' * (n != 1)} {how}" for n, what, how in counts if n]:
            return step, found
    return "patch", ["no turn, accepted answer, run or outcome is another"]


def least(before: Number, step: str, used: Iterable[Number]) -> Number:
    """Return the least version by a step from `before` that is greater than all in `used`."""
    major, minor, patch = before
    stepped = {
        "major": (major + 1, 0, 0),
        "minor": (major, minor + 1, 0),
        "patch": (major, minor, patch + 1),
    }[step]
    return max(stepped, after(used))


def after(used: Iterable[Number]) -> Number:
    """Return the least version that is greater than all in `used`; 0.0.0 where there are none."""
    newest = max(used, default=None)
    return (0, 0, 0) if newest is None else (*newest[:2], newest[2] + 1)


def first(used: Collection[Number]) -> Number:
    """Return the least version where none can be compared with, which is FIRST where none is used."""
    return after(used) if used else FIRST
