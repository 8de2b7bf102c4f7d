"""Simulated questions of known truth, whose answers are alike, with people's labels. Imports no Django.

    population = make_population(rng, design)                  # 50,000 questions
    sample = population.draw(rng, 100)             # a data set of 100 of them, with replacement

A design has the shares of labels, the number and accuracy of the people who judge every answer, and
two things that make answers of one question alike: its labels are drawn from shares of its own (a
Dirichlet distribution about the design's, of weight `alike`), and it has a difficulty of its own,
which is added to the logit of everybody's error (normal, deviation `hard`).

Data sets are drawn from the population with replacement, so that the figure over all of the
population is exactly their true value: no error of a larger simulation is added.

A wrong label is any of the others; on a scale the next one up or down.
"""

from dataclasses import dataclass, replace

import numpy as np
from numpy.random import Generator

from stats.agreement.judgement_table import Floats, Ints

N_QUESTIONS = 50_000


@dataclass(frozen=True)
class Design:
    """`shares` of the labels, the mean accuracy of each of the people, answers a question."""

    name: str
    shares: tuple[float, ...]
    accuracies: tuple[float, ...]
    n_answers: int = 4
    alike: float = 4.0
    hard: float = 1.0
    is_scale: bool = False


@dataclass(frozen=True, eq=False)
class Questions:
    """The labels `said` (n_questions, answers, people), 0 to n_labels - 1."""

    said: Ints
    n_labels: int

    def draw(self, rng: Generator, n: int) -> "Questions":
        return replace(self, said=self.said[rng.integers(len(self.said), size=n)])

    def as_items(self) -> "Questions":
        """Return the questions with each answer as its own question.

        These are the units if one ignores the questions.
        """
        return replace(self, said=self.said.reshape(-1, 1, self.said.shape[2]))

    def cells(self) -> Ints:
        """Return the number of answers with each combination of labels by question.

        (n_questions, labels^people). The combination of the people's labels a, b, c is at (a *
        n_labels + b) * n_labels + c.
        """
        n_people = self.said.shape[2]
        places = self.n_labels ** np.arange(n_people)[::-1]
        codes = self.said @ places + (np.arange(len(self.said)) * self.n_labels**n_people)[:, None]
        n_cells = len(self.said) * self.n_labels**n_people
        return np.bincount(codes.ravel(), minlength=n_cells).reshape(len(self.said), -1)


def make_population(rng: Generator, design: Design, n: int = N_QUESTIONS) -> Questions:
    shares = rng.dirichlet(design.alike * np.array(design.shares), size=n)
    truth = _chosen(rng, np.repeat(shares[:, None], design.n_answers, axis=1))
    wrong = rng.random((n, design.n_answers, len(design.accuracies))) < _errors(rng, design, n)
    n_labels = len(design.shares)
    other = _next if design.is_scale else _any
    said = np.where(wrong, other(rng, truth[:, :, None], wrong.shape, n_labels), truth[:, :, None])
    return Questions(said.astype(np.int64), n_labels)


def _errors(rng: Generator, design: Design, n: int) -> Floats:
    """Return the probability of each person's error at each question, (n, 1, people)."""
    error = 1 - np.array(design.accuracies)
    logit = np.log(error / (1 - error)) + rng.normal(0, design.hard, size=(n, 1, 1))
    errors: Floats = 1 / (1 + np.exp(-logit))
    return errors


def _chosen(rng: Generator, shares: Floats) -> Ints:
    cumulated = shares.cumsum(axis=-1)[..., :-1]
    chosen: Ints = (rng.random((*shares.shape[:-1], 1)) >= cumulated).sum(axis=-1)
    return chosen


def _any(rng: Generator, truth: Ints, shape: tuple[int, ...], n_labels: int) -> Ints:
    other: Ints = (truth + rng.integers(1, n_labels, size=shape)) % n_labels
    return other


def _next(rng: Generator, truth: Ints, shape: tuple[int, ...], n_labels: int) -> Ints:
    """Return the next label up or down; at an end of the scale inwards."""
    step = truth + rng.choice([-1, 1], size=shape)
    inwards: Ints = np.where(step < 0, 1, np.where(step >= n_labels, n_labels - 2, step))
    return inwards
