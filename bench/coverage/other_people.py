"""Comparisons and rates for people like those who judged, who are a sample themselves.

Comparisons: five runs, three people on each question, who rate every run's answer from 1 to 4 and compare every two.
People deviate in leniency, and each in how they see each run (`SPREADS`; experts do by .23 in SummEval's coherence).
Sums are computed here for all judgements at once, intervals and tests by `stats.two_way_clustering`.

Rates: an annotator accepts an answer with the probability logit⁻¹(a + b), a the answer's own, b the annotator's
leniency. The true value is the rate of settled answers over all answers and annotators. Five runs that are equal
have a leniency common to all runs, and a leaning of each annotator to each run.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import combinations
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from bench.coverage.engine import Observation, contained, rejected
from stats.agreement.judgement_table import Floats, Ints
from stats.multiplicity import LEVEL, holm
from stats.paired_proportions import pairs
from stats.pairs_over_people import over_people
from stats.people_of_rates import Vote, Votes, rate_interval, rate_variance
from stats.two_way_clustering import (
    Pair,
    TwoWay,
    interval,
    n_free_differences,
    p_value,
    pooled,
)

PEOPLE = (3, 6, 12)

# Comparisons

N_RUNS, RATED_BY = 5, 3
LENIENT, OF_RUN, NOISE, TIE, BETTER = 0.3, 0.5, 0.7, 0.4, 0.6
SPREADS = {
    "as in SummEval": (0.23,) * N_RUNS,
    "half of that": (0.115,) * N_RUNS,
    "none": (0.0,) * N_RUNS,
    "one run .6, others .1": (0.6, *(0.1,) * (N_RUNS - 1)),
}
PAIRS = [*combinations(range(N_RUNS), 2)]
ANY = (-np.inf, np.inf)

Estimate = tuple[float, TwoWay]


@dataclass
class Study:
    """Ratings, (runs, people, questions), preferences, (pairs, people, questions), and who judged."""

    ratings: Floats
    preferences: Floats
    judged: Floats


def study(
    rng: np.random.Generator, n_people: int, n: int, spread: tuple[float, ...], better: float = 0.0
) -> Study:
    seen = rng.normal(0, 1, (N_RUNS, n_people, 1)) * np.array(spread)[:, None, None]
    quality = seen + rng.normal(0, OF_RUN, (N_RUNS, 1, n))
    quality[0] += better
    lenient = rng.normal(0, LENIENT, (n_people, 1))
    noise = rng.normal(0, NOISE, (N_RUNS, n_people, n))
    one, other = np.array(PAIRS).T
    margin = quality[one] - quality[other] + rng.normal(0, NOISE, (len(PAIRS), n_people, n))
    judged = rng.random((n_people, n)).argsort(axis=0) < RATED_BY
    return Study(
        np.clip(np.round(3 + lenient + quality + noise), 1, 4),
        np.sign(margin) * (np.abs(margin) > TIE),
        judged.astype(float),
    )


def parts(values: Floats, judged: Floats) -> Estimate:
    """Return the mean of the values that were judged, and its variances over questions and people."""
    n = judged.sum()
    mean = float((values * judged).sum() / n)
    scores = (values - mean) * judged / n
    n_people, n_questions = judged.shape
    by_question, by_person = (
        k / (k - 1) * float((scores.sum(axis=axis) ** 2).sum())
        for k, axis in ((n_questions, 0), (n_people, 1))
    )
    cells = float((scores**2).sum())
    return mean, TwoWay(None, None, None, by_question, by_person, cells, n_questions, n_people)


def win_rates(of: Study) -> Iterator[Estimate]:
    """Yield each run's rate, ties = 0, and its variance pooled over all."""
    estimates = {}
    for run in range(N_RUNS):
        won = [
            of.preferences[place] * (1 if pair[0] == run else -1) > 0
            for place, pair in enumerate(PAIRS)
            if run in pair
        ]
        estimates[run] = parts(np.mean(won, axis=0), of.judged)
    variances = {run: variance for run, (_, variance) in estimates.items()}
    of_all = pooled(variances, n_free=lambda _: N_RUNS - 1)
    return ((estimates[run][0], of_all[run]) for run in estimates)


def differences(values: Iterable[Floats], judged: Floats) -> list[Estimate]:
    """Return the difference of each pair, and its variance pooled over all."""
    estimates: dict[Pair, Estimate] = {
        (f"{one}", f"{other}"): parts(each, judged)
        for (one, other), each in zip(PAIRS, values, strict=True)
    }
    variances = {pair: variance for pair, (_, variance) in estimates.items()}
    of_all = pooled(variances, n_free=n_free_differences)
    return [(estimates[pair][0], of_all[pair]) for pair in estimates]


def rated(of: Study) -> list[Estimate]:
    return differences((of.ratings[a] - of.ratings[b] for a, b in PAIRS), of.judged)


def different(estimates: list[Estimate]) -> list[bool]:
    """Return which pairs differ significantly, for people like these."""
    adjusted = holm([p_value(mean, variance) for mean, variance in estimates])
    return [p is not None and p <= LEVEL for p in adjusted]


def true_means(spread: tuple[float, ...]) -> list[float]:
    """Return the mean rating of each run if everybody had judged."""
    cdf = NormalDist().cdf
    deviations = [(LENIENT**2 + each**2 + OF_RUN**2 + NOISE**2) ** 0.5 for each in spread]
    return [1 + sum(cdf((3.5 - k) / each) for k in (2, 3, 4)) for each in deviations]


