"""How candidates are selected: every parameter, so that a stored rule draws the same pool again. Plain Python."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, TypeGuard

from sampling.duplicates import BAG_KINDS, BagKind


class RuleError(ValueError):
    """A rule that cannot be meant: says which field and what was wrong with it."""


@dataclass(frozen=True, slots=True)
class Rule:
    """How to select. Equal rules on equal answers draw equal pools."""

    scorer: str  # the one scorer whose scores the caller passes
    threshold: float
    min_candidates: int = 3
    bag: BagKind = "default"
    cap_per_turn: int | None = None
    runs: frozenset[str] | None = None  # draw from these only; None: from all that are passed
    seed: int = 1
    # Answers at least so near are one answer; None: only those of one bag.
    near: float | None = None

    def __post_init__(self) -> None:
        cap, runs, least = self.cap_per_turn, self.runs, self.near
        named = isinstance(runs, frozenset) and bool(runs) and all(map(_is_name, runs))
        _require("scorer", self.scorer, _is_name(self.scorer), "a scorer's name")
        _require("threshold", self.threshold, is_finite(self.threshold), "a finite number")
        _require("min_candidates", self.min_candidates, _is_count(self.min_candidates), "1 or more")
        _require("bag", self.bag, self.bag in BAG_KINDS, " or ".join(BAG_KINDS))
        _require("cap_per_turn", cap, cap is None or _is_count(cap), "None, or 1 or more")
        _require("runs", runs, runs is None or named, "None, or a set of runs' names")
        _require("seed", self.seed, _is_whole(self.seed), "a whole number")
        nears = least is None or (is_finite(least) and 0 < least <= 1)
        _require("near", least, nears, "None, or above 0 and at most 1")

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON; `Rule.from_dict` of them is an equal rule.

        `near` is there where it was asked for, so that the rules of older pools read as they did.
        """
        plain = {field.name: getattr(self, field.name) for field in fields(self)}
        if self.near is None:
            del plain["near"]
        return plain | {"runs": None if self.runs is None else sorted(self.runs)}

    @classmethod
    def from_dict(cls, plain: Mapping[str, Any]) -> "Rule":
        """The rule of stored values: what is left out has its default, unknown names are refused."""
        unknown = sorted(plain.keys() - {field.name for field in fields(cls)})
        missing = sorted({"scorer", "threshold"} - plain.keys())
        if unknown or missing:
            raise RuleError(f"unknown fields: {unknown}; missing fields: {missing}")
        runs = plain.get("runs")
        if isinstance(runs, list) and all(map(_is_name, runs)):
            runs = frozenset(runs)
        return cls(**{**plain, "runs": runs})


def _require(field: str, value: object, holds: bool, wanted: str) -> None:
    if not holds:
        raise RuleError(f"{field} is {value!r}, but has to be {wanted}")


def _is_name(value: object) -> bool:
    return isinstance(value, str) and bool(value.strip())


def _is_whole(value: object) -> TypeGuard[int]:
    return isinstance(value, int) and not isinstance(value, bool)


def _is_count(value: object) -> bool:
    return _is_whole(value) and value >= 1


def is_finite(value: object) -> bool:
    return (isinstance(value, float) or _is_whole(value)) and math.isfinite(value)
