"""How often a 95 % interval holds the true value: the bootstrap over questions, and what one might take instead.

    python -m bench.coverage            # 200 data sets of 30 and of 100 questions: in `make bench`
    python -m bench.coverage --full     # 1,000, of 500 questions too, which takes minutes

Data sets of 30, 100 and 500 questions with four answers each, whose answers are alike (`bench/questions.py`),
drawn from a population whose figures are known. Of each data set the figures and their percentile
intervals as the panel computes them (`stats.agreement`, 1,000 replicates): over questions, over items as
if they were independent, and Wilson's for shares. A cell: the share of intervals that hold the true value
with its 95 % interval (of data sets), then what share of data sets had none, then what share of replicates
had no value, where there were any.

The rates of runs (`exports.results.rates`, `stats.paired_proportions`) rest on one answer a question. Of so
many questions few outcomes are possible: each one's interval is computed, and weighed by its probability,
so that these coverages are exact. They are averaged over true values that lie close together.
"""

import argparse
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import product
from math import exp, lgamma, log

import numpy as np

from bench.questions import Design, Questions, made
from exports.results.rates import share_interval
from stats.agreement.cohen_kappa import kappa_values
from stats.agreement.judgement_table import Floats, Ints, Sums, label_pairs
from stats.agreement.krippendorff_alpha import Level, alpha_values
from stats.agreement.nominal import corrected_values, gwet_chance, raw_values
from stats.bootstrap import ROUNDING, percentile_interval, replicate_totals
from stats.paired_proportions import pairs
from stats.proportion_intervals import wilson

SIZES = (30, 100, 500)
REPLICATES = 1_000
EVERY = 4
SKEWED, MIXED, SCALE = (0.9, 0.05, 0.05), (0.5, 0.3, 0.2), (0.1, 0.1, 0.2, 0.3, 0.3)
TWO, THREE = (0.95, 0.93), (0.95, 0.94, 0.92)
DESIGNS = (
    Design("90/5/5, two people", SKEWED, TWO),
    Design("50/30/20, three people", MIXED, THREE),
    Design("90/5/5, three people", SKEWED, THREE),
    Design("50/30/20, two people", MIXED, TWO),
    Design("90/5/5, two people who are right in .99", SKEWED, (0.99, 0.99)),
    Design("90/5/5, two people, questions very unlike", SKEWED, TWO, alike=1.0, hard=2.0),
    Design("90/5/5, two people, one answer a question", SKEWED, TWO, n_answers=1),
    Design("a scale of five, three people", SCALE, (0.8, 0.75, 0.7), is_scale=True),
)
# What `make bench` has time for.
SHORT = DESIGNS[:2]
QUESTIONS, ITEMS, WILSON = "over questions", "over items", "Wilson"
RATES = (0.7, 0.9, 0.95)
# How often only the first of two runs is accepted, and how often only the second.
DISCORDANT = ((0.1, 0.05), (0.2, 0.15), (0.03, 0.01))
# Outcomes rarer than this are left out.
RARE = 1e-7

Statistic = Callable[[Floats], Floats]


@dataclass
class Covered:
    """Of the intervals of one kind: how many hold the true value, and how many could not be had."""

    n: int = 0
    n_without: int = 0
    n_hold: int = 0
    undefined: list[float] = field(default_factory=list)

    def add(self, low: float | None, high: float | None, true: float) -> None:
        self.n += 1
        if low is None or high is None:
            self.n_without += 1
        else:
            self.n_hold += low <= true <= high

    def __str__(self) -> str:
        n = self.n - self.n_without
        if not n:
            return "none"
        around = wilson(self.n_hold, n)
        said = f"{100 * self.n_hold / n:.1f} ({100 * (around.low or 0):.1f} to {100 * (around.high or 0):.1f})"
        if self.n_without:
            said += f"; {100 * self.n_without / self.n:.1f} % without"
        replicates = sum(self.undefined) / len(self.undefined) if self.undefined else 0
        return said + (f"; {100 * replicates:.2f} % of replicates" if replicates else "")


def rows(questions: Questions) -> Ints:
    """What is resampled, a row a question: the two people's table, of more people the columns of `Sums`."""
    cells, n_people = questions.cells(), questions.said.shape[2]
    return cells if n_people == 2 else cells @ summing(questions.n_labels, n_people)


