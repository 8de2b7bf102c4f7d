"""Permutation tests of the order of a person's work that keep questions together.

Answers to one question are alike, so that honest work too has the same label several times in a
row. Under the null hypothesis of every test here the order of the *questions* has no effect: it is
shuffled within each session, and the entries of one question stay together in their order.

The p-value is (1 + b) / (1 + n), b of n shuffles being at least as extreme as the observed order
(Davison & Hinkley 1997, 4.2.5). A test begins with FEW shuffles and continues to MANY if p is not
above ENOUGH by then.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

FEW, MANY = 999, 19_999
ENOUGH = 0.05
# Shuffled at once: 200,000 entries stay in a processor's cache. In multiples of 64 shuffles, whose sums are then
# the same to the last bit as those of all together.
ENTRIES_AT_ONCE, ROWS_AT_ONCE = 200_000, 64
SEED = 0

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
# Of orders (one a row: which entry comes at each place), the statistic of each.
Statistic = Callable[[Ints], Floats]


@dataclass(frozen=True, slots=True)
class PermutationTest:
    """The observed statistic, its mean over the shuffles, and their number. High values are extreme."""

    seen: float
    mean: float
    p: float
    n_shuffles: int


def permutation_test(
    statistic: Statistic, blocks: Sequence[int], sessions: Sequence[int], *, seed: int = SEED
) -> PermutationTest:
    """Test whether the statistic is higher for the entries in their order than in shuffled ones.

    `blocks` and `sessions` number the block and the session of each entry, both ascending.
    """
    place = np.asarray(sessions, np.int64)
    # A question that goes on after a pause is a block of its own.
    _, block = np.unique(
        np.asarray(blocks, np.int64) + place * (max(blocks) + 1), return_inverse=True
    )
    observed = float(statistic(np.arange(len(place))[None, :])[0])
    rng = np.random.default_rng(seed)
    values = _values(statistic, block, place, FEW, rng)
    if _p(values, observed) <= ENOUGH:
        values = np.concatenate([values, _values(statistic, block, place, MANY - FEW, rng)])
    return PermutationTest(observed, float(values.mean()), _p(values, observed), len(values))


def _p(values: Floats, seen: float) -> float:
    return float((1 + (values >= seen - 1e-12).sum()) / (1 + len(values)))


def _values(
    statistic: Statistic, block: Ints, session: Ints, n: int, rng: np.random.Generator
) -> Floats:
    sizes = np.bincount(block)
    first = np.cumsum(sizes) - sizes
    at_once = max(1, ENTRIES_AT_ONCE // len(block) // ROWS_AT_ONCE) * ROWS_AT_ONCE
    found = []
    for start in range(0, n, at_once):
        n_rows = min(at_once, n - start)
        blocks = _sorted_places(rng.random((n_rows, len(sizes))) + session[first]).ravel()
        n_entries = sizes[blocks]
        # Of each place the entry: by how much its block was moved, and then the place itself.
        moved = np.repeat(first[blocks] - (np.cumsum(n_entries) - n_entries), n_entries)
        moved += np.arange(len(moved))
        found.append(statistic(moved.reshape(n_rows, len(block))))
    return np.concatenate(found)


def _sorted_places(keys: Floats) -> Ints:
    """Return the places of each row's keys in ascending order, of equal keys the first one first."""
    places = np.argsort(keys, axis=1)
    ordered = np.sort(keys, axis=1)
    if (ordered[:, 1:] == ordered[:, :-1]).any():  # next to never, of so many numbers
        places = np.argsort(keys, axis=1, kind="stable")
    return places
