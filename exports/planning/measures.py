"""The figures that judgements are planned for, and the spread that is assumed without a pilot.

A spread is a standard deviation of single judgements by question, by person and of the rest. Of a
difference of two runs those of people are from SummEval (Fabbri et al. 2021, TACL 9:391-409; 3 experts,
100 documents, 16 systems): there the error of a difference is 2.3 (coherence), 2.0 (relevance), 1.2
(consistency, fluency) times the one for these experts. Assumed is 2.0, so s_a² = .09·(s_q² + s_e² / 3).
The others are round numbers: judgements of a difference deviate by 1.2 points on a scale from 1 to 4;
three of four comparisons are no tie; of two answers one alone is called plausible in two of five.
"""

from dataclasses import dataclass
from typing import Literal

from annotation.schemes.plausibility import SCHEME as PLAUSIBILITY
from annotation.schemes.preference import SCHEME as PREFERENCE
from annotation.schemes.rating import SCHEME as RATING
from stats.variance_components import Components


@dataclass(frozen=True, slots=True)
class Spread:
    """Standard deviations in the unit of the figure."""

    questions: float
    people: float
    rest: float

    @property
    def components(self) -> Components:
        return Components(self.questions**2, self.people**2, self.rest**2)

    @classmethod
    def of(cls, components: Components) -> "Spread":
        """Return the standard deviations of these variances."""
        return cls(components.questions**0.5, components.people**0.5, components.rest**0.5)


@dataclass(frozen=True, slots=True)
class Measure:
    """A figure of runs.

    scheme      the scheme whose judgements it rests on
    unit        points of a scale from 1 to 4, or a share
    difference  the spread of a judged difference of two runs
    one_run     the spread of the judgements of one run
    """

    name: str
    words: str
    scheme: str
    unit: Literal["rating", "share"]
    difference: Spread
    one_run: Spread

    @property
    def largest(self) -> float:
        """The largest possible difference."""
        return 3 if self.unit == "rating" else 1


RATED = Spread(0.7, 0.27, 1.0), Spread(0.6, 0.4, 0.7)
_measures = (
    Measure("both", "F+A", RATING.name, "rating", *RATED),
    Measure("faithful", "Faithful", RATING.name, "rating", *RATED),
    Measure("appropriate", "Appropriate", RATING.name, "rating", *RATED),
    Measure(
        *("preference", "Preference and win-rate", PREFERENCE.name, "share"),
        difference=Spread(0.5, 0.19, 0.7),
        one_run=Spread(0.25, 0.1, 0.4),
    ),
    Measure(
        *("plausible", "Plausible", PLAUSIBILITY.name, "share"),
        difference=Spread(0.4, 0.15, 0.5),
        one_run=Spread(0.3, 0.1, 0.3),
    ),
)
MEASURES = {each.name: each for each in _measures}
SCHEMES = tuple(dict.fromkeys(each.scheme for each in _measures))


def first_of_scheme(scheme: str) -> Measure | None:
    """The first measure of the scheme's judgements; None for a scheme that is not planned."""
    return next((each for each in _measures if each.scheme == scheme), None)


def items_per_question(measure: Measure, n_runs: int) -> int:
    """The number of items of a question if all runs give unlike answers: one screen with all of
    them, each two side by side, or each alone.
    """
    if measure.scheme == RATING.name:
        return 1
    return n_runs * (n_runs - 1) // 2 if measure.scheme == PREFERENCE.name else n_runs