def true_rates(spread: tuple[float, ...]) -> list[float]:
    """Return the win-rate of each run if everybody had judged."""
    cdf, rest = NormalDist().cdf, 2 * OF_RUN**2 + NOISE**2
    return [
        sum(
            cdf(-TIE / (spread[run] ** 2 + spread[other] ** 2 + rest) ** 0.5)
            for other in range(N_RUNS)
            if other != run
        )
        / (N_RUNS - 1)
        for run in range(N_RUNS)
    ]


def comparisons(name: str, n: int, n_sets: int) -> Iterator[Observation]:
    spread = SPREADS[name]
    means, rates = true_means(spread), true_rates(spread)
    for n_people in PEOPLE:
        rng, by = np.random.default_rng(1_000 * n_people + n), f"{n_people} people"
        for _ in range(n_sets):
            of = study(rng, n_people, n, spread)
            for ratings, true in zip(of.ratings, means, strict=True):
                mean, variance = parts(ratings, of.judged)
                alone = pooled({"one": variance}, n_free=len)["one"]
                yield contained(f"{by}, mean rating", interval(mean, alone, within=ANY), true)
            for (rate, variance), true in zip(win_rates(of), rates, strict=True):
                yield contained(f"{by}, win-rate", interval(rate, variance, within=ANY), true)
            by_preference = differences(of.preferences, of.judged)
            for figure, estimates in (("F+A", rated(of)), ("preference", by_preference)):
                for mean, variance in estimates:
                    of_pair = interval(mean, variance, within=ANY)
                    yield contained(f"{by}, difference, {figure}", of_pair, 0.0)
                is_any = any(different(estimates))
                yield rejected(f"{by}, some pair of equal runs, {figure}", is_rejected=is_any)
            better = different(rated(study(rng, n_people, n, spread, BETTER)))[: N_RUNS - 1]
            yield Observation("power", f"{by}, a run better by .6", float(np.mean(better)))


# Rates of settled answers

MEAN, DEVIATION, MANY = 1.5, 2.0, 400_000
RULES = ((2, "unanimous"), (3, "majority"), (3, "unanimous"))
LENIENCY, LEANING, COMMON = (0.5, 1.0), (0.0, 0.5), 0.5

Bools = NDArray[np.bool_]


def votes(rng: np.random.Generator, who: Ints, leniency: Floats) -> Ints:
    """Return 1 where an annotator accepts an answer, (answers, judgements)."""
    own = rng.normal(MEAN, DEVIATION, (len(who), 1))
    return (rng.random(who.shape) < 1 / (1 + np.exp(-(own + leniency[who])))).astype(np.int64)


def settled(accepts: Ints, rule: str) -> tuple[Bools, Bools]:
    """Return whether each answer is accepted, and whether it is settled."""
    n, k = accepts.sum(axis=1), accepts.shape[1]
    if rule == "majority":
        return n > k / 2, np.ones(len(accepts), dtype=bool)
    return n == k, (n == k) | (n == 0)


def true_rate(rng: np.random.Generator, k: int, rule: str, deviation: float) -> float:
    who = np.arange(MANY * k).reshape(MANY, k)
    accepted, known = settled(votes(rng, who, rng.normal(0, deviation, MANY * k)), rule)
    return float(accepted[known].mean())


def table_of(accepts: Ints, who: Ints, run: str) -> Iterator[Vote]:
    for question, (names, each) in enumerate(zip(who.tolist(), accepts.tolist(), strict=True)):
        for name, vote in zip(names, each, strict=True):
            yield Vote(run, "plausible", str(question), str(name), bool(vote))


def rates(n: int, n_sets: int) -> Iterator[Observation]:
    rng = np.random.default_rng(3)
    for k, rule in RULES:
        for deviation in LENIENCY:
            true = true_rate(rng, k, rule, deviation)
            for n_people in PEOPLE:
                figure = f"{k}, {rule}, leniency {deviation}, {n_people} people"
                for _ in range(n_sets):
                    who = rng.random((n, n_people)).argsort(axis=1)[:, :k]
                    accepts = votes(rng, who, rng.normal(0, deviation, n_people))
                    accepted, known = settled(accepts, rule)
                    of = Votes.of(table_of(accepts, who, "a"))
                    scores = of.scores("a", {"plausible": 1.0}, of.on(set(of.questions)))
                    k_of, n_of = int(accepted[known].sum()), int(known.sum())
                    variance = of.variance(scores, rate_variance(k_of, n_of, 1.0), n_of)
                    yield contained(figure, rate_interval(k_of, n_of, 1.0, variance), true)


def equal_runs(n: int, n_sets: int) -> Iterator[Observation]:
    rng = np.random.default_rng(4)
    for k, rule in RULES:
        for leaning in LEANING:
            for n_people in PEOPLE:
                figure = f"{k}, {rule}, leaning {leaning}, {n_people} people"
                for _ in range(n_sets):
                    who = rng.random((n, n_people)).argsort(axis=1)[:, :k]
                    lenient = rng.normal(0, COMMON, n_people)
                    runs = {
                        run: votes(rng, who, lenient + rng.normal(0, leaning, n_people))
                        for run in "abcde"
                    }
                    yield rejected(figure, is_rejected=_some_pair_differs(runs, who, rule))


def _some_pair_differs(runs: dict[str, Ints], who: Ints, rule: str) -> bool:
    of = Votes.of(vote for run, accepts in runs.items() for vote in table_of(accepts, who, run))
    outcomes = {}
    for run, accepts in runs.items():
        accepted, known = settled(accepts, rule)
        outcomes[run] = {str(each): bool(accepted[each]) for each in np.flatnonzero(known)}
    shares = {run: {"plausible": 1.0} for run in runs}
    everywhere = of.on(set(of.questions))
    tested = over_people(pairs(outcomes), of, shares, dict.fromkeys(runs, everywhere))
    return any(each.is_told_apart for each in tested)
