"""Questions of known truth, on which people compare and rate runs' answers. Plain Python.

    population = made(rng, design)                  # 50,000 questions
    sample = population.drawn(rng, 100)             # a data set of 100 of them, with replacement

How good a run's answer to a question is, is the run's `strength` plus what the question does to the run (normal,
deviation `unlike`), the same for all people. Of two answers a person prefers the better one with the odds that
their distance has as a logit; what stands on the left, by lot for each question and pair, gains `left`. Ties are
Davidson's, `ties` as likely as a win where both are alike.

What the first run's answers are rated, faithful and appropriate, is cut from a normal number about `rated` (plus,
for each scale, what the question does to it) into 1 to 4. Those of another run are cut likewise, about as much less
as its strength is below the first's; half of what a question does to it is what it does to the first.

An answer is the longer, and has the more of an automatic measure between 0 and 1, the better it is, with a normal
deviation of which half is the question's: it has longer answers, or ones that are nearer to the reference. Lengths
grow with what is compared and what is rated, and are skewed; the measure grows with what is rated alone.

Data sets are drawn from the population with replacement, so that a figure over all of it is the true value exactly.
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
    """Of each question and person: `won` (n, people, pairs), 0 the first of the pair, 1 the second, 2 a tie;
    whether the first stood on the `left`, likewise; `rated` (n, people, runs, 2), faithful and appropriate.
    Of each question and run: the answer's length, and what an automatic measure has it `scored`, (n, runs).
    """

    won: Ints
    left: Ints
    rated: Ints
    lengths: Ints
    scored: Floats

    def __len__(self) -> int:
        return len(self.won)

    def drawn(self, rng: Generator, n: int) -> "Preferences":
        rows = rng.integers(len(self), size=n)
        return Preferences(*(getattr(self, field.name)[rows] for field in fields(self)))

    def as_people(self) -> "Preferences":
        """Each person's judgements a question of their own: what one would resample who forgot the questions."""
        n_people = self.won.shape[1]
        won, left, rated = (
            each.reshape(-1, 1, *each.shape[2:]) for each in (self.won, self.left, self.rated)
        )
        lengths, scored = np.repeat(self.lengths, n_people, 0), np.repeat(self.scored, n_people, 0)
        return Preferences(won, left, rated, lengths, scored)


def made(rng: Generator, design: Design, n: int = N_QUESTIONS) -> Preferences:
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
    """Of odds e^(gap/2) : ties : e^(-gap/2)."""
    wins, loses = np.exp(gap / 2), np.exp(-gap / 2)
    at = rng.random(gap.shape) * (wins + loses + ties)
    return np.where(at < wins, 0, np.where(at < wins + loses, 1, 2)).astype(np.int64)


def _ratings(rng: Generator, design: Design, n: int) -> tuple[Floats, Ints]:
    """How good each run's answers are, (n, runs), the mean of both scales; and what they are rated.

    The first run's come first, so that they are what they were before others were rated.
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
    """(n, runs, 2) as each of the people rates it."""
    n, *rest = fine.shape
    found = fine[:, None] + rng.normal(0, 1, (n, n_people, *rest))
    return (np.digitize(found, CUTS) + 1).astype(np.int64)


def _deviation(rng: Generator, like: Floats) -> Floats:
    """Normal, of variance 1: half of it is the question's, the same for all of its answers."""
    return (rng.normal(0, 1, (len(like), 1)) + rng.normal(0, 1, like.shape)) / sqrt(2)
