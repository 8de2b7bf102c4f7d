"""Exact coverage of the 95 % intervals of rates and differences of runs, and the test's level.

    python -m bench.exact_coverage

Rates (`exports.results.rates`) and differences (`stats.paired_proportions`) rest on one answer a
question. For so many questions there are few outcomes: the interval of each is computed, and
weighed by its probability. The coverage is averaged over true values close together. Beside the
intervals in use, Wilson's and Tango's, stands the bootstrap over questions that was used before.

The level is the greatest probability, over discordances from .02 to 1, that the test of two equal
runs has a p of the level or less: at .05, and at the levels of Holm's first step among 6 and 45
pairs.
"""

import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import product
from math import exp, lgamma, log

import numpy as np

from stats.agreement.judgement_table import Floats, Ints
from stats.bootstrap import ROUNDING, bootstrap
from stats.paired_proportions import score_p
from stats.proportion_intervals import tango, wilson

REPLICATES = 1_000
SIZES = (10, 30, 100, 300)
QUESTIONS, WILSON, TANGO = "over questions", "Wilson", "Tango"
LEVELS = (0.05, 0.05 / 6, 0.05 / 45)
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
    return _drawn(np.repeat([[1], [0]], [accepted, n - accepted], axis=0), np.array([1]))


@cache
def of_difference(n: int, one: int, other: int, kind: str) -> Interval:
    """Return the interval of the difference of two runs.

    Only the first is accepted `one` times of n, and only the second `other` times.
    """
    if kind == TANGO:
        found = tango(one, other, n)
        return found.low, found.high
    rows = np.repeat([[1, 0], [0, 1], [0, 0]], [one, other, n - one - other], axis=0)
    return _drawn(rows, np.array([1, -1]))


def _drawn(rows: Ints, signs: Ints) -> Interval:
    def statistic(totals: Floats) -> Floats:
        found: Floats = totals @ signs / len(rows)
        return found

    found = bootstrap(rows, statistic, replicates=REPLICATES, seed=0)
    return found.low, found.high


def rate_coverage(n: int, rate: float, kind: str) -> Exact:
    weights = {each: chance((each, n - each), (rate, 1 - rate)) for each in range(n + 1)}
    found = ((w, of_rate(n, each, kind)) for each, w in weights.items() if w >= RARE)
    return exact_coverage(found, rate)


def difference_coverage(n: int, only_one: float, only_other: float, kind: str) -> Exact:
    shares = (only_one, only_other, 1 - only_one - only_other)
    counts = ((one, other) for one in range(n + 1) for other in range(n + 1 - one))
    weights = (((a, b), chance((a, b, n - a - b), shares)) for a, b in counts)
    found = ((w, of_difference(n, a, b, kind)) for (a, b), w in weights if w >= RARE)
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
    for (one, other), kind in product(DISCORDANT, (QUESTIONS, TANGO)):
        near = (one * np.linspace(0.8, 1.2, 5)).tolist()
        cells = [
            mean_in_words([difference_coverage(n, each, other, kind) for each in near])
            for n in sizes
        ]
        what = f"difference {one - other:.2f}, {one + other:.2f} discordant"
        print(f"| {what} | {kind} | {' | '.join(cells)} |", flush=True)


def level_of_test(n: int, level: float) -> float:
    """Return the greatest probability that equal runs have a p of the level or less."""
    rejected = [_rejected(discordant, level) for discordant in range(n + 1)]
    return max(
        sum(chance((d, n - d), (psi, 1 - psi)) * rejected[d] for d in range(1, n + 1))
        for psi in np.arange(0.02, 1, 0.02).tolist()
    )


def _rejected(discordant: int, level: float) -> float:
    """Return the probability of a p of the level or less with so many fair coins."""
    fewest = [
        few for few in range((discordant + 1) // 2) if score_p(few, discordant - few) <= level
    ]
    return 2 * sum(chance((few, discordant - few), (0.5, 0.5)) for few in fewest)


def show_levels(sizes: tuple[int, ...]) -> None:
    print(f"\n| level | {' | '.join(f'{n} questions' for n in sizes)} |")
    print("| --- " * (len(sizes) + 1) + "|")
    for level in LEVELS:
        cells = [f"{100 * level_of_test(n, level):.2f}" for n in sizes]
        print(f"| {100 * level:.2f} | {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    began = time.process_time()
    show_rates(SIZES)
    show_levels(SIZES)
    print(f"\n{time.process_time() - began:.0f} s of CPU")
