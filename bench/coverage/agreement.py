"""Agreement of people who label answers that are alike within a question.

A question has its own shares of labels (a Dirichlet distribution about the design's, of weight `alike`) and its
own difficulty, added to the logit of everybody's error (normal, deviation `hard`). A wrong label is any of the
others; on a scale the next one up or down. Data sets are drawn with replacement from a population of questions,
so that its coefficients are exactly the true values. Figures and intervals are those of `stats.agreement`.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.random import Generator

from bench.coverage.engine import Observation, contained
from stats.agreement.cohen_kappa import cohen_kappa
from stats.agreement.judgement_table import Ints, Judgements
from stats.agreement.krippendorff_alpha import krippendorff_alpha
from stats.agreement.nominal import gwet_ac1, raw_agreement, raw_wilson
from stats.agreement.result import Agreement

N_QUESTIONS, REPLICATES = 10_000, 1_000


@dataclass(frozen=True)
class Design:
    """`shares` of the labels, the mean accuracy of each of the people, answers a question."""

    shares: tuple[float, ...]
    accuracies: tuple[float, ...]
    n_answers: int = 4
    alike: float = 4.0
    hard: float = 1.0
    is_scale: bool = False


SKEWED, MIXED, SCALE = (0.9, 0.05, 0.05), (0.5, 0.3, 0.2), (0.1, 0.1, 0.2, 0.3, 0.3)
TWO, THREE = (0.95, 0.93), (0.95, 0.94, 0.92)
DESIGNS = {
    "90/5/5, two people": Design(SKEWED, TWO),
    "50/30/20, three people": Design(MIXED, THREE),
    "90/5/5, three people": Design(SKEWED, THREE),
    "50/30/20, two people": Design(MIXED, TWO),
    "right in .99": Design(SKEWED, (0.99, 0.99)),
    "questions very unlike": Design(SKEWED, TWO, alike=1.0, hard=2.0),
    "one answer a question": Design(SKEWED, TWO, n_answers=1),
    "a scale of five": Design(SCALE, (0.8, 0.75, 0.7), is_scale=True),
}


def population(rng: Generator, design: Design, n: int = N_QUESTIONS) -> Ints:
    """Return labels from 0, (questions, answers, people)."""
    shares = rng.dirichlet(design.alike * np.array(design.shares), size=n)
    limits = shares.cumsum(axis=1)[:, None, :-1]
    truth = (rng.random((n, design.n_answers, 1)) >= limits).sum(axis=2)[..., None]
    error = 1 - np.array(design.accuracies)
    logit = np.log(error / (1 - error)) + rng.normal(0, design.hard, (n, 1, 1))
    is_wrong = rng.random((n, design.n_answers, len(design.accuracies))) < 1 / (1 + np.exp(-logit))
    return np.where(is_wrong, _wrong(rng, truth, is_wrong.shape, design), truth).astype(np.int64)


def _wrong(rng: Generator, truth: Ints, shape: tuple[int, ...], design: Design) -> Ints:
    n_labels = len(design.shares)
    if not design.is_scale:
        return (truth + rng.integers(1, n_labels, shape)) % n_labels
    step = truth + rng.choice([-1, 1], shape)
    return np.where(step < 0, 1, np.where(step >= n_labels, n_labels - 2, step))


def table_of(labels: Ints) -> Judgements:
    """Return the judgements of a data set as those of the product."""
    n, n_answers, n_people = labels.shape
    items = [f"{q:05} {a}" for q in range(n) for a in range(n_answers) for _ in range(n_people)]
    return Judgements.from_columns(
        task=items,
        worker=[f"p{person}" for person in range(n_people)] * (n * n_answers),
        label=list(map(str, labels.ravel().tolist())),
        question=[item.split()[0] for item in items],
    )


Coefficient = Callable[[Judgements, int, int], Agreement]


def coefficients(design: Design) -> dict[str, Coefficient]:
    """Return functions of a table, the number of replicates and the seed."""
    numbers = {str(label): float(label) for label in range(len(design.shares))}

    def alpha(table: Judgements, replicates: int, seed: int) -> Agreement:
        level = "ordinal" if design.is_scale else "nominal"
        drawn = {"replicates": replicates, "seed": seed}
        return krippendorff_alpha(table, level=level, values=numbers, **drawn)  # type: ignore[arg-type]

    functions: dict[str, Coefficient] = {
        "raw agreement": lambda table, n, seed: raw_agreement(table, replicates=n, seed=seed),
        "alpha": alpha,
        "AC1": lambda table, n, seed: gwet_ac1(table, replicates=n, seed=seed),
    }
    if len(design.accuracies) == 2:
        functions["Cohen's κ"] = lambda table, n, seed: cohen_kappa(
            table, ("p0", "p1"), replicates=n, seed=seed
        )
    return functions


def simulated(design: Design, n_questions: int, n_sets: int) -> Iterator[Observation]:
    every = population(np.random.default_rng(0), design)
    functions = coefficients(design)
    table = table_of(every)
    true = {name: function(table, REPLICATES, 0).value for name, function in functions.items()}
    rng = np.random.default_rng(n_questions)
    for seed in range(n_sets):
        table = table_of(every[rng.integers(len(every), size=n_questions)])
        for name, function in functions.items():
            interval = function(table, REPLICATES, seed).interval
            yield contained(name, interval, true[name] or 0.0)
        if design.n_answers == 1 and len(design.accuracies) == 2:
            yield contained(
                "raw agreement, Wilson", raw_wilson(table), true["raw agreement"] or 0.0
            )
