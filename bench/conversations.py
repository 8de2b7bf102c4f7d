"""Coverage of intervals of rates, and levels of tests of two runs, where conversations have several turns.

    python -m bench.conversations            # 1,000 data sets a cell
    python -m bench.conversations --full     # 10,000

Each conversation has its own probability of an accepted answer, from a beta distribution with the
run's rate as its mean, so that the outcomes of two turns of a conversation correlate by the given
intra-class correlation (ICC). Two runs have probabilities of their own in every conversation, and equal
rates. Per cent of the intervals that hold the true value, and of the tests of equal runs that
reject at 5 %, for

    apart      turns as independent: Wilson's and Tango's interval, McNemar's test
    t          the mean ± t·√V over conversations (the t interval of a ratio, as stats.clustered_means)
    z·√deff    Wilson's and Tango's with z·√deff in place of z
    together   the same with t·√deff: stats.clustered_proportions; its test flips signs by conversation
"""

import argparse
from collections.abc import Iterator
from math import sqrt

import numpy as np
from numpy.typing import NDArray

from stats.clustered_proportions import ClusterSums
from stats.distributions import student_t_quantile
from stats.paired_proportions import score_p
from stats.proportion_intervals import Interval, Z, tango, wilson

# Conversations, the least and the most turns of one, ICC.
DESIGNS = (
    (50, 6, 6, 0.0),
    (50, 6, 6, 0.18),
    (50, 6, 6, 0.33),
    (50, 1, 11, 0.33),
    (20, 15, 15, 0.18),
    (20, 15, 15, 0.33),
    (200, 1, 2, 0.33),
)
RATES = (0.5, 0.7, 0.9)
RATE_OF_EQUAL = 0.7

Bools = NDArray[np.bool_]


def outcomes(rng: np.random.Generator, sizes: list[int], rate: float, icc: float) -> Bools:
    """Whether the answer to each turn is accepted, conversation by conversation."""
    weight = 1 / icc - 1 if icc else None
    chances = (
        rng.beta(rate * weight, (1 - rate) * weight, len(sizes))
        if weight
        else np.full(len(sizes), rate)
    )
    return rng.random(sum(sizes)) < np.repeat(chances, sizes)


def holds(interval: Interval, true: float) -> bool:
    return (
        interval.low is not None
        and interval.high is not None
        and (interval.low <= true <= interval.high)
    )


def by_t(of: ClusterSums) -> Interval:
    n, total, n_clusters = of.n, sum(of.sums), of.n_clusters
    mean = total / n
    between = sum((s - mean * m) ** 2 for s, m in zip(of.sums, of.sizes, strict=True))
    half = student_t_quantile(0.975, n_clusters - 1)
    half *= sqrt(n_clusters / (n_clusters - 1) * between) / n
    return Interval(mean - half, mean + half)


def drawn_sizes(rng: np.random.Generator, design: tuple[int, int, int, float]) -> list[int]:
    n, least, most, _ = design
    return [int(size) for size in rng.integers(least, most + 1, n)]


def per_cent(found: list[list[bool]]) -> list[float]:
    return [100 * float(share) for share in np.mean(found, axis=0)]


def of_rates(
    rng: np.random.Generator, design: tuple[int, int, int, float], rate: float, n_sets: int
) -> list[float]:
    found = []
    for _ in range(n_sets):
        sizes = drawn_sizes(rng, design)
        accepted = outcomes(rng, sizes, rate, design[3])
        clusters = np.repeat(np.arange(len(sizes)), sizes)
        of = ClusterSums.of(zip(clusters.tolist(), accepted.astype(int).tolist(), strict=True))
        k, n = sum(of.sums), of.n
        found.append(
            [
                holds(wilson(k, n), rate),
                holds(by_t(of), rate),
                holds(wilson(k, n, Z * sqrt(of.design_effect or 1)), rate),
                holds(wilson(k, n, of.critical_value or Z), rate),
            ]
        )
    return per_cent(found)


def of_differences(
    rng: np.random.Generator, design: tuple[int, int, int, float], n_sets: int
) -> list[float]:
    found = []
    for _ in range(n_sets):
        sizes = drawn_sizes(rng, design)
        one, other = (outcomes(rng, sizes, RATE_OF_EQUAL, design[3]).astype(int) for _ in range(2))
        clusters = np.repeat(np.arange(len(sizes)), sizes).tolist()
        of = ClusterSums.of(zip(clusters, (one - other).tolist(), strict=True))
        b, c, n = int((one > other).sum()), int((other > one).sum()), of.n
        p = of.sign_flip_p()
        found.append(
            [
                holds(tango(b, c, n), 0),
                holds(by_t(of), 0),
                holds(tango(b, c, n, Z * sqrt(of.design_effect or 1)), 0),
                holds(tango(b, c, n, of.critical_value or Z), 0),
                score_p(b, c) <= 0.05,
                p is not None and p <= 0.05,
            ]
        )
    return per_cent(found)


def lines(n_sets: int) -> Iterator[str]:
    yield "| conversations x turns | ICC | of | apart | t | z·√deff | together | reject: McNemar, sign flips |"
    yield "| --- | --- | --- | --- | --- | --- | --- | --- |"
    rng = np.random.default_rng(1)
    for design in DESIGNS:
        n, least, most, icc = design
        turns = f"{least}" if least == most else f"{least} to {most}"
        begin = f"| {n} x {turns} | {icc:g}"
        for rate in RATES:
            of = " | ".join(f"{each:.1f}" for each in of_rates(rng, design, rate, n_sets))
            yield f"{begin} | rate {rate} | {of} |  |"
        *cells, mcnemar, flips = of_differences(rng, design, n_sets)
        covered = " | ".join(f"{each:.1f}" for each in cells)
        yield f"{begin} | difference of equal runs | {covered} | {mcnemar:.1f}, {flips:.1f} |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--full", action="store_true", help="10,000 data sets a cell")
    for line in lines(10_000 if parser.parse_args().full else 1_000):
        print(line)


if __name__ == "__main__":
    main()
