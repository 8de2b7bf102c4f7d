"""Rates of runs and their differences: exact, in conversations, in two steps, and in an audit."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from math import exp, lgamma, log

import numpy as np
from numpy.typing import NDArray

from bench.coverage.engine import REJECTED, Observation, contained, rejected
from stats.bootstrap import bootstrap
from stats.clustered_proportions import share_interval
from stats.paired_proportions import pairs, score_p
from stats.proportion_intervals import Interval, tango, wilson
from stats.stratified_estimate import Judged, Stratum, estimate
from stats.two_step_rates import Questions, Steps, rate_interval, two_step_pairs

REPLICATES = 1_000

# Exact: one answer a question has few outcomes, each with its probability and its interval.

RATES = (0.7, 0.9, 0.95)
# How often only the first of two runs is accepted, and how often only the second.
DISCORDANT = ((0.1, 0.05), (0.2, 0.15), (0.03, 0.01))
# The level, and those of Holm's first step among 6 and 45 pairs.
LEVELS = {"5 %": 0.05, ".83 %": 0.05 / 6, ".11 %": 0.05 / 45}
# Outcomes rarer than this are left out.
RARE = 1e-7


def probability(counts: tuple[int, ...], shares: tuple[float, ...]) -> float:
    """Return the multinomial probability: 1 and 2 at .5 and .5 → .375"""
    of = zip(counts, shares, strict=True)
    return exp(lgamma(sum(counts) + 1) + sum(n * log(p) - lgamma(n + 1) for n, p in of))


def exact(n: int, n_sets: int = 0) -> Iterator[Observation]:
    """Yield each outcome of n questions with its probability, then the levels of the test.

    True values are close together: at a single one the steps of whole numbers dominate.
    """
    for rate in RATES:
        for near in np.linspace(rate - 0.02, rate + 0.02, 41).tolist():
            yield from _outcomes_of_rate(n, near, f"rate {rate}")
    for one, other in DISCORDANT:
        figure = f"difference {one - other:.2f}, {one + other:.2f} discordant, Tango"
        for near in (one * np.linspace(0.8, 1.2, 5)).tolist():
            yield from _outcomes_of_difference(n, near, other, figure)
    for name, level in LEVELS.items():
        what = REJECTED if level == max(LEVELS.values()) else "rejected at this level"
        yield Observation(what, f"two equal runs, at {name}", level_of_test(n, level))


def _outcomes_of_rate(n: int, rate: float, figure: str) -> Iterator[Observation]:
    for k in range(n + 1):
        weight = probability((k, n - k), (rate, 1 - rate))
        if weight >= RARE:
            yield contained(f"{figure}, Wilson", wilson(k, n), rate, weight)
            yield contained(f"{figure}, bootstrap", resampled(k, n), rate, weight)


def _outcomes_of_difference(
    n: int, only_one: float, only_other: float, figure: str
) -> Iterator[Observation]:
    shares = (only_one, only_other, 1 - only_one - only_other)
    for one in range(n + 1):
        for other in range(n + 1 - one):
            weight = probability((one, other, n - one - other), shares)
            if weight >= RARE:
                interval = tango_of(one, other, n)
                yield contained(figure, interval, only_one - only_other, weight)


@cache
def tango_of(one: int, other: int, n: int) -> Interval:
    return tango(one, other, n)


@cache
def resampled(accepted: int, n: int) -> Interval:
    """Return the bootstrap's interval of a rate, which earlier releases have."""
    rows = np.repeat([[1], [0]], [accepted, n - accepted], axis=0)
    return bootstrap(rows, lambda totals: totals[:, 0] / n, replicates=REPLICATES, seed=0)


def level_of_test(n: int, level: float) -> float:
    """Return the greatest probability that two equal runs have a p of the level or less."""
    chances = [_rejection(discordant, level) for discordant in range(n + 1)]
    return max(
        sum(probability((d, n - d), (psi, 1 - psi)) * chances[d] for d in range(1, n + 1))
        for psi in np.arange(0.02, 1, 0.02).tolist()
    )


