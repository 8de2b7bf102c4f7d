"""Figures of runs that people compare and rate, by the functions of `exports.comparison`.

The quality of a run's answer is the run's strength plus an effect of the question on the run (normal, deviation
`unlike`), the same for all people. Of two answers a person prefers the better one with odds whose logit is their
distance; the answer on the left, random for each question and pair, gains `left`. Ties are Davidson's, `ties` as
likely as a win if both are alike. Ratings from 1 to 4 are a normal number cut into four, whose mean is lower for
weaker runs; half of the effect of the question is common to all runs. A better answer is longer (log-normal), and
has more of an automatic measure between 0 and 1.

Data sets are drawn with replacement from a population of questions, so that its figures are exactly the true values.
"""

from collections.abc import Iterator
from dataclasses import dataclass, fields
from fractions import Fraction
from functools import cache
from itertools import combinations
from math import inf, sqrt
from typing import Any

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from bench.coverage.engine import Observation, contained
from stats import metric_correlation, ratings
from stats.agreement.judgement_table import Floats, Ints
from stats.clustered_means import mean
from stats.pairwise import length_bias
from stats.pairwise.bradley_terry import bradley_terry
from stats.pairwise.records import Preference, Rating, Side
from stats.proportion_intervals import Interval

N_QUESTIONS, N_OF_COEFFICIENTS, REPLICATES = 10_000, 1_000, 1_000
# The harmonic mean of two ratings from 1 to 4 is a whole number of parts of so many.
PARTS = 840
# Between 1 and 2, 2 and 3, 3 and 4.
CUTS = (-1.5, -0.5, 0.5)
# Of lengths in characters: the logarithm where all is 0, what a unit of both qualities adds to it, its deviation.
LONG, GAIN, DEVIATION = 5.0, 0.2, 0.4


@dataclass(frozen=True)
class Design:
    strengths: tuple[float, ...] = (0.6, 0.2, -0.2, -0.6)
    n_people: int = 3
    unlike: float = 1.0
    ties: float = 0.5
    left: float = 0.3
    rated: float = 0.3

    @property
    def runs(self) -> list[str]:
        return [f"r{number}" for number in range(len(self.strengths))]

    @property
    def pairs(self) -> list[tuple[int, int]]:
        return [*combinations(range(len(self.strengths)), 2)]


DESIGNS = {
    "four runs, three people": Design(),
    "questions very unlike": Design(unlike=2.0),
    "one run far ahead, rated 4 nearly always": Design((3.0, 0.0, -0.5, -1.0), rated=2.0),
    "one person": Design(n_people=1),
    "three runs alike, many ties": Design((0.0, 0.0, 0.0), ties=2.0, left=0.0),
}


@dataclass(frozen=True, eq=False)
class Judged:
    """Judgements by question and person, and the answers by question and run.

    `won` (n, people, pairs) is 0 for the first of the pair, 1 for the second, 2 for a tie; `left` whether the
    first was on the left; `rated` (n, people, runs, 2) faithful and appropriate; `lengths` and `scores` (n, runs).
    """

    won: Ints
    left: Ints
    rated: Ints
    lengths: Ints
    scores: Floats

    def draw(self, rng: Generator, n: int) -> "Judged":
        rows = rng.integers(len(self.won), size=n)
        return Judged(*(getattr(self, field.name)[rows] for field in fields(self)))


def population(rng: Generator, design: Design, n: int = N_QUESTIONS) -> Judged:
    first, second = np.array(design.pairs).T
    quality = np.array(design.strengths) + rng.normal(0, design.unlike, (n, len(design.strengths)))
    left = np.repeat(rng.integers(0, 2, (n, 1, len(first))), design.n_people, axis=1)
    gap = (quality[:, first] - quality[:, second])[:, None] + design.left * (2 * left - 1)
    wins, losses = np.exp(gap / 2), np.exp(-gap / 2)
    at = rng.random(gap.shape) * (wins + losses + design.ties)
    rated_quality, rated = _ratings(rng, design, n)
    log_length = LONG + GAIN * (quality + rated_quality) + DEVIATION * _deviation(rng, quality)
    return Judged(
        won=np.where(at < wins, 0, np.where(at < wins + losses, 1, 2)).astype(np.int64),
        left=left,
        rated=rated,
        lengths=np.exp(log_length).astype(np.int64),
        scores=1 / (1 + np.exp(-rated_quality - _deviation(rng, quality))),
    )


def _ratings(rng: Generator, design: Design, n: int) -> tuple[Floats, Ints]:
    """Return the quality of each run's answers, (n, runs), the mean of both scales, and their ratings."""
    of_question = rng.normal(0, design.unlike, (n, 1, 2))
    own = rng.normal(0, design.unlike, (n, len(design.strengths) - 1, 2))
    below = (np.array(design.strengths[1:]) - design.strengths[0])[:, None]
    quality = np.concatenate([of_question, below + (of_question + own) / sqrt(2)], axis=1)
    quality += design.rated
    noise = rng.normal(0, 1, (n, design.n_people, *quality.shape[1:]))
    rated = np.digitize(quality[:, None] + noise, CUTS) + 1
    return quality.mean(axis=2), rated.astype(np.int64)


def _deviation(rng: Generator, like: Floats) -> Floats:
    """Return normal numbers of variance 1, of which half is the question's."""
    return (rng.normal(0, 1, (len(like), 1)) + rng.normal(0, 1, like.shape)) / sqrt(2)


