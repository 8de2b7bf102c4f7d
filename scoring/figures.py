"""The figures of a comparison of runs, as jobs store and pages show them.

Without numpy, because web processes load it.
"""

from array import array
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import astuple, dataclass
from typing import Any

# What a run's setup says of the questions that it was given; other words are setups too.
SETUPS = ORIGINAL, REWRITTEN = "original", "rewritten"


@dataclass(frozen=True, slots=True)
class RunValues:
    """A run's values by one scorer, one a turn (NaN for none).

    `reason` says why there is none at all.
    """

    values: "array[float]"
    n_not_given: int
    n_not_scored: int
    reason: str


@dataclass(frozen=True)
class Layout:
    """The positions of runs in a column: those of each setup, and the pair of each system.

    A pair is (run on original questions, run on rewritten questions).
    """

    setups: Mapping[str, Sequence[int]]
    pairs: Sequence[tuple[int, int]]


@dataclass(frozen=True, slots=True)
class Figure:
    """The mean of a run's values by one scorer, with the middle 95 % of its bootstrap replicates.

    An undefined value or interval is None and has its reason; otherwise the reason is "". The mean
    is over `n_turns`, of which the run gave nothing for `n_not_given`; answers to `n_not_scored`
    more have no score yet and are left out. `n_undefined` of the replicates had no value.
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
class ScorerCorrelation:
    """The correlation of two columns over `n_runs` runs.

    The columns are those of the scorers `one` and `other` on a setup's runs. If both are the same
    scorer, they are its values on original and on rewritten questions, over systems. Undefined
    values as in Figure.
    """

    setup: str
    one: int
    other: int
    coefficient: str
    value: float | None
    reason: str
    n_runs: int


@dataclass(frozen=True)
class Comparison:
    """The runs of a data set under every scorer, by one denominator. Figures are by run and scorer."""

    figures: Mapping[tuple[int, int], Figure]
    correlations: Sequence[ScorerCorrelation]
    n_clusters: int

    def with_other_scorers(
        self, setup: str, scorer: int
    ) -> list[tuple[int, Mapping[str, ScorerCorrelation]]]:
        """Return each other scorer with both coefficients of its correlation with this one.

        Over the runs of the setup.
        """
        by_scorer: dict[int, dict[str, ScorerCorrelation]] = {}
        for correlation in self.correlations:
            if (
                correlation.setup == setup
                and correlation.one != correlation.other
                and scorer in (correlation.one, correlation.other)
            ):
                other = correlation.other if correlation.one == scorer else correlation.one
                by_scorer.setdefault(other, {})[correlation.coefficient] = correlation
        return list(by_scorer.items())

    def between_setups(self) -> list[tuple[int, Mapping[str, ScorerCorrelation]]]:
        """Return each scorer with both coefficients of original against rewritten questions."""
        by_scorer: dict[int, dict[str, ScorerCorrelation]] = {}
        for correlation in self.correlations:
            if correlation.one == correlation.other:
                by_scorer.setdefault(correlation.one, {})[correlation.coefficient] = correlation
        return list(by_scorer.items())


def as_lists(rows: Iterable[Figure | ScorerCorrelation]) -> list[list[Any]]:
    """Return the rows as lists without field names, which make JSON of many rows large."""
    return [list(astuple(row)) for row in rows]