def _rejection(discordant: int, level: float) -> float:
    """Return the probability of a p of the level or less with so many fair coins."""
    fewer = range((discordant + 1) // 2)
    counts = [k for k in fewer if score_p(k, discordant - k) <= level]
    return 2 * sum(probability((k, discordant - k), (0.5, 0.5)) for k in counts)


# Turns of a conversation are alike: each has its own probability of an accepted answer.

# The least and the most turns of a conversation, and the intra-class correlation of their outcomes.
CONVERSATIONS = ((6, 6, 0.0), (6, 6, 0.18), (6, 6, 0.33), (1, 11, 0.33), (15, 15, 0.33))
RATE_OF_EQUAL = 0.7


def conversation(question: str) -> str:
    return question.split()[0]


def outcomes(
    rng: np.random.Generator, lengths: list[int], rate: float, icc: float
) -> dict[str, bool]:
    """Return by turn whether its answer is accepted."""
    weight = 1 / icc - 1 if icc else 0.0
    shape = (rate * weight, (1 - rate) * weight)
    own = rng.beta(*shape, len(lengths)) if icc else np.full(len(lengths), rate)
    accepted = rng.random(sum(lengths)) < np.repeat(own, lengths)
    turns = [f"{c} {turn}" for c, length in enumerate(lengths) for turn in range(length)]
    return dict(zip(turns, accepted.tolist(), strict=True))


def in_conversations(n: int, n_sets: int) -> Iterator[Observation]:
    for least, most, icc in CONVERSATIONS:
        rng = np.random.default_rng(n)
        design = (
            f"{least} to {most} turns, ICC {icc:g}"
            if least < most
            else f"{least} turns, ICC {icc:g}"
        )
        for _ in range(n_sets):
            lengths = rng.integers(least, most + 1, n).tolist()
            for rate in (0.7, 0.9):
                interval = share_interval(outcomes(rng, lengths, rate, icc), conversation)
                yield contained(f"{design}, rate {rate}", interval, rate)
            runs = {run: outcomes(rng, lengths, RATE_OF_EQUAL, icc) for run in ("one", "other")}
            (pair,) = pairs(runs, conversation)
            yield contained(f"{design}, difference", pair.interval, 0.0)
            yield rejected(f"{design}, equal runs", is_rejected=pair.is_told_apart)


# Gold: of a part of the plausible answers it is asked whether they are faithful.

ASKED = 0.3
# How often an answer of either run is plausible, and how often a plausible one is faithful.
TWO_STEPS = {
    ".9 x .8 and .8 x .9": ((0.9, 0.8), (0.8, 0.9)),
    ".7 x .7 and .7 x .5": ((0.7, 0.7), (0.7, 0.5)),
    ".95 x .95 and .95 x .9": ((0.95, 0.95), (0.95, 0.9)),
}


def two_steps(n: int, n_sets: int) -> Iterator[Observation]:
    """Yield gold rates and differences where faithfulness is settled for about n answers of a run."""
    for name, shares in TWO_STEPS.items():
        rng = np.random.default_rng(n)
        true = [plausible * faithful for plausible, faithful in shares]
        for _ in range(n_sets):
            runs = _steps(rng, shares, round(n / ASKED / shares[0][0]))
            for run, rate in zip(runs, true, strict=True):
                interval = rate_interval(runs[run], replicates=REPLICATES, seed=0)
                yield contained(f"{name}, rate", interval, rate)
            (pair,) = two_step_pairs(runs, replicates=REPLICATES, seed=0)
            yield contained(f"{name}, difference", pair.interval, true[0] - true[1])
            if true[0] == true[1]:
                yield rejected(f"{name}, equal runs", is_rejected=pair.is_told_apart)


def _steps(
    rng: np.random.Generator, shares: tuple[tuple[float, float], ...], n: int
) -> Mapping[str, Questions]:
    runs = {}
    for run, (plausible, faithful) in zip(("one", "other"), shares, strict=True):
        drawn = rng.random((n, 3)) < (plausible, faithful, ASKED)
        runs[run] = {
            f"{number}": Steps(first, second if first and is_asked else None)
            for number, (first, second, is_asked) in enumerate(drawn.tolist())
        }
    return runs


# An audit: of the answers that were left out for either reason some are judged.

STRATA = (("drawn", 600, 0.9), ("below_threshold", 2_000, 0.5), ("represented", 800, 0.2))
# The share of a stratum's answers that each of the eight runs gave: four have few.
SHARES = (0.24, 0.24, 0.2, 0.2, 0.05, 0.04, 0.02, 0.01)


@dataclass(frozen=True)
class Answers:
    """The answers of a stratum: the run of each, and whether it is plausible."""

    name: str
    run: NDArray[np.int64]
    is_plausible: NDArray[np.bool_]

    def judged(self, is_asked: NDArray[np.bool_]) -> Stratum:
        def counts(is_own: NDArray[np.bool_]) -> Judged:
            n_asked = int((is_own & is_asked).sum())
            n_plausible = int((is_own & is_asked & self.is_plausible).sum())
            return Judged(int(is_own.sum()), n_asked, n_asked, n_plausible)

        by_run = {f"r{place}": counts(self.run == place) for place in range(len(SHARES))}
        return Stratum(self.name, counts(np.ones(len(self.run), dtype=bool)), by_run)


def audit(n_asked: int, n_sets: int) -> Iterator[Observation]:
    """Yield the interval of each run's rate over all its answers, drawn or left out."""
    rng = np.random.default_rng(n_asked)
    strata = [
        Answers(name, rng.choice(len(SHARES), size=n, p=SHARES), rng.random(n) < share)
        for name, n, share in STRATA
    ]
    run = np.concatenate([each.run for each in strata])
    is_plausible = np.concatenate([each.is_plausible for each in strata])
    true = {f"r{place}": is_plausible[run == place].mean() for place in range(len(SHARES))}
    for _ in range(n_sets):
        samples = []
        for each in strata:
            n = len(each.run)
            is_asked = np.zeros(n, dtype=bool)
            size = n if each.name == "drawn" else n_asked
            is_asked[rng.choice(n, size=size, replace=False)] = True
            samples.append(each.judged(is_asked))
        for figure in estimate(samples[0], samples[1:]).runs:
            interval = Interval(figure.of_all.low, figure.of_all.high)
            yield contained("rate of a run over all its answers", interval, true[figure.run])
