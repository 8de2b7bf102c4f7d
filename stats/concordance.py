"""Signs of pairs in two columns, counted by sorting: n log n steps, memory for n numbers.

Of all pairs of n points, with d1 and d2 the signs of their differences in either column:

    Σ d1·d2 = n(n - 1)/2 - pairs that tie in one - in the other + in both - 2 · discordant pairs

Points are sorted by the first column, ties by the second; a pair is discordant if the second then
descends, which is counted while merging ever longer stretches of it. Source: Knight 1966, A
computer method for calculating Kendall's tau with ungrouped data.
"""

import numpy as np
from numpy.typing import NDArray

from stats.bootstrap import Floats

Integers = NDArray[np.int64]


def sums_of_signs(one: Floats, other: Floats) -> tuple[int, int, int]:
    """Return Σ d1·d2, Σ d1² and Σ d2² over all pairs of points; no value may be NaN."""
    n = len(one)
    ones, others = _ranks(one), _ranks(other)
    order = np.lexsort((others, ones))
    n_pairs = n * (n - 1) // 2
    tied_one, tied_other, tied_both = (
        _tied_pairs(each) for each in (ones, others, ones * n + others)
    )
    discordant = _descending_pairs(others[order])
    both = n_pairs - tied_one - tied_other + tied_both - 2 * discordant
    return both, n_pairs - tied_one, n_pairs - tied_other


def _ranks(column: Floats) -> Integers:
    """Return dense ranks from 0; equal numbers share one."""
    ranks: Integers = np.unique(column, return_inverse=True)[1].astype(np.int64)
    return ranks


def _tied_pairs(values: Integers) -> int:
    counts = np.unique(values, return_counts=True)[1].astype(np.int64)
    return int((counts * (counts - 1) // 2).sum())


def _descending_pairs(ranks: Integers) -> int:
    """Count the pairs whose earlier number is greater, by merge sort."""
    n, width, found = len(ranks), 1, 0
    places = np.arange(n)
    while width < n:
        blocks = places // (2 * width)
        is_left = places // width % 2 == 0
        # Both halves are sorted, which a stable sort finds and merges; of equals the left one comes first.
        order = np.argsort(blocks * n + ranks, kind="stable")
        is_left, ranks = is_left[order], ranks[order]
        n_left = np.cumsum(is_left)
        of_block = n_left[np.minimum((blocks + 1) * 2 * width, n) - 1]
        found += int((of_block - n_left)[~is_left].sum())
        width *= 2
    return found
