"""Counts of pairs of labels that two people gave to one item."""

import numpy as np

from stats.agreement.judgement_table import Ints, Judgements


def confusion(judgements: Judgements) -> Ints:
    """Return the number of ordered pairs of judgements of one item with the labels (row, column).

    Both orders of two people are counted, so the matrix is symmetric: nobody is taken for the
    truth. An item with m judgements adds m(m - 1): off the diagonal Σ c_i·c_j, on it Σ c_i(c_i -
    1).

    Right: two items judged a a and a b → [[2, 1], [1, 0]]. Wrong: [[1, 1], [0, 0]], which takes one
    of the two people for the truth.
    """
    counts = judgements.counts
    pairs: Ints = counts.T @ counts
    return pairs - np.diag(counts.sum(axis=0))


def confusion_of_two(judgements: Judgements, workers: tuple[str, str]) -> Ints:
    """Return the number of common items by the first's label (row) and the second's (column)."""
    first, second = (
        np.flatnonzero(judgements.worker == judgements.workers.index(name)) for name in workers
    )
    _, left, right = np.intersect1d(
        judgements.task[first], judgements.task[second], assume_unique=True, return_indices=True
    )
    n_labels = len(judgements.labels)
    cell = judgements.label[first[left]] * n_labels + judgements.label[second[right]]
    return np.bincount(cell, minlength=n_labels**2).reshape(n_labels, n_labels)
