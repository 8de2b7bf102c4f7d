"""What the people who judged make of a rate of verdicts, and of a difference of rates.

A rate is a share of verdicts, each of which rests on the votes of a few people; more lenient people
would have accepted more. How much more is read from the mean of the votes y on all answers that were
asked about, settled or not (votes on settled answers hardly show it where verdicts are unanimous). With
N votes, their mean m, and the score z = (y - m) / N of a vote,

    V_a - V_c = A / (A - 1) · Σ (sum of an annotator)² - Σ (sum of a cell)²

(`stats.two_way_clustering`) is added to the variance over questions of the rate,

    V_q = deff · p'(1 - p') / n,    p' = (accepted + z²/2) / (n + z²), the middle of Wilson's interval
    V_q = deff · max(b + c, 1) / n²,    of a difference with b and c discordant questions

The scores of a difference are those of the one run less those of the other, so that the leniency of
those who judged both drops out. The interval is Wilson's or Tango's with

    z = t · √(deff · V / V_q),    V = V_q + max(0, V_a - V_c)

so that as much is added to z² as to the variance; t has the degrees of freedom of V, and z is never less than that
of the interval for these people. p of a difference d is that of |d| / √V, at most .05 where Tango's interval with the
first z is without 0.

How often the intervals hold is measured by `python -m bench.coverage --only rates`: a verdict follows leniency more
steeply than a vote does, so they are somewhat short over many questions. Undefined: fewer than three annotators.
"""

from collections.abc import Iterable, Mapping, Set
from dataclasses import dataclass
from math import sqrt
from typing import NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from stats.bootstrap import Floats, Ints
from stats.proportion_intervals import Interval, Z, tango, wilson
from stats.two_way_clustering import TwoWay, with_variance_of_questions

Bools = NDArray[np.bool_]


class Vote(NamedTuple):
    """What an annotator said of a run's answer: whether it is accepted, at one step."""

    run: str
    step: str
    question: str
    annotator: str
    is_accepted: bool


@dataclass(frozen=True, eq=False)
class Votes:
    """The votes as sums over cells, each of one annotator on one question, sorted.

    `accepted` and `counts` have of each run and step an array over cells: how many votes accept, and how many there are.
    """

    questions: list[str]
    annotators: Ints
    accepted: Mapping[tuple[str, str], Ints]
    counts: Mapping[tuple[str, str], Ints]

    @classmethod
    def of(cls, votes: Iterable[Vote]) -> Self:
        """Return the sums of these votes. Their order changes no figure."""
        known = list(votes)
        cells = sorted({(each.question, each.annotator) for each in known})
        places = {cell: place for place, cell in enumerate(cells)}
        of_runs: dict[tuple[str, str], Ints] = {}
        for vote in known:
            sums = of_runs.setdefault((vote.run, vote.step), np.zeros((2, len(cells)), np.int64))
            sums[:, places[vote.question, vote.annotator]] += int(vote.is_accepted), 1
        return cls(
            questions=[question for question, _ in cells],
            annotators=_numbered([annotator for _, annotator in cells]),
            accepted={key: sums[0] for key, sums in of_runs.items()},
            counts={key: sums[1] for key, sums in of_runs.items()},
        )

    def on(self, questions: Set[str]) -> Bools:
        """Return whether each cell is of one of these questions."""
        return np.array([each in questions for each in self.questions], bool)

    def scores(self, run: str, weights: Mapping[str, float], within: Bools) -> "Scores":
        """Return the scores of the run's votes in these cells, those of each step with a weight."""
        found = Scores(np.zeros(len(within)), np.zeros(len(within), bool))
        for step, weight in weights.items():
            if (run, step) in self.counts:
                counts = self.counts[run, step] * within
                found = found.plus(_scores(self.accepted[run, step] * within, counts, weight))
        return found

    def variance(self, scores: "Scores", own: float, n_clusters: int) -> TwoWay:
        """Return the variance of a figure whose variance over so many clusters is `own`, with what people make."""
        of_annotators, n = self._by_annotator(scores)
        of_cells = float((scores.values**2).sum())
        return with_variance_of_questions(
            own,
            of_annotators=of_annotators * (n / (n - 1) if n > 1 else 0.0),
            of_cells=of_cells,
            n_questions=n_clusters,
            n_annotators=n,
        )

    def _by_annotator(self, scores: "Scores") -> tuple[float, int]:
        """Return the sum of the squared sums of annotators, and how many of them voted."""
        n = int(self.annotators.max(initial=-1)) + 1
        sums = np.bincount(self.annotators, scores.values, minlength=n)
        return float((sums**2).sum()), len(set(self.annotators[scores.are_known].tolist()))


class Scores(NamedTuple):
    """The sum of scores in each cell, and whether there is any vote in it."""

    values: Floats
    are_known: Bools

    def plus(self, other: "Scores") -> "Scores":
        return Scores(self.values + other.values, self.are_known | other.are_known)

    def less(self, other: "Scores") -> "Scores":
        return Scores(self.values - other.values, self.are_known | other.are_known)


def rate_variance(n_accepted: int, n: int, design_effect: float) -> float:
    """Return V_q of a rate. ZeroDivisionError without questions."""
    middle = (n_accepted + Z * Z / 2) / (n + Z * Z)
    return design_effect * middle * (1 - middle) / n


def difference_variance(n_one: int, n_other: int, n: int, design_effect: float) -> float:
    """Return V_q of a difference. ZeroDivisionError without questions."""
    return design_effect * max(n_one + n_other, 1) / n**2


def rate_interval(n_accepted: int, n: int, design_effect: float, of: TwoWay) -> Interval:
    """Return Wilson's interval of a rate, for people and questions like these."""
    z = _critical_value(n, design_effect, of)
    return Interval(None, None, of.reason) if z is None else wilson(n_accepted, n, z)


def difference_interval(
    n_one: int, n_other: int, n: int, design_effect: float, of: TwoWay
) -> Interval:
    """Return Tango's interval of a difference, for people and questions like these."""
    z = _critical_value(n, design_effect, of)
    return Interval(None, None, of.reason) if z is None else tango(n_one, n_other, n, z)


def _critical_value(n: int, design_effect: float, of: TwoWay) -> float | None:
    from stats.distributions import student_t_quantile  # noqa: PLC0415  scipy: only where a job counts

    if of.variance is None or of.df is None:
        return None
    z = student_t_quantile(0.975, of.df) * sqrt(design_effect * of.variance / of.of_questions)
    if of.n_questions == n:
        return max(z, Z)
    return max(z, student_t_quantile(0.975, of.n_questions - 1) * sqrt(design_effect))


def _scores(accepted: Ints, counts: Ints, weight: float) -> Scores:
    n, n_accepted = int(counts.sum()), int(accepted.sum())
    # whole numbers until the last division
    values = (n * accepted - n_accepted * counts) / (n * n) if n else np.zeros(len(counts))
    return Scores(weight * values, counts > 0)


def _numbered(names: list[str]) -> Ints:
    places: dict[str, int] = {}
    return np.array([places.setdefault(name, len(places)) for name in names], np.int64)
