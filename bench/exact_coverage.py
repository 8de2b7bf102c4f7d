"""Exact coverage of the 95 % intervals of rates and differences of runs.

Rates (`exports.results.rates`) and differences (`stats.paired_proportions`) rest on one answer a
question. For so many questions there are few outcomes: the interval of each is computed, and
weighed by its probability. The coverage is averaged over true values close together.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import product
from math import exp, lgamma, log

import numpy as np

from exports.results.rates import share_interval
from stats.bootstrap import ROUNDING
from stats.paired_proportions import pairs
from stats.proportion_intervals import wilson

REPLICATES = 1_000
QUESTIONS, WILSON = "over questions", "Wilson"
RATES = (0.7, 0.9, 0.95)
# How often only the first of two runs is accepted, and how often only the second.
DISCORDANT = ((0.1, 0.05), (0.2, 0.15), (0.03, 0.01))
# Outcomes rarer than this are left out.
RARE = 1e-7

Interval = tuple[float | None, float | None]


@dataclass(frozen=True, slots=True)
class Exact:
    """The share of defined intervals that contain the true value, and the undefined share."""

    coverage: float
    without: float


def exact_coverage(outcomes: Iterable[tuple[float, Interval]], true: float) -> Exact:
    """Return the coverage from the probability of each outcome and its interval."""
    weight = hold = without = 0.0
    for chance, (low, high) in outcomes:
        weight += chance
        if low is None or high is None:
            without += chance
        elif low - ROUNDING <= true <= high + ROUNDING:
            hold += chance
    return Exact(hold / (weight - without), without / weight)


def chance(counts: tuple[int, ...], shares: tuple[float, ...]) -> float:
    """Return the multinomial probability: 1 and 2 at .5 and .5 -> .375"""
    of = zip(counts, shares, strict=True)
    return exp(lgamma(sum(counts) + 1) + sum(n * log(p) - lgamma(n + 1) for n, p in of))


@cache
def of_rate(n: int, accepted: int, kind: str) -> Interval:
    if kind == WILSON:
        found = wilson(accepted, n)
        return found.low, found.high
    ended = [place < accepted for place in range(n)]
    interval = share_interval(ended, "", replicates=REPLICATES, seed=0)
    return interval.low, interval.high


@cache
def of_difference(n: int, one: int, other: int) -> Interval:
    """Return the interval of the difference of two runs.

    Only the first is accepted `one` times of n, and only the second `other` times.
    """
    first = {str(place): place < one for place in range(n)}
    second = {str(place): one <= place < one + other for place in range(n)}
    (pair,) = pairs({"a": first, "b": second}, replicates=REPLICATES, seed=0)
    return pair.interval.low, pair.interval.high


def rate_coverage(n: int, rate: float, kind: str) -> Exact:
    weights = {each: chance((each, n - each), (rate, 1 - rate)) for each in range(n + 1)}
    found = ((w, of_rate(n, each, kind)) for each, w in weights.items() if w >= RARE)
    return exact_coverage(found, rate)


def difference_coverage(n: int, only_one: float, only_other: float) -> Exact:
    shares = (only_one, only_other, 1 - only_one - only_other)
    counts = ((one, other) for one in range(n + 1) for other in range(n + 1 - one))
    weights = (((a, b), chance((a, b, n - a - b), shares)) for a, b in counts)
    found = ((w, of_difference(n, a, b)) for (a, b), w in weights if w >= RARE)
    return exact_coverage(found, only_one - only_other)


def mean_in_words(found: Sequence[Exact]) -> str:
    """Return the mean over true values close together.

    For a single value the discrete steps dominate.
    """
    mean = sum(each.coverage for each in found) / len(found)
    without = sum(each.without for each in found) / len(found)
    return f"{100 * mean:.1f}" + (f"; {100 * without:.1f} % without" if without >= 0.0005 else "")


def show_rates(sizes: tuple[int, ...]) -> None:
    print(f"\n| of runs | interval | {' | '.join(f'{n} questions' for n in sizes)} |")
    print("| --- " * (len(sizes) + 2) + "|")
    for rate, kind in product(RATES, (QUESTIONS, WILSON)):
        near = np.linspace(rate - 0.02, rate + 0.02, 41).tolist()
        cells = [mean_in_words([rate_coverage(n, each, kind) for each in near]) for n in sizes]
        print(f"| rate {rate} | {kind} | {' | '.join(cells)} |", flush=True)
    for one, other in DISCORDANT:
        near = (one * np.linspace(0.8, 1.2, 5)).tolist()
        cells = [
            mean_in_words([difference_coverage(n, each, other) for each in near]) for n in sizes
        ]
        what = f"difference {one - other:.2f}, {one + other:.2f} discordant"
        print(f"| {what} | {QUESTIONS} | {' | '.join(cells)} |", flush=True)
