"""Coverage of the t intervals of means over questions, beside the percentile bootstrap's.

    python -m bench.mean_coverage            # 2,000 data sets a cell, the bootstrap of 200
    python -m bench.mean_coverage --full     # 20,000, the bootstrap of 1,000

Data sets of 10, 30, 100 and 300 simulated questions (`bench/preferences.py`), of the designs of
`bench.compared_coverage`. The figures are those of `exports.comparison` that are means over
questions, computed for all data sets at once from each question's sum and number of values. A cell
has per cent of the t intervals (`stats.clustered_means`) that contain the true value, in brackets of
the percentile intervals of 1,000 replicates for the first design and up to 100 questions; then the share of data sets without an interval.
"""

import argparse
import time
from collections.abc import Iterator

import numpy as np
from scipy import special

from bench.compared_coverage import DESIGNS
from bench.preferences import Design, Preferences, make_population
from stats.agreement.judgement_table import Floats

SIZES = (10, 30, 100, 300)
REPLICATES = 1_000
# Numbers that are held at once.
AT_ONCE = 4_000_000

Sums = tuple[Floats, Floats]  # of each question the sum and the number of its values


def figures(population: Preferences, design: Design) -> Iterator[tuple[str, Sums]]:
    """Yield the figures, with the sum and the number of values of each question."""
    n = len(population)
    ones = np.ones(n)
    won = population.won
    with_first = [place for place, pair in enumerate(design.pairs) if 0 in pair]
    for name, tie in (("win-rate, ties 0", 0.0), ("win-rate, ties half", 0.5)):
        first = won[:, :, with_first]
        yield name, ((first == 0).mean(axis=(1, 2)) + tie * (first == 2).mean(axis=(1, 2)), ones)
    rated = population.rated.astype(float)
    f, a = rated[..., 0], rated[..., 1]
    both = 2 * f * a / (f + a)
    people = np.full(n, float(rated.shape[1]))
    yield "faithful", (f[:, :, 0].sum(axis=1), people)
    yield "F+A", (both[:, :, 0].sum(axis=1), people)
    yield "difference of two, F+A", ((both[:, :, 0] - both[:, :, 1]).mean(axis=1), ones)
    preferred = (won[:, :, 0] == 0).mean(axis=1) - (won[:, :, 0] == 1).mean(axis=1)
    yield "difference of two, preference", (preferred, ones)
    decided = won != 2
    to_left = ((won == 0) == (population.left == 1)) & decided
    yield "share of the left", (to_left.sum(axis=(1, 2)) * 1.0, decided.sum(axis=(1, 2)) * 1.0)
    one, other = np.array(design.pairs).T
    more = (population.lengths[:, one] - population.lengths[:, other])[:, None].astype(float)
    extra = np.where(won == 0, more, -more)
    unlike = decided & (more != 0)
    yield (
        "prefer the longer",
        (
            ((extra > 0) & unlike).sum(axis=(1, 2)) * 1.0,
            unlike.sum(axis=(1, 2)) * 1.0,
        ),
    )
    yield (
        "the preferred is longer by",
        (
            np.where(decided, extra, 0).sum(axis=(1, 2)),
            decided.sum(axis=(1, 2)) * 1.0,
        ),
    )


def samples(rng: np.random.Generator, found: Sums, n: int, n_sets: int) -> Iterator[Sums]:
    """Yield data sets of n questions, (some data sets, n) at a time."""
    sums, numbers = found
    at_once = max(1, AT_ONCE // n)
    for start in range(0, n_sets, at_once):
        rows = rng.integers(len(sums), size=(min(at_once, n_sets - start), n))
        yield sums[rows], numbers[rows]


def by_t(sums: Floats, numbers: Floats) -> tuple[Floats, Floats]:
    """Return the middle and the half width of each row's interval, NaN without one."""
    n = sums.shape[1]
    total = numbers.sum(axis=1)
    mean = sums.sum(axis=1) / np.where(total > 0, total, np.nan)
    squares = ((sums - mean[:, None] * numbers) ** 2).sum(axis=1)
    # a question without a value is not one of the figure's questions
    known = (numbers > 0).sum(axis=1)
    factor = known / np.where(known > 1, known - 1, np.nan)
    half = special.stdtrit(np.maximum(known - 1, 1), 0.975) * np.sqrt(factor * squares) / total
    half[squares <= 1e-12 * n] = np.nan
    return mean, half


def by_bootstrap(rng: np.random.Generator, sums: Floats, numbers: Floats) -> tuple[Floats, Floats]:
    """Return both ends of each row's percentile interval, NaN without one."""
    n = sums.shape[1]
    low, high = np.full(len(sums), np.nan), np.full(len(sums), np.nan)
    for row, (own, counts) in enumerate(zip(sums, numbers, strict=True)):
        times = rng.multinomial(n, np.full(n, 1 / n), size=REPLICATES)
        totals = times @ counts
        values = (times @ own)[totals > 0] / totals[totals > 0]
        if np.ptp(values) > 1e-9:
            low[row], high[row] = np.percentile(values, [2.5, 97.5])
    return low, high


def cell(found: Sums, n: int, n_sets: int, n_bootstraps: int) -> str:
    rng = np.random.default_rng(n)
    true = found[0].sum() / found[1].sum()
    holds, n_without = [], 0
    for sums, numbers in samples(rng, found, n, n_sets):
        mean, half = by_t(sums, numbers)
        defined = ~np.isnan(half)
        n_without += int((~defined).sum())
        holds.append(np.abs(mean - true)[defined] <= half[defined] + 1e-9)
    without = f"; {100 * n_without / n_sets:.1f} % none" if n_without >= n_sets / 2_000 else ""
    covered = f"{100 * np.concatenate(holds).mean():.1f}"
    if not n_bootstraps:
        return covered + without
    (few,) = samples(rng, found, n, n_bootstraps)
    low, high = by_bootstrap(rng, *few)
    defined = ~np.isnan(low)
    before = (low[defined] - 1e-9 <= true) & (true <= high[defined] + 1e-9)
    return f"{covered} ({100 * before.mean():.1f}){without}"


def main() -> None:
    parser = argparse.ArgumentParser(prog="bench.mean_coverage")
    parser.add_argument("--full", action="store_true")
    is_full, began = parser.parse_args().full, time.process_time()
    n_sets, n_bootstraps = (20_000, 1_000) if is_full else (2_000, 200)
    print(f"| design | figure | {' | '.join(f'{n} questions' for n in SIZES)} |")
    print("| --- " * (len(SIZES) + 2) + "|")
    for design in DESIGNS:
        population = make_population(np.random.default_rng(0), design)
        for name, found in figures(population, design):
            cells = [
                cell(found, n, n_sets, n_bootstraps if design == DESIGNS[0] and n <= 100 else 0)
                for n in SIZES
            ]
            print(f"| {design.name} | {name} | {' | '.join(cells)} |", flush=True)
    print(f"\n{time.process_time() - began:.0f} s of CPU")


if __name__ == "__main__":
    main()
