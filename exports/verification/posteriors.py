"""How likely each label of an item is, by the model of Dawid and Skene (1979): with numpy and scipy."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from scipy import sparse

RIGHT, WRONG = 4, 1
MOST_STEPS, LEAST_GAIN = 1000, 1e-8
Chances = dict[str, float]


def posteriors(
    votes: Mapping[str, Mapping[str, str]], labels: Sequence[str], *, one_coin: bool
) -> dict[str, Chances]:
    """Return the posteriors of items that all have a judgement."""
    people = {name: at for at, name in enumerate(sorted({w for by in votes.values() for w in by}))}
    places = {label: at for at, label in enumerate(labels)}
    given = [
        (item, people[w] * len(labels) + places[label])
        for item, by in enumerate(votes.values())
        for w, label in by.items()
    ]
    shape = len(votes), len(people) * len(labels)
    # By item (row), 1 for each person and label that they gave (column).
    gave = sparse.csr_array((np.ones(len(given)), tuple(zip(*given))), shape=shape)
    q = _fitted(gave, len(people), len(labels), one_coin=one_coin)
    return {item: dict(zip(labels, chances)) for item, chances in zip(votes, q.tolist())}


def _fitted(gave: sparse.csr_array, n_people: int, k: int, *, one_coin: bool) -> np.ndarray:
    prior = np.full((k, k), WRONG / max(k - 1, 1))
    np.fill_diagonal(prior, RIGHT)
    given = np.stack([gave[:, place::k].sum(axis=1) for place in range(k)], axis=-1)
    q: np.ndarray = given / given.sum(axis=1, keepdims=True)
    last = -np.inf
    for _ in range(MOST_STEPS):
        p = (1 + q.sum(axis=0)) / (k + len(q))
        counts = (gave.T @ q).reshape(n_people, k, k).swapaxes(1, 2)  # by person: truth, label
        c = _one_coin(counts) if one_coin else _confusions(counts, prior)
        joint = np.log(p) + gave @ np.log(c).swapaxes(1, 2).reshape(-1, k)
        wholes = np.logaddexp.reduce(joint, axis=1)
        q = np.exp(joint - wholes[:, None])
        # With one coin all rows of a person say the same.
        rows = slice(1) if one_coin else slice(None)
        gained = wholes.sum() + np.log(p).sum() + (np.log(c) * prior)[:, rows].sum()
        if gained - last < LEAST_GAIN * gave.sum():
            break
        last = gained
    return q


def _confusions(counts: np.ndarray, prior: np.ndarray) -> np.ndarray:
    rows = counts + prior
    return np.asarray(rows / rows.sum(axis=2, keepdims=True))


def _one_coin(counts: np.ndarray) -> np.ndarray:
    k = counts.shape[1]
    right = RIGHT + np.trace(counts, axis1=1, axis2=2)
    r = right / (RIGHT + WRONG + counts.sum(axis=(1, 2)))
    wrong = (1 - r) / max(k - 1, 1)
    return np.asarray(np.where(np.eye(k, dtype=bool), r[:, None, None], wrong[:, None, None]))
