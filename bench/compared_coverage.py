"""Coverage of the 95 % intervals of people's preferences and ratings of runs.

    python -m bench.compared_coverage            # 100 data sets of 30 and of 100 questions: in `make bench`
    python -m bench.compared_coverage --full     # 400 of 30 to 500, of all designs, which takes most of an hour

Data sets of simulated questions (`bench/preferences.py`) on which several people compare all pairs
of runs and rate all answers; their judgements of one question are alike. For each data set the
figures and their percentile intervals are computed as in `exports.comparison` (1,000 replicates):
for the first run if a figure is of one run; for differences of two runs, lengths and an automatic
measure by its own functions (`bench/compared_intervals.py`). Over questions, and with each person's
judgements of a question drawn apart, as if they were independent (not for coefficients of answers'
mean ratings). A cell has the share of intervals that contain the true value with its 95 % interval
(over data sets), then the share of data sets without an interval, then the share of replicates
without a value, if there are any.
"""

import argparse
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from fractions import Fraction

import numpy as np

from bench import compared_intervals
from bench.compared_intervals import REPLICATES, Found
from bench.coverage import EVERY, Coverage
from bench.preferences import Design, Preferences, make_population
from stats.agreement.judgement_table import Ints
from stats.bootstrap import question_interval, replicate_totals
from stats.clustered_means import mean
from stats.pairwise.bradley_terry import win_tables
from stats.pairwise.bradley_terry_fit import best_fit

SIZES, SHORT_SIZES = (30, 50, 100, 500), (30, 100)
DESIGNS = (
    Design("four runs, three people"),
    Design("questions very unlike", unlike=2.0),
    Design("one run far ahead, rated 4 nearly always", (3.0, 0.0, -0.5, -1.0), rated=2.0),
    Design("one person", n_people=1),
    Design("three runs alike, many ties", (0.0, 0.0, 0.0), ties=2.0, left=0.0),
)
SHORT = DESIGNS[:1]
QUESTIONS, PEOPLE = "over questions", "people apart"
STRENGTH = "Bradley-Terry, difference"

ByKind = dict[str, defaultdict[str, Coverage]]  # by figure, then by kind of interval


def means(sample: Preferences, design: Design) -> Iterator[tuple[str, dict[str, list[Fraction]]]]:
    """Yield the figures of the first run that are means, with their values by question."""
    with_first = [place for place, pair in enumerate(design.pairs) if 0 in pair]
    won = sample.won[:, :, with_first]
    n = won.shape[1] * won.shape[2]
    wins, ties = (won == 0).sum(axis=(1, 2)).tolist(), (won == 2).sum(axis=(1, 2)).tolist()
    by_half = [Fraction(2 * a + b, 2 * n) for a, b in zip(wins, ties, strict=True)]
    yield "win-rate, ties 0", {str(row): [Fraction(each, n)] for row, each in enumerate(wins)}
    yield "win-rate, ties half", {str(row): [each] for row, each in enumerate(by_half)}
    f, a = (sample.rated[:, :, 0, scale].tolist() for scale in (0, 1))
    yield (
        "F+A",
        {
            str(row): [Fraction(2 * x * y, x + y) for x, y in zip(*each, strict=True)]
            for row, each in enumerate(zip(f, a, strict=True))
        },
    )
    decided = sample.won != 2
    to_left = ((sample.won == 0) == (sample.left == 1)) & decided
    n_decided, n_left = decided.sum(axis=(1, 2)).tolist(), to_left.sum(axis=(1, 2)).tolist()
    yield (
        "share of the left",
        {
            str(row): [Fraction(1)] * left + [Fraction(0)] * (of - left)
            for row, (left, of) in enumerate(zip(n_left, n_decided, strict=True))
            if of
        },
    )


