"""What a comparison of runs found, as it is kept and shown. Plain Python, and without numpy: pages load it."""

from array import array
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import astuple, dataclass
from typing import Any

# What a run's setup says of the questions that it was given; other words are setups too.
SETUPS = ORIGINAL, REWRITTEN = "original", "rewritten"


@dataclass(frozen=True, slots=True)
class RunValues:
    """A run's values by one scorer, one for each turn (NaN: none), and why there is none at all."""

    values: "array[float]"
    n_not_given: int
    n_not_scored: int
    reason: str


@dataclass(frozen=True)
class Layout:
    """Where in a column the runs stand: those of each setup, and the pairs of a system's runs,
    (on original, on rewritten questions)."""

    setups: Mapping[str, Sequence[int]]
    pairs: Sequence[tuple[int, int]]


@dataclass(frozen=True, slots=True)
class Figure:
    """The mean of a run's values by one scorer, with the middle 95 % of its bootstrap replicates.

    A value, or an interval, that is undefined is None and has its reason; otherwise that is "". The mean
    is over `n_turns`, of which the run gave nothing for `n_not_given`; answers to `n_not_scored` more
    have no score yet and are left out. `n_undefined` of the replicates had no value.
    """

    value: float | None
    reason: str
    low: float | None
    high: float | None
    interval_reason: str
    n_turns: int
    n_not_given: int
    n_not_scored: int
    n_undefined: int


@dataclass(frozen=True, slots=True)
class Likeness:
    """How alike two columns rank `n_runs` runs: of the scorers `one` and `other` on the runs of a setup.

    Or, where `one` is `other`, of that scorer on original and on rewritten questions; then a row is a
    system. Undefined as in Figure.
    """

    setup: str
    one: int
    other: int
    coefficient: str
    value: float | None
    reason: str
    low: float | None
    high: float | None
    interval_reason: str
    n_runs: int
    n_undefined: int


@dataclass(frozen=True)
class Comparison:
    """The runs of a data set under every scorer, by one denominator. Figures are by run and scorer."""

    figures: Mapping[tuple[int, int], Figure]
    likenesses: Sequence[Likeness]
    n_clusters: int

    def of_measures(self, setup: str, scorer: int) -> list[tuple[int, Mapping[str, Likeness]]]:
        """Each other scorer, with both coefficients of how alike it and this one rank the setup's runs."""
        found: dict[int, dict[str, Likeness]] = {}
        for each in self.likenesses:
            if each.setup == setup and each.one != each.other and scorer in (each.one, each.other):
                other = each.other if each.one == scorer else each.one
                found.setdefault(other, {})[each.coefficient] = each
        return list(found.items())

    def of_setups(self) -> list[tuple[int, Mapping[str, Likeness]]]:
        """Each scorer, with both coefficients of original against rewritten questions."""
        found: dict[int, dict[str, Likeness]] = {}
        for each in self.likenesses:
            if each.one == each.other:
                found.setdefault(each.one, {})[each.coefficient] = each
        return list(found.items())


def as_lists(rows: Iterable[Figure | Likeness]) -> list[list[Any]]:
    """As JSON keeps them: there are many, so without the names of their fields."""
    return [list(astuple(row)) for row in rows]