class Records:
    """A data set as `exports.comparison` has it."""

    def __init__(self, sample: Judged, design: Design) -> None:
        self.runs = design.runs
        names = [f"{row:05}" for row in range(len(sample.won))]
        self.preferences = [
            _preference(question, f"{person}", self.runs[one], self.runs[other], who, left)
            for question, people, sides in zip(
                names, sample.won.tolist(), sample.left.tolist(), strict=True
            )
            for person, (won, on_left) in enumerate(zip(people, sides, strict=True))
            for (one, other), who, left in zip(design.pairs, won, on_left, strict=True)
        ]
        self.ratings = [
            Rating(question, run, f"{question} {run}", f"{person}", faithful, appropriate)
            for question, people in zip(names, sample.rated.tolist(), strict=True)
            for person, rated in enumerate(people)
            for run, (faithful, appropriate) in zip(self.runs, rated, strict=True)
        ]
        keys = [(question, run) for question in names for run in self.runs]
        self.lengths = dict(zip(keys, sample.lengths.ravel().tolist(), strict=True))
        self.scores = dict(zip(keys, sample.scores.ravel().tolist(), strict=True))


def _preference(
    question: str, person: str, one: str, other: str, who: int, left: int
) -> Preference:
    """Return the record; `who` is 0 for the first, 1 for the second, 2 for a tie."""
    sides = (one, other) if left else (other, one)
    preferred: Side = "tie" if who == 2 else "left" if (who == 0) == bool(left) else "right"
    return Preference(question, f"{person} {one} {other}", person, *sides, preferred)


Values = dict[str, list[int]]  # by question


def values(sample: Judged, design: Design) -> Iterator[tuple[str, Values, tuple[float, float]]]:
    """Yield the figures that are means over questions, with the least and the greatest value.

    Values are integers: of F+A in parts of 840, of ties half in halves, of differences summed over people.
    """
    won, people = sample.won, design.n_people
    first = won[:, :, [place for place, pair in enumerate(design.pairs) if 0 in pair]]
    yield "win-rate, ties 0", _by_question(first == 0), (0, 1)
    yield "win-rate, ties half", _by_question(2 * (first == 0) + (first == 2)), (0, 2)
    faithful, appropriate = sample.rated[..., 0], sample.rated[..., 1]
    both = 2 * PARTS * faithful * appropriate // (faithful + appropriate)
    yield "faithful", _by_question(faithful[:, :, 0]), (1, 4)
    yield "F+A", _by_question(both[:, :, 0]), (PARTS, 4 * PARTS)
    more = (both[:, :, 0] - both[:, :, 1]).sum(axis=1)
    yield "difference, F+A", _by_question(more), (-3 * PARTS * people, 3 * PARTS * people)
    preferred = ((won[:, :, 0] == 0) * 1 - (won[:, :, 0] == 1)).sum(axis=1)
    yield "difference, preference", _by_question(preferred), (-people, people)
    decided = won != 2
    yield "share of the left", _by_question((won == 0) == (sample.left == 1), decided), (0, 1)
    one, other = np.array(design.pairs).T
    longer = (sample.lengths[:, one] - sample.lengths[:, other])[:, None] * (1 - 2 * won)
    yield "prefer the longer", _by_question(longer > 0, decided & (longer != 0)), (0, 1)
    yield "the preferred is longer by", _by_question(longer, decided), (-inf, inf)


def _by_question(of: NDArray[Any], is_value: NDArray[np.bool_] | None = None) -> Values:
    rows = of.astype(np.int64).reshape(len(of), -1)
    masks = np.ones(rows.shape, bool) if is_value is None else is_value.reshape(len(of), -1)
    by_row = (
        (f"{n:05}", row[mask].tolist())
        for n, (row, mask) in enumerate(zip(rows, masks, strict=True))
    )
    return {question: numbers for question, numbers in by_row if numbers}


def simulated_means(design: Design, n: int, n_sets: int) -> Iterator[Observation]:
    every = population(np.random.default_rng(0), design)
    true = {name: mean(of, without="").value or 0.0 for name, of, _ in values(every, design)}
    rng = np.random.default_rng(n)
    for _ in range(n_sets):
        for name, of, within in values(every.draw(rng, n), design):
            yield contained(name, mean(of, without="", within=within).interval, true[name])


def both(rating: Rating) -> Fraction | None:
    """Return F+A, computed once for each two ratings."""
    return _both(rating.faithful, rating.appropriate)


@cache
def _both(faithful: int | None, appropriate: int | None) -> Fraction | None:
    return ratings.both(Rating("", "", "", "", faithful, appropriate))


Figure = tuple[str, float | None, Interval]  # name, value, interval


def coefficients(of: Records, seed: int) -> Iterator[Figure]:
    """Yield the figures whose interval is a bootstrap over questions."""
    fit = bradley_terry(of.preferences, runs=of.runs, replicates=REPLICATES, seed=seed)
    yield "difference of strengths", fit.differences[0].value, fit.differences[0].interval
    within = length_bias.rating_by_length(
        of.ratings, both, of.lengths, replicates=REPLICATES, seed=seed
    )
    yield "length and F+A in questions, τ-b", within.value, within.interval
    for name, values in (("measure", of.scores), ("length", of.lengths)):
        for each in metric_correlation.answer_correlations(
            of.ratings, both, values, replicates=REPLICATES, seed=seed
        ):
            short = {"kendall_tau_b": "τ-b", "pearson": "r"}[each.coefficient]
            yield f"{name} and F+A of answers, {short}", each.value, each.interval


def simulated_coefficients(design: Design, n: int, n_sets: int) -> Iterator[Observation]:
    every = population(np.random.default_rng(0), design, N_OF_COEFFICIENTS)
    true = {name: value for name, value, _ in coefficients(Records(every, design), 0)}
    rng = np.random.default_rng(n)
    for seed in range(n_sets):
        for name, _, interval in coefficients(Records(every.draw(rng, n), design), seed):
            yield contained(name, interval, true[name] or 0.0)
