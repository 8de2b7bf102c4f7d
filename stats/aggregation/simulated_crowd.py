"""Simulated crowds of known truth: confusions of people, labels of items, and judgements.

    crowd = mixed_crowd(rng, shares=(.9, .05, .05), n_skilled=8, n_hasty=1, n_spammers=1)
    design = random_design(rng, n_items=500, each=3, n_workers=10, n_each_question=4)
    drawn = simulate(rng, crowd, design)
    drawn.truth   # (n_items,)
    drawn.label   # one a judgement: design.task[j], design.worker[j], drawn.label[j]

`bench/coverage/crowds.py` applies rules to such crowds; `stats/aggregation/rule_simulation.py` draws from an
estimated one. Unlike annotation/rehearsal/annotators.py, which makes rows for a rehearsal, nothing
here has an id or a time.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.random import Generator

from stats.aggregation.dawid_skene import Floats, Ints

SKILLED = "skilled"
HASTY = "hasty"
SAYS_ONE = "always says one label"
SAYS_ANY = "says any label"

# How far skills of people spread, as the weight of the mean in a beta distribution: .9 has a deviation of .06.
SPREAD = 25.0
# How often somebody in haste presses the commonest label without looking.
HASTE = 0.4


@dataclass(frozen=True, eq=False)
class Crowd:
    """A crowd. `shares` (n_labels,) are those of the items.

    `confusion` is (n_workers, true label, given label), and `kinds` has the kind of each worker.
    """

    shares: Floats
    confusion: Floats
    kinds: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class Design:
    """The assignment of items to workers.

    `task` and `worker` have one entry a judgement, `question` one entry an item.
    """

    task: Ints
    worker: Ints
    question: Ints


@dataclass(frozen=True, eq=False)
class SimulatedLabels:
    truth: Ints
    label: Ints


def mixed_crowd(
    rng: Generator,
    *,
    shares: Sequence[float],
    n_skilled: int,
    n_hasty: int = 0,
    n_spammers: int = 0,
    accuracy: float = 0.9,
) -> Crowd:
    """Return a crowd of skilled, hasty and spamming people.

    Skilled people are right `accuracy` of the time on average, each with their own skill and their
    own errors. Hasty ones are as skilled, but give the most common label blindly in two of five
    judgements. Spammers are always blind: every other one always gives the most common label, the
    rest any.
    """
    n_labels, commonest = len(shares), int(np.argmax(shares))
    kinds = [SKILLED] * n_skilled + [HASTY] * n_hasty
    kinds += [SAYS_ANY if number % 2 else SAYS_ONE for number in range(n_spammers)]
    one = np.zeros((n_labels, n_labels))
    one[:, commonest] = 1
    of_kind = {SAYS_ONE: one, SAYS_ANY: np.full_like(one, 1 / n_labels)}
    confusion = np.empty((len(kinds), n_labels, n_labels))
    for worker, kind in enumerate(kinds):
        looked = (
            _random_confusion(rng, n_labels, accuracy) if kind not in of_kind else of_kind[kind]
        )
        confusion[worker] = (1 - HASTE) * looked + HASTE * one if kind == HASTY else looked
    return Crowd(np.array(shares, dtype=np.float64), confusion, tuple(kinds))


def _random_confusion(rng: Generator, n_labels: int, accuracy: float) -> Floats:
    rows = np.empty((n_labels, n_labels))
    for true in range(n_labels):
        right = rng.beta(SPREAD * accuracy, SPREAD * (1 - accuracy))
        errors = (1 - right) * rng.dirichlet(np.ones(n_labels - 1))
        rows[true] = np.insert(errors, true, right)
    return rows


def random_design(
    rng: Generator, *, n_items: int, each: int, n_workers: int, n_each_question: int = 1
) -> Design:
    """Assign every item to `each` different random workers.

    `n_each_question` consecutive items share a question.
    """
    if each > n_workers:
        raise ValueError(f"{n_workers} workers cannot give {each} judgements of an item")
    ranks = rng.random((n_items, n_workers)).argsort(axis=1)
    return Design(
        task=np.repeat(np.arange(n_items), each),
        worker=ranks[:, :each].reshape(-1).astype(np.int64),
        question=np.arange(n_items) // n_each_question,
    )


def simulate(rng: Generator, crowd: Crowd, design: Design, *, hard: float = 0.0) -> SimulatedLabels:
    """Draw the truth by the shares, and the judgements by the confusions.

    `hard` is the share of questions whose items mislead everybody: for each of them all who do not
    answer blindly believe in the same label, drawn by the shares. Models of independent errors do
    not have this.
    """
    cumulated = crowd.shares.cumsum() / crowd.shares.sum()
    truth, seeming = (_random_labels(rng, cumulated[None], len(design.question)) for _ in range(2))
    is_hard = rng.random(int(design.question.max(initial=0)) + 1) < hard
    believed = np.where(is_hard[design.question], seeming, truth)
    rows = crowd.confusion.cumsum(axis=2)[design.worker, believed[design.task]]
    return SimulatedLabels(truth=truth, label=_random_labels(rng, rows / rows[:, -1:], len(rows)))


def _random_labels(rng: Generator, cumulated: Floats, n: int) -> Ints:
    chosen: Ints = (rng.random((n, 1)) >= cumulated[:, :-1]).sum(axis=1)
    return chosen