def statistics(questions: Questions, design: Design, totals: Ints) -> dict[str, Statistic]:
    """The figures as functions of totals of `rows`, as the panel defines them for the data set.

    `totals` are those of the data set: AC1 counts the labels that occur in it.
    """
    n_labels, n_people = questions.n_labels, questions.said.shape[2]
    to_sums = summing(n_labels, 2).astype(float) if n_people == 2 else np.eye(len(totals))
    every = Sums(np.array([n_people]), n_labels, np.empty((0, to_sums.shape[1]), np.int64))
    level: Level = "ordinal" if design.is_scale else "nominal"
    numbers, said = np.arange(n_labels, dtype=np.float64), totals @ to_sums
    present = np.flatnonzero(said[:n_labels])
    kept, some = columns_of(n_labels, present), replace(every, n_labels=len(present))
    commonest, n_said = int(np.argmax(design.shares)), said[:n_labels].sum()
    found: dict[str, Statistic] = {
        "raw agreement": lambda drawn: raw_values(every, drawn @ to_sums),
        f"alpha ({level})": lambda drawn: alpha_values(every, level, numbers, drawn @ to_sums),
        "prevalence": lambda drawn: (drawn @ to_sums)[:, commonest] / n_said,
    }
    if len(present) > 1:
        found["AC1"] = lambda drawn: corrected_values(some, gwet_chance, (drawn @ to_sums)[:, kept])
    if n_people == 2:
        found["Cohen's κ"] = kappa_values
    return found


def summing(n_labels: int, n_people: int) -> Ints:
    """What each combination of labels adds to the columns of `judgement_table.Sums`, (labels^people, columns)."""
    codes = np.indices((n_labels,) * n_people).reshape(n_people, -1).T
    counts = np.stack([(codes == label).sum(axis=1) for label in range(n_labels)], axis=1)
    first, second = label_pairs(n_labels)
    return np.hstack([counts, counts[:, first] * counts[:, second]]).astype(np.int64)


def columns_of(n_labels: int, present: Ints) -> Ints:
    """The columns of `judgement_table.Sums` that are left where only these labels occur."""
    first, second = label_pairs(n_labels)
    both = np.isin(first, present) & np.isin(second, present)
    return np.concatenate([present, n_labels + np.flatnonzero(both)])


def simulated(design: Design, n: int, n_sets: int, seed: int) -> dict[str, dict[str, Covered]]:
    """Figure by figure, how often each kind of interval holds the true value."""
    rng = np.random.default_rng(seed)
    population = made(rng, design)
    totals = rows(population).sum(axis=0)
    functions = statistics(population, design, totals)
    true = {name: float(of(totals[None].astype(float))[0]) for name, of in functions.items()}
    found = {name: {kind: Covered() for kind in (QUESTIONS, ITEMS, WILSON)} for name in true}
    for number in range(n_sets):
        sample = population.drawn(rng, n)
        one_set(sample, design, true, {name: found[name][QUESTIONS] for name in true}, number)
        if number % EVERY == 0:
            alone = {name: found[name][ITEMS] for name in true}
            one_set(sample.as_items(), design, true, alone, number)
        by_wilson(sample, design, true, found)
    return found


def one_set(
    sample: Questions,
    design: Design,
    true: Mapping[str, float],
    to: Mapping[str, Covered],
    seed: int,
) -> None:
    table = rows(sample)
    functions = statistics(sample, design, table.sum(axis=0))
    replicates = replicate_totals(table, replicates=REPLICATES, seed=seed)
    for name, covered in to.items():
        if name not in functions:  # a coefficient of one label
            covered.add(None, None, true[name])
            continue
        values = functions[name](replicates)
        found = percentile_interval(values)
        covered.add(found.low, found.high, true[name])
        covered.undefined.append(float(np.isnan(values).mean()))


def by_wilson(
    sample: Questions,
    design: Design,
    true: Mapping[str, float],
    to: Mapping[str, dict[str, Covered]],
) -> None:
    """Of raw agreement where two people judged, and of the prevalence as if all judgements were independent."""
    said = sample.said
    shares = {"prevalence": said == int(np.argmax(design.shares))}
    if said.shape[2] == 2:
        shares["raw agreement"] = said[:, :, 0] == said[:, :, 1]
    for name, hits in shares.items():
        interval = wilson(int(hits.sum()), hits.size)
        to[name][WILSON].add(interval.low, interval.high, true[name])


