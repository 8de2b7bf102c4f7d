"""Runs of one label, compared with those that the person's own share of it explains."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
# Chances have finite log odds.
CERTAIN = 1e-9


@dataclass(frozen=True, slots=True)
class Run:
    """The longest run of one label, the first if several are as long; `start` counts from 0."""

    label: str
    length: int
    start: int


def longest_run(labels: Sequence[str]) -> Run | None:
    """Return the longest run; None without labels."""
    best: Run | None = None
    start = 0
    for at, label in enumerate(labels):
        if label != labels[start]:
            start = at
        if best is None or at - start + 1 > best.length:
            best = Run(label, at - start + 1, start)
    return best


def with_own_share(chances: Sequence[float], n_given: int) -> Floats:
    """Return the chances with their log odds shifted so that `n_given` are expected.

    So people who are more lenient than others expect longer runs of the label, and items on which
    others give it still have it more often. 0 < n_given < n.

    >>> with_own_share([.2, .5], 1).round(3).tolist()
    [0.333, 0.667]
    """
    inside = np.clip(chances, CERTAIN, 1 - CERTAIN)
    odds = np.log(inside) - np.log1p(-inside)
    low, high = -50.0 - odds.max(), 50.0 - odds.min()
    for _ in range(100):
        shift = (low + high) / 2
        expected = (1 / (1 + np.exp(-odds - shift))).sum()
        low, high = (shift, high) if expected < n_given else (low, shift)
    shifted: Floats = 1 / (1 + np.exp(-odds - high))
    return shifted


def run_probability(length: int, chances: Sequence[float] | Floats) -> float:
    """Return the probability of a run of at least `length` in independent trials.

    Exact, by the length of the current run: with q_i its distribution after trial i and p the
    probability of success in trial i + 1, q_{i+1}(0) = (1 - p) * sum(q_i), q_{i+1}(j) = p * q_i(j -
    1), and p * q_i(length - 1) is done. With one chance for all trials it is the distribution of de
    Moivre (Schilling 1990, The College Mathematics Journal 21:196-207).

    An honest run of 21 of 100 is to be expected at .9. Wrong: .9 ** 21 = .11, the probability for
    21 given trials.

    >>> round(run_probability(21, [.9] * 100), 3)
    0.725
    """
    if length <= 0:
        return 1.0
    if length > len(chances):
        return 0.0
    going_on = np.zeros(length)
    going_on[0], done = 1.0, 0.0
    for chance in chances:
        done += chance * going_on[-1]
        failed = (1 - chance) * going_on.sum()
        going_on[1:] = chance * going_on[:-1]
        going_on[0] = failed
    return float(min(done, 1.0))
