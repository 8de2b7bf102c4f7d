"""Coverage and false differences of comparisons of runs if the people who judge are a sample.

    python -m bench.people_coverage            # 200 studies a cell: in `make bench`
    python -m bench.people_coverage --full     # 500

Simulated studies of five runs: 3, 6 or 12 people, three of them on each question, rate every run's
answer from 1 to 4 and compare every two. On the scale of the ratings people deviate by .3 in
leniency, and each in how they see each run: by .23 as experts do in SummEval's coherence (the error
of a difference is then 2.3 times that over 100 questions), by half of it, not at all, or by .6 one
run and little the others. Intervals and tests are those of `stats.two_way_clustering`, from sums
that are computed here for all judgements at once.

Columns: per cent of the intervals that contain the true value, of a difference for these people
(t over questions), then for people like them of the runs' mean ratings, their differences, their
win-rates and their differences by preference; per cent of studies in which some pair of equal runs differs significantly
by ratings for these people (the t test over questions stands for the sign flips), then for people like them by
ratings and by preference; the part of the variance of a difference that people make; and per cent
of the pairs found with a run that is better by .6.
"""

import argparse
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import combinations
from statistics import NormalDist
from typing import Any

import numpy as np
from scipy import special

from stats.multiplicity import holm
from stats.two_way_clustering import Pair, TwoWay, interval, n_free_differences, p_value, pooled

N_RUNS, RATED_BY = 5, 3
PEOPLE, QUESTIONS = (3, 6, 12), (40, 100, 300)
LENIENT, OF_RUN, NOISE, TIE, BETTER = 0.3, 0.5, 0.7, 0.4, 0.6
SPREADS = {
    "as in SummEval": (0.23,) * N_RUNS,
    "half of that": (0.115,) * N_RUNS,
    "none": (0.0,) * N_RUNS,
    "one run .6, others .1": (0.6, *(0.1,) * (N_RUNS - 1)),
}
PAIRS = [*combinations(range(N_RUNS), 2)]
WIDE = (-np.inf, np.inf)

Floats = np.ndarray[Any, np.dtype[np.float64]]


@dataclass
class Cell:
    """What was counted in the studies of one size."""

    covered: dict[str, list[float]] = field(default_factory=dict)
    told_apart: dict[str, list[bool]] = field(default_factory=dict)
    shares: list[float] = field(default_factory=list)
    found: list[float] = field(default_factory=list)

    def add_covered(self, name: str, value: float) -> None:
        self.covered.setdefault(name, []).append(value)

    def row(self) -> str:
        covered = [f"{100 * np.mean(each):.1f}" for each in self.covered.values()]
        apart = [f"{100 * np.mean(each):.1f}" for each in self.told_apart.values()]
        share, found = 100 * np.mean(self.shares), 100 * np.mean(self.found)
        return " | ".join([*covered, *apart, f"{share:.0f}", f"{found:.0f}"])


@dataclass
class Study:
    """Ratings, (runs, people, questions), preferences, (pairs, people, questions), and who judged."""

    ratings: Floats
    preferences: Floats
    judged: Floats


@dataclass
class Truth:
    """The mean rating and the win-rate of each run, if everybody had judged."""

    means: list[float]
    rates: list[float]


def study(
    rng: np.random.Generator,
    n_people: int,
    n_questions: int,
    spread: tuple[float, ...],
    better: float = 0.0,
) -> Study:
    seen = rng.normal(0, 1, (N_RUNS, n_people, 1)) * np.array(spread)[:, None, None]
    quality = seen + rng.normal(0, OF_RUN, (N_RUNS, 1, n_questions))
    quality[0] += better
    lenient = rng.normal(0, LENIENT, (n_people, 1))
    noise = rng.normal(0, NOISE, (N_RUNS, n_people, n_questions))
    one, other = np.array(PAIRS).T
    margin = quality[one] - quality[other]
    margin += rng.normal(0, NOISE, (len(PAIRS), n_people, n_questions))
    judged = rng.random((n_people, n_questions)).argsort(axis=0) < RATED_BY
    return Study(
        np.clip(np.round(3 + lenient + quality + noise), 1, 4),
        np.sign(margin) * (np.abs(margin) > TIE),
        judged.astype(float),
    )


def parts(values: Floats, judged: Floats) -> tuple[float, TwoWay]:
    """Return the mean of the values that were judged, and its variances over either."""
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


def covers(mean: float, of: TwoWay, true: float) -> bool:
    found = interval(mean, of, within=WIDE)
    return found.low is not None and found.high is not None and found.low <= true <= found.high


def covers_alone(values: Floats, judged: Floats, true: float) -> bool:
    mean, of = parts(values, judged)
    return covers(mean, pooled({"one": of}, n_free=len)["one"], true)


