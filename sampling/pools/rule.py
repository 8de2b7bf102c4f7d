"""The rule of a pool: every parameter, so that a stored rule draws the same pool again."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, TypeGuard

from sampling.pools.turns import (
    ALLOCATIONS,
    DISAGREEMENT,
    STRATA,
    Allocation,
    Strata,
    TurnRule,
)
from text.bags import BAG_KINDS, BagKind

# There where a number of turns was asked for, so that the rules of older pools read as they did.
TURN_FIELDS = ("n_turns", "strata", "allocation", "prefer")


class RuleError(ValueError):
    """An invalid rule; the message names the field and what is wrong with it."""


@dataclass(frozen=True, slots=True)
class Rule:
    """The parameters. Equal rules on equal answers draw equal pools."""

    scorer: str  # the one scorer whose scores the caller passes
    threshold: float
    min_candidates: int = 3
    bag: BagKind = "default"
    cap_per_turn: int | None = None
    runs: frozenset[str] | None = None  # draw from these only; None: from all that are passed
    seed: int = 1
    # Answers at least so near are one answer; None: only those of one bag.
    near: float | None = None
    # Of the turns that would give candidates draw so many (sampling.pools.turns); None: all.
    n_turns: int | None = None
    strata: Strata | None = None
    allocation: Allocation = "proportional"
    prefer: str | None = None  # "disagreement": turns on which the runs disagree more often
    # Of a later version: without candidates that people are or were asked about on an earlier one, on turns that are the same.
    leaves_out_standing: bool = False

    def __post_init__(self) -> None:
        cap, runs, least = self.cap_per_turn, self.runs, self.near
        named = isinstance(runs, frozenset) and bool(runs) and all(map(_is_name, runs))
        require("scorer", self.scorer, _is_name(self.scorer), "a scorer's name")
        require("threshold", self.threshold, is_finite(self.threshold), "a finite number")
        require("min_candidates", self.min_candidates, is_count(self.min_candidates), "1 or more")
        require("bag", self.bag, self.bag in BAG_KINDS, " or ".join(BAG_KINDS))
        require("cap_per_turn", cap, cap is None or is_count(cap), "None, or 1 or more")
        require("runs", runs, runs is None or named, "None, or a set of runs' names")
        require("seed", self.seed, is_whole(self.seed), "a whole number")
        nears = least is None or (is_finite(least) and 0 < least <= 1)
        require("near", least, nears, "None, or above 0 and at most 1")
        by_version = self.leaves_out_standing
        require("leaves_out_standing", by_version, isinstance(by_version, bool), "true or false")
        self._require_turns()

    def _require_turns(self) -> None:
        n, by = self.n_turns, self.allocation
        require("n_turns", n, n is None or is_count(n), "None, or 1 or more")
        require("strata", self.strata, self.strata in (None, *STRATA), " or ".join(STRATA))
        require("allocation", by, by in ALLOCATIONS, " or ".join(ALLOCATIONS))
        require("prefer", self.prefer, self.prefer in (None, DISAGREEMENT), DISAGREEMENT)
        if n is None and (self.strata or self.prefer):
            raise RuleError("strata and preference choose among questions: say how many to draw")

    @property
    def turns(self) -> TurnRule | None:
        """Return the rule that draws turns; None if all turns with candidates are drawn."""
        if self.n_turns is None:
            return None
        return TurnRule(self.n_turns, self.allocation, self.prefer == DISAGREEMENT, self.seed)

    def to_dict(self) -> dict[str, Any]:
        """Return plain values for JSON; `Rule.from_dict` of them is an equal rule.

        `near`, `leaves_out_standing` and the fields on turns are included only if they are set, so
        that rules of older pools keep their form.
        """
        plain = {field.name: getattr(self, field.name) for field in fields(self)}
        if self.near is None:
            del plain["near"]
        if not self.leaves_out_standing:
            del plain["leaves_out_standing"]
        if self.n_turns is None:
            plain = {field: value for field, value in plain.items() if field not in TURN_FIELDS}
        return plain | {"runs": None if self.runs is None else sorted(self.runs)}

    @classmethod
    def from_dict(cls, plain: Mapping[str, Any]) -> "Rule":
        """Return the rule of stored values.

        Missing values get their default; unknown names raise RuleError.
        """
        unknown = sorted(plain.keys() - {field.name for field in fields(cls)})
        missing = sorted({"scorer", "threshold"} - plain.keys())
        if unknown or missing:
            raise RuleError(f"unknown fields: {unknown}; missing fields: {missing}")
        runs = plain.get("runs")
        if isinstance(runs, list) and all(map(_is_name, runs)):
            runs = frozenset(runs)
        return cls(**{**plain, "runs": runs})


def require(field: str, value: object, holds: bool, requirement: str) -> None:
    if not holds:
        raise RuleError(f"{field} is {value!r}, but has to be {requirement}")


def _is_name(value: object) -> bool:
    return isinstance(value, str) and bool(value.strip())


def is_whole(value: object) -> TypeGuard[int]:
    return isinstance(value, int) and not isinstance(value, bool)


def is_count(value: object) -> bool:
    return is_whole(value) and value >= 1


def is_finite(value: object) -> bool:
    return (isinstance(value, float) or is_whole(value)) and math.isfinite(value)