def rows(sample: Preferences, design: Design) -> Ints:
    """Return the rows that `stats.pairwise.bradley_terry` resamples: wins by pair, then ties."""
    n_runs = len(design.strengths)
    wins = np.zeros((len(sample), n_runs, n_runs), np.int64)
    for place, (one, other) in enumerate(design.pairs):
        wins[:, one, other] = (sample.won[:, :, place] == 0).sum(axis=1)
        wins[:, other, one] = (sample.won[:, :, place] == 1).sum(axis=1)
    ties = (sample.won == 2).sum(axis=1)
    return np.hstack([wins.reshape(len(sample), -1), ties])


def true_values(population: Preferences, design: Design) -> dict[str, float]:
    found = {}
    for name, values in means(population, design):
        several = [float(value) for each in values.values() for value in each]
        found[name] = sum(several) / len(several)
    totals = rows(population, design).sum(axis=0, keepdims=True).astype(float)
    fit = best_fit(*win_tables(totals, len(design.strengths)), "half").strengths[0]
    return (
        found
        | {STRENGTH: float(fit[0] - fit[1])}
        | compared_intervals.true_values(population, design)
    )


def intervals(sample: Preferences, design: Design, seed: int) -> Iterator[Found]:
    """Yield the interval of each figure that is also computed for people apart."""
    for name, values in means(sample, design):
        within = (1, 4) if name == "F+A" else (0, 1)
        figure = mean(values, without="nothing", within=within)
        yield name, figure.interval.low, figure.interval.high, 0.0
    totals = replicate_totals(rows(sample, design), replicates=REPLICATES, seed=seed)
    drawn = best_fit(*win_tables(totals, len(design.strengths)), "half").strengths
    found = question_interval(drawn[:, 0] - drawn[:, 1], n_questions=len(sample), seed=seed)
    yield STRENGTH, found.low, found.high, found.n_undefined / REPLICATES
    yield from compared_intervals.of_judgements(sample, design, seed)


def simulated(design: Design, sizes: Sequence[int], n_sets: int) -> dict[int, ByKind]:
    """Return the coverage of each kind of interval, by size and figure."""
    population = make_population(np.random.default_rng(0), design)
    true = true_values(population, design)
    found: dict[int, ByKind] = {n: {name: defaultdict(Coverage) for name in true} for n in sizes}
    for n in sizes:
        rng = np.random.default_rng(n)
        for number in range(n_sets):
            sample = population.draw(rng, n)
            add(found[n], QUESTIONS, true, intervals(sample, design, number))
            add(found[n], QUESTIONS, true, compared_intervals.of_answers(sample, design, number))
            if design.n_people > 1 and number % EVERY == 0:
                add(found[n], PEOPLE, true, intervals(sample.as_people(), design, number))
    return found


def add(to: ByKind, kind: str, true: dict[str, float], each: Iterator[Found]) -> None:
    for name, low, high, undefined in each:
        to[name][kind].add(low, high, true[name])
        to[name][kind].undefined.append(undefined)


def show(design: Design, sizes: Sequence[int], n_sets: int) -> None:
    found = simulated(design, sizes, n_sets)
    for name, by_kind in found[sizes[0]].items():
        for kind in by_kind:
            cells = [str(found[n][name][kind]) for n in sizes]
            print(f"| {design.name} | {name} | {kind} | {' | '.join(cells)} |", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(prog="bench.compared_coverage")
    parser.add_argument("--full", action="store_true")
    parser.add_argument("--only", help="designs whose names contain this")
    parser.add_argument("--questions", type=int, nargs="+", help="sizes of the data sets")
    parser.add_argument("--sets", type=int, help="data sets of each size")
    asked, began = parser.parse_args(), time.process_time()
    sizes, n_sets = (SIZES, 400) if asked.full else (SHORT_SIZES, 100)
    sizes = asked.questions or sizes
    print(f"| design | figure | interval | {' | '.join(f'{n} questions' for n in sizes)} |")
    print("| --- " * (len(sizes) + 3) + "|")
    for design in DESIGNS if asked.full else SHORT:
        if (asked.only or "") in design.name:
            show(design, sizes, asked.sets or n_sets)
    print(f"\n{time.process_time() - began:.0f} s of CPU")


if __name__ == "__main__":
    main()
