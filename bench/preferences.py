"""Simulated questions of known truth, on which people compare and rate runs' answers. Imports no Django.

    population = make_population(rng, design)                  # 50,000 questions
    sample = population.draw(rng, 100)             # a data set of 100 of them, with replacement

The quality of a run's answer is the run's `strength` plus an effect of the question on the run
(normal, deviation `unlike`), the same for all people. Of two answers a person prefers the better
one with odds whose logit is their distance; the answer on the left, random for each question and
pair, gains `left`. Ties are Davidson's, `ties` as likely as a win if both are alike.

The ratings of the first run's answers, faithful and appropriate, are a normal number with mean
`rated` (plus, for each scale, an effect of the question) cut into 1 to 4. Those of another run are
cut likewise, with a mean lower by the difference of strengths; half of the question's effect on it
is that on the first.

A better answer is longer, and has more of an automatic measure between 0 and 1, with a normal
deviation of which half is the question's: it has longer answers, or ones nearer to the reference.
Lengths grow with the quality in comparisons and in ratings, and are skewed; the measure grows with
the quality in ratings alone.

Data sets are drawn from the population with replacement, so that a figure over all of it is exactly
the true value.
"""

from dataclasses import dataclass, fields
from itertools import combinations
from math import sqrt

import numpy as np
from numpy.random import Generator

from stats.agreement.judgement_table import Floats, Ints

N_QUESTIONS = 50_000
# between 1 and 2, 2 and 3, 3 and 4
CUTS = (-1.5, -0.5, 0.5)
# Of lengths in characters: the logarithm where all is 0, what a unit of both qualities adds to it, its deviation.
LONG, GAIN, DEVIATION = 5.0, 0.2, 0.4


@dataclass(frozen=True)
class Design:
    name: str
    strengths: tuple[float, ...] = (0.6, 0.2, -0.2, -0.6)
    n_people: int = 3
    unlike: float = 1.0
    ties: float = 0.5
    left: float = 0.3
    rated: float = 0.3

    @property
    def pairs(self) -> list[tuple[int, int]]:
        return list(combinations(range(len(self.strengths)), 2))


@dataclass(frozen=True, eq=False)
class Preferences:
    """The judgements of a population or sample of questions.

    By question and person: `won` (n, people, pairs), 0 the first of the pair, 1 the second, 2 a
    tie; whether the first was on the `left`, likewise; `rated` (n, people, runs, 2), faithful and
    appropriate. By question and run: the answer's length, and the automatic measure, `scored`, (n,
    runs).
    """

    won: Ints
    left: Ints
    rated: Ints
    lengths: Ints
    scored: Floats

    def __len__(self) -> int:
        return len(self.won)

    def draw(self, rng: Generator, n: int) -> "Preferences":
        rows = rng.integers(len(self), size=n)
        return Preferences(*(getattr(self, field.name)[rows] for field in fields(self)))

    def as_people(self) -> "Preferences":
        """Return the preferences with each person's judgements as their own question.

        These are the units if one ignores the questions.
        """
        n_people = self.won.shape[1]
        won, left, rated = (
            each.reshape(-1, 1, *each.shape[2:]) for each in (self.won, self.left, self.rated)
        )
        lengths, scored = np.repeat(self.lengths, n_people, 0), np.repeat(self.scored, n_people, 0)
        return Preferences(won, left, rated, lengths, scored)


def make_population(rng: Generator, design: Design, n: int = N_QUESTIONS) -> Preferences:
    first, second = np.array(design.pairs).T
    good = np.array(design.strengths) + rng.normal(0, design.unlike, (n, len(design.strengths)))
    is_left = rng.integers(0, 2, size=(n, 1, len(first)))
    gap = (good[:, first] - good[:, second])[:, None, :] + design.left * (2 * is_left - 1)
    shape = (n, design.n_people, len(first))
    won = _said(rng, np.broadcast_to(gap, shape), design.ties)
    fine, rated = _ratings(rng, design, n)
    return Preferences(
        won=won,
        left=np.broadcast_to(is_left, shape).astype(np.int64),
        rated=rated,
        lengths=np.exp(LONG + GAIN * (good + fine) + DEVIATION * _deviation(rng, fine)).astype(int),
        scored=1 / (1 + np.exp(-fine - _deviation(rng, fine))),
    )


def _said(rng: Generator, gap: Floats, ties: float) -> Ints:
    """Draw 0, 1 or 2 with the odds e^(gap/2) : e^(-gap/2) : ties."""
    wins, loses = np.exp(gap / 2), np.exp(-gap / 2)
    at = rng.random(gap.shape) * (wins + loses + ties)
    return np.where(at < wins, 0, np.where(at < wins + loses, 1, 2)).astype(np.int64)


def _ratings(rng: Generator, design: Design, n: int) -> tuple[Floats, Ints]:
    """Return the quality of each run's answers, (n, runs), the mean of both scales.

    And their ratings.

    Those of the first run are drawn first, so that they do not depend on the other runs.
    """
    of_first = rng.normal(0, design.unlike, (n, 1, 2))
    first = _rated(rng, design.rated + of_first, design.n_people)
    below = np.array(design.strengths[1:]) - design.strengths[0]
    own = rng.normal(0, design.unlike, (n, len(below), 2))
    fine = design.rated + below[:, None] + (of_first + own) / sqrt(2)
    others = _rated(rng, fine, design.n_people)
    every = np.concatenate([design.rated + of_first, fine], axis=1).mean(axis=2)
    return every, np.concatenate([first, others], axis=2)


def _rated(rng: Generator, fine: Floats, n_people: int) -> Ints:
    """Return the ratings of each person, (n, people, runs, 2)."""
    n, *rest = fine.shape
    found = fine[:, None] + rng.normal(0, 1, (n, n_people, *rest))
    return (np.digitize(found, CUTS) + 1).astype(np.int64)


def _deviation(rng: Generator, like: Floats) -> Floats:
    """Return normal numbers of variance 1.

    Half of the variance is the question's, the same for all of its answers.
    """
    return (rng.normal(0, 1, (len(like), 1)) + rng.normal(0, 1, like.shape)) / sqrt(2)
