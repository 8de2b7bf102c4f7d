"""The rule of a comparison of runs.

It has every parameter, so that a stored rule draws the same pool again. A question is not eligible
for one of these reasons, the first that applies:

    missed      a chosen run has no answer to it ("all": an empty one counts as given), or fewer than two
                chosen runs have a text for it ("two")
    silent      no chosen run has a text for it, so there is nothing to show
    no_passage  its setup has no passage with text, unless such questions are kept

References are shown among the runs, but are not required: an unanswerable question has none.

The passages of a setup, those with text only:

    gold       those that the data set's truth names for the question, in its order, or, if it names none,
               those offered for it
    retrieved  those that the answers of the chosen systems and baselines cite: by the best rank that any of
               them gives the passage (one without a rank comes last), then by docid; the first `top` of them
"""

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, fields
from enum import StrEnum
from typing import Any, Literal

from sampling.comparisons.questions import QUOTAS, STRATA, QuestionRule, Quota, Stratum
from sampling.pools.rule import RuleError, is_count, is_whole, require
from sampling.pools.turns import ALLOCATIONS, Allocation

Setup = Literal["gold", "retrieved"]
AnsweredBy = Literal["all", "two"]
References = bool | Literal["first"]
SETUPS: tuple[Setup, ...] = ("gold", "retrieved")
ANSWERED_BY: tuple[AnsweredBy, ...] = ("all", "two")


class LeftOut(StrEnum):
    """The reason why a question is not eligible."""

    MISSED = "missed"
    SILENT = "silent"
    NO_PASSAGE = "no_passage"


@dataclass(frozen=True, slots=True)
class ComparisonRule:
    """The parameters. Equal rules on equal answers draw equal pools.

    Raises RuleError if one is invalid.
    """

    setup: Setup
    top: int | None = None  # of retrieved passages
    runs: tuple[str, ...] | None = None  # None: all systems and baselines
    references: References = True  # the runs of reference answers too: all, the first, or none
    n_questions: int | None = None  # None: all that are eligible, or as the quotas say
    quotas: Mapping[Quota, int] | None = None
    strata: tuple[Stratum, ...] = ()
    allocation: Allocation = "proportional"
    answered_by: AnsweredBy = "all"
    keeps_without_passages: bool = False
    seed: int = 1

    def __post_init__(self) -> None:
        require("setup", self.setup, self.setup in SETUPS, " or ".join(SETUPS))
        if self.setup == "retrieved":
            require("top", self.top, is_count(self.top), "1 or more with retrieved passages")
        else:
            require("top", self.top, self.top is None, "left out with gold passages: all are shown")
        named = self.runs is None or (bool(self.runs) and len(set(self.runs)) == len(self.runs))
        require("runs", self.runs, named, "None, or the names of runs, each once")
        shown = self.references
        require("references", shown, shown in (True, False, "first"), "true, false or first")
        require(
            "strata", self.strata, _parts(self.strata), f"some of {', '.join(STRATA)}, each once"
        )
        how = self.allocation
        require("allocation", how, how in ALLOCATIONS, " or ".join(ALLOCATIONS))
        by = self.answered_by
        require("answered_by", by, by in ANSWERED_BY, " or ".join(ANSWERED_BY))
        require("seed", self.seed, is_whole(self.seed), "a whole number")
        self._require_number()

    def _require_number(self) -> None:
        n, quotas = self.n_questions, self.quotas
        require("n_questions", n, n is None or is_count(n), "None, or 1 or more")
        if quotas is None:
            return
        if n is not None and n != sum(quotas.values()):
            raise RuleError("n_questions says another number than the quotas: give one of them")
        strange = sorted(quotas.keys() - set(QUOTAS))
        require("quotas", strange, not strange, f"of {' and '.join(QUOTAS)}")
        for quota, wanted in quotas.items():
            require(quota, wanted, wanted == 0 or is_count(wanted), "0 or more")
        if not any(quotas.values()):
            raise RuleError("a comparison of no question says nothing: ask for some")

    @property
    def questions(self) -> QuestionRule:
        return QuestionRule(self.n_questions, self.strata, self.allocation, self.quotas, self.seed)

    def to_dict(self) -> dict[str, Any]:
        """Return plain values for JSON; `ComparisonRule.from_dict` of them is an equal rule."""
        plain = asdict(self) | {"strata": list(self.strata)}
        if self.quotas is not None:
            plain["quotas"] = {quota: self.quotas.get(quota, 0) for quota in QUOTAS}
            plain["n_questions"] = sum(self.quotas.values())
        return plain | {"runs": None if self.runs is None else list(self.runs)}

    @classmethod
    def from_dict(cls, plain: Mapping[str, Any]) -> "ComparisonRule":
        """Return the rule of stored values.

        Missing values get their default; unknown names raise RuleError.
        """
        unknown = sorted(plain.keys() - {field.name for field in fields(cls)})
        if unknown or "setup" not in plain:
            raise RuleError(f"unknown fields: {unknown}, or no setup")
        tuples = {field: tuple(plain[field]) for field in ("runs", "strata") if plain.get(field)}
        empty = {"strata": ()} if not plain.get("strata") else {}
        return cls(**{**plain, **tuples, **empty})


def _parts(strata: Iterable[str]) -> bool:
    named = list(strata)
    return set(named) <= set(STRATA) and len(set(named)) == len(named)
