"""Cohen's κ of two workers."""

from itertools import combinations
from math import isqrt

import numpy as np

from stats.agreement.judgement_table import Floats, Ints, Judgements, n_distinct
from stats.agreement.result import (
    DEFAULT_REPLICATES,
    ONE_CATEGORY,
    Agreement,
    Basis,
    Measure,
    agreement_figure,
    ratio,
    undefined_figure,
)

COHEN = Measure(
    "Cohen's κ",
    "agreement of these two people above what their own shares of labels would give,"
    " for questions like these",
)


def pairwise_kappa(
    judgements: Judgements,
    *,
    at_least: int = 1,
    at_most: int | None = None,
    replicates: int = DEFAULT_REPLICATES,
    seed: int = 0,
) -> dict[tuple[str, str], Agreement]:
    """Return Cohen's κ of every two workers with `at_least` common items, by name.

    Names are sorted by code point. A hundred people are 4,950 pairs: at most `at_most` with the
    most common items are taken, of equal ones the first by name.
    """
    common = common_items(judgements)
    enough = [pair for pair, n in common.items() if n >= at_least]
    selected = sorted(enough, key=lambda pair: (-common[pair], pair))[:at_most]
    return {
        pair: cohen_kappa(judgements, pair, replicates=replicates, seed=seed)
        for pair in sorted(selected)
    }


def common_items(judgements: Judgements) -> dict[tuple[str, str], int]:
    """Return the number of common items of every two workers with any.

    Names sorted by code point.
    """
    order = np.lexsort((judgements.worker, judgements.task))
    size = judgements.sizes[judgements.task[order]]
    n_workers = len(judgements.workers)
    keys = [np.empty(0, np.int64)]
    for m in np.unique(size[size >= 2]).tolist():
        workers = judgements.worker[order][size == m].reshape(-1, m)
        keys += [workers[:, a] * n_workers + workers[:, b] for a, b in combinations(range(m), 2)]
    pairs, n_items = np.unique(np.concatenate(keys), return_counts=True)
    names = judgements.workers
    return {
        (names[key // n_workers], names[key % n_workers]): n
        for key, n in zip(pairs.tolist(), n_items.tolist(), strict=True)
    }


def cohen_kappa(
    judgements: Judgements,
    workers: tuple[str, str],
    *,
    replicates: int = DEFAULT_REPLICATES,
    seed: int = 0,
) -> Agreement:
    """Return (P - E) / (1 - E) over the items that both judged (Cohen 1960).

    P is the share of items on which they agree, E = Σ_v p_v·q_v with each one's own shares of
    labels. Right: the table [[20, 5], [10, 15]] → .400. Undefined if nothing was judged by both, or
    both always gave the same one label. Raises ValueError for a worker who is not in the table.
    """
    first, second = (_rows_of(judgements, worker) for worker in workers)
    _, left, right = np.intersect1d(
        judgements.task[first], judgements.task[second], assume_unique=True, return_indices=True
    )
    first, second = first[left], second[right]
    basis = _basis(judgements, first, second)
    if not len(first):
        return undefined_figure(COHEN, basis, "no item was judged by both", seed=seed)
    if len(basis.categories) == 1:
        return undefined_figure(COHEN, basis, ONE_CATEGORY, seed=seed)
    sums = _cluster_tables(judgements, first, second)
    return agreement_figure(COHEN, basis, sums, kappa_values, replicates=replicates, seed=seed)


def _rows_of(judgements: Judgements, worker: str) -> Ints:
    if worker not in judgements.workers:
        raise ValueError(f"no judgement by {worker!r}")
    return np.flatnonzero(judgements.worker == judgements.workers.index(worker))


def _basis(judgements: Judgements, first: Ints, second: Ints) -> Basis:
    rows = np.concatenate([first, second])
    return Basis(
        n_items=len(first),
        n_judgements=len(rows),
        n_workers=n_distinct(judgements.worker[rows]),
        n_questions=n_distinct(judgements.question[judgements.task[rows]]),
        n_clusters=n_distinct(judgements.cluster[judgements.task[rows]]),
        categories=tuple(judgements.labels[code] for code in np.unique(judgements.label[rows])),
    )


def _cluster_tables(judgements: Judgements, first: Ints, second: Ints) -> Ints:
    """Return one row a cluster: its items by the first's and the second's label, row by row."""
    n_labels = len(judgements.labels)
    _, cluster = np.unique(judgements.cluster[judgements.task[first]], return_inverse=True)
    cell = judgements.label[first] * n_labels + judgements.label[second]
    shape = (int(cluster.max()) + 1, n_labels**2)
    return np.bincount(cluster * shape[1] + cell, minlength=shape[0] * shape[1]).reshape(shape)


def kappa_values(totals: Floats) -> Floats:
    n_labels = isqrt(totals.shape[1])
    tables = totals.reshape(-1, n_labels, n_labels)
    n = tables.sum(axis=(1, 2))
    agreed = np.trace(tables, axis1=1, axis2=2)
    # times n², all of it stays in whole numbers, and E = 1 is met exactly
    chance = (tables.sum(axis=1) * tables.sum(axis=2)).sum(axis=1)
    return ratio(n * agreed - chance, n * n - chance)