@dataclass(frozen=True, slots=True)
class Exact:
    """Of the outcomes that have an interval, the share that holds; and the share that has none."""

    coverage: float
    without: float


Interval = tuple[float | None, float | None]


def exactly(outcomes: Iterable[tuple[float, Interval]], true: float) -> Exact:
    """From the probability of each outcome and its interval."""
    weight = hold = without = 0.0
    for chance, (low, high) in outcomes:
        weight += chance
        if low is None or high is None:
            without += chance
        elif low - ROUNDING <= true <= high + ROUNDING:
            hold += chance
    return Exact(hold / (weight - without), without / weight)


def chance(counts: tuple[int, ...], shares: tuple[float, ...]) -> float:
    """Multinomial. 1 and 2 at .5 and .5 -> .375"""
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
    """Where only the first of two runs is accepted `one` times of n, and only the second `other` times."""
    first = {str(place): place < one for place in range(n)}
    second = {str(place): one <= place < one + other for place in range(n)}
    (pair,) = pairs({"a": first, "b": second}, replicates=REPLICATES, seed=0)
    return pair.interval.low, pair.interval.high


def rate_coverage(n: int, rate: float, kind: str) -> Exact:
    weights = {each: chance((each, n - each), (rate, 1 - rate)) for each in range(n + 1)}
    found = ((w, of_rate(n, each, kind)) for each, w in weights.items() if w >= RARE)
    return exactly(found, rate)


def difference_coverage(n: int, only_one: float, only_other: float) -> Exact:
    shares = (only_one, only_other, 1 - only_one - only_other)
    counts = ((one, other) for one in range(n + 1) for other in range(n + 1 - one))
    weights = (((a, b), chance((a, b, n - a - b), shares)) for a, b in counts)
    found = ((w, of_difference(n, a, b)) for (a, b), w in weights if w >= RARE)
    return exactly(found, only_one - only_other)


def averaged(found: Sequence[Exact]) -> str:
    """Over true values that lie close together: at a single one the steps of whole numbers are what counts."""
    mean = sum(each.coverage for each in found) / len(found)
    without = sum(each.without for each in found) / len(found)
    return f"{100 * mean:.1f}" + (f"; {100 * without:.1f} % without" if without >= 0.0005 else "")


def show_rates(sizes: tuple[int, ...]) -> None:
    print(f"\n| of runs | interval | {' | '.join(f'{n} questions' for n in sizes)} |")
    print("| --- " * (len(sizes) + 2) + "|")
    for rate, kind in product(RATES, (QUESTIONS, WILSON)):
        near = np.linspace(rate - 0.02, rate + 0.02, 41).tolist()
        cells = [averaged([rate_coverage(n, each, kind) for each in near]) for n in sizes]
        print(f"| rate {rate} | {kind} | {' | '.join(cells)} |", flush=True)
    for one, other in DISCORDANT:
        near = (one * np.linspace(0.8, 1.2, 5)).tolist()
        cells = [averaged([difference_coverage(n, each, other) for each in near]) for n in sizes]
        what = f"difference {one - other:.2f}, {one + other:.2f} discordant"
        print(f"| {what} | {QUESTIONS} | {' | '.join(cells)} |", flush=True)


def show(design: Design, sizes: tuple[int, ...], n_sets: int) -> None:
    found = {n: simulated(design, n, n_sets, seed=n) for n in sizes}
    for name in found[sizes[0]]:
        for kind in (QUESTIONS, ITEMS, WILSON):
            cells = [str(found[n][name][kind]) for n in sizes]
            if cells[0] != "none" and not (kind == ITEMS and design.n_answers == 1):
                print(f"| {design.name} | {name} | {kind} | {' | '.join(cells)} |", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(prog="bench.coverage")
    parser.add_argument("--full", action="store_true")
    parser.add_argument("--only", help="designs whose names contain this")
    asked, began = parser.parse_args(), time.process_time()
    sizes, n_sets = (SIZES, 1_000) if asked.full else (SIZES[:2], 200)
    print(f"| design | figure | interval | {' | '.join(f'{n} questions' for n in sizes)} |")
    print("| --- " * (len(sizes) + 3) + "|")
    for design in DESIGNS if asked.full else SHORT:
        if (asked.only or "") in design.name:
            show(design, sizes, n_sets)
    if not asked.only:
        show_rates(sizes)
    print(f"\n{time.process_time() - began:.0f} s of CPU")


if __name__ == "__main__":
    main()