def win_rates(of: Study) -> list[tuple[float, TwoWay]]:
    """Return each run's rate, ties = 0, and its variance pooled over all."""
    found = {}
    for run in range(N_RUNS):
        signs = [
            (place, 1 if pair[0] == run else -1) for place, pair in enumerate(PAIRS) if run in pair
        ]
        won = np.mean([of.preferences[place] * sign > 0 for place, sign in signs], axis=0)
        found[run] = parts(won, of.judged)
    variances = pooled({run: each for run, (_, each) in found.items()}, n_free=lambda _: N_RUNS - 1)
    return [(found[run][0], variances[run]) for run in found]


def differences(values: Iterator[Floats], judged: Floats) -> tuple[list[float], list[TwoWay]]:
    """Return the difference of each pair, and its variance pooled over all."""
    found: dict[Pair, tuple[float, TwoWay]] = {
        (f"{one}", f"{other}"): parts(each, judged)
        for (one, other), each in zip(PAIRS, values, strict=True)
    }
    variances = pooled({pair: of for pair, (_, of) in found.items()}, n_free=n_free_differences)
    return [mean for mean, _ in found.values()], list(variances.values())


def rated_differences(of: Study) -> tuple[list[float], list[TwoWay]]:
    return differences((of.ratings[a] - of.ratings[b] for a, b in PAIRS), of.judged)


def add_study(cell: Cell, of: Study, truth: Truth) -> None:
    means, variances = rated_differences(of)
    t = special.stdtrit(of.judged.shape[1] - 1, 0.975)
    for mean, each in zip(means, variances, strict=True):
        cell.add_covered("these", abs(mean) <= t * each.of_questions**0.5)
    for ratings, true in zip(of.ratings, truth.means, strict=True):
        cell.add_covered("mean", covers_alone(ratings, of.judged, true))
    for mean, each in zip(means, variances, strict=True):
        cell.add_covered("difference", covers(mean, each, 0))
        cell.shares.append(each.share_of_annotators or 0.0)
    for (mean, each), true in zip(win_rates(of), truth.rates, strict=True):
        cell.add_covered("rate", covers(mean, each, true))
    preferred = differences(iter(of.preferences), of.judged)
    for mean, each in zip(*preferred, strict=True):
        cell.add_covered("preferred", covers(mean, each, 0))
    these = [
        2 * float(special.stdtr(each.n_questions - 1, -abs(mean) / each.of_questions**0.5))
        for mean, each in zip(means, variances, strict=True)
    ]
    for name, p in (
        ("these", these),
        ("ratings", _ps(means, variances)),
        ("preferred", _ps(*preferred)),
    ):
        cell.told_apart.setdefault(name, []).append(any(_told_apart(p)))


def _ps(means: list[float], variances: list[TwoWay]) -> list[float | None]:
    return [p_value(mean, of) for mean, of in zip(means, variances, strict=True)]


def _told_apart(p: list[Any]) -> list[bool]:
    return [each is not None and each <= 0.05 for each in holm(p)]


def true_values(spread: tuple[float, ...]) -> Truth:
    cdf = NormalDist().cdf
    deviations = [(LENIENT**2 + each**2 + OF_RUN**2 + NOISE**2) ** 0.5 for each in spread]
    means = [1 + sum(cdf((3.5 - k) / each) for k in (2, 3, 4)) for each in deviations]
    rates = [
        float(
            np.mean(
                [
                    cdf(-TIE / (own**2 + other**2 + 2 * OF_RUN**2 + NOISE**2) ** 0.5)
                    for place, other in enumerate(spread)
                    if place != run
                ]
            )
        )
        for run, own in enumerate(spread)
    ]
    return Truth(means, rates)


def simulated(spread: tuple[float, ...], n_people: int, n_questions: int, n_studies: int) -> Cell:
    rng = np.random.default_rng(n_people * 1_000 + n_questions)
    truth = true_values(spread)
    cell = Cell()
    for _ in range(n_studies):
        add_study(cell, study(rng, n_people, n_questions, spread), truth)
        better = rated_differences(study(rng, n_people, n_questions, spread, BETTER))
        with_first = _told_apart(_ps(*better))[: N_RUNS - 1]
        cell.found.append(float(np.mean(with_first)))
    return cell


def main() -> None:
    parser = argparse.ArgumentParser(prog="bench.people_coverage")
    parser.add_argument("--full", action="store_true")
    n_studies, began = 500 if parser.parse_args().full else 200, time.process_time()
    for name, spread in SPREADS.items():
        for n_people in PEOPLE:
            for n_questions in QUESTIONS:
                cell = simulated(spread, n_people, n_questions, n_studies)
                print(f"| {name} | {n_people} | {n_questions} | {cell.row()} |", flush=True)
    print(f"\n{time.process_time() - began:.0f} s of CPU")


if __name__ == "__main__":
    main()
