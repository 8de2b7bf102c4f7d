"""Coverage of percentile intervals of Kendall's τ and Pearson's r over runs, which are not given.

    python -m bench.run_order            # 100 data sets a cell
    python -m bench.run_order --full     # 400

Runs close together are scored by two measures of which one is the other and a little noise, on
conversations of one turn. The true value is over the runs' true means. A cell has per cent of the
middle 95 % of 1,000 bootstrap replicates over conversations that contain it, and per cent that
exclude the data set's own value.
"""

import argparse
import time

import numpy as np

from stats.correlation import COEFFICIENTS, Coefficient

CASES = ((10, 100), (10, 400), (29, 100), (29, 400))
REPLICATES = 1_000
# Deviations of the runs' true means, of what the second measure adds to them, and of a turn's values.
RUNS, ADDED, TURNS = 0.03, 0.005, 0.4


def simulated(
    n_runs: int, n_turns: int, n_sets: int
) -> dict[Coefficient, tuple[float, float, float]]:
    """Return the true value, the coverage and the share that excludes the own value."""
    rng = np.random.default_rng(n_runs)
    first = rng.normal(0.5, RUNS, n_runs)
    true_means = np.stack([first, first + rng.normal(0, ADDED, n_runs)])
    holds: dict[Coefficient, list[bool]] = {name: [] for name in COEFFICIENTS}
    excludes: dict[Coefficient, list[bool]] = {name: [] for name in COEFFICIENTS}
    for _ in range(n_sets):
        shared = rng.normal(0, TURNS, (n_turns, n_runs))
        own = rng.normal(0, TURNS / 2, (2, n_turns, n_runs))
        values = true_means[:, None] + shared + own
        times = rng.multinomial(n_turns, np.full(n_turns, 1 / n_turns), size=REPLICATES) / n_turns
        drawn, means = times @ values, values.mean(axis=1)
        for name, coefficient in COEFFICIENTS.items():
            low, high = np.percentile(coefficient(drawn[0], drawn[1]), [2.5, 97.5])
            true = coefficient(true_means[:1], true_means[1:])[0]
            sample = coefficient(means[:1], means[1:])[0]
            holds[name].append(low <= true <= high)
            excludes[name].append(not low <= sample <= high)
    return {
        name: (
            float(coefficient(true_means[:1], true_means[1:])[0]),
            100 * float(np.mean(holds[name])),
            100 * float(np.mean(excludes[name])),
        )
        for name, coefficient in COEFFICIENTS.items()
    }


def main() -> None:
    parser = argparse.ArgumentParser(prog="bench.run_order")
    parser.add_argument("--full", action="store_true")
    n_sets, began = 400 if parser.parse_args().full else 100, time.process_time()
    print("| runs | conversations | coefficient | true value | covers | excludes its own value |")
    print("| --- " * 6 + "|")
    for n_runs, n_turns in CASES:
        for name, (true, covers, excludes) in simulated(n_runs, n_turns, n_sets).items():
            figures = f"{true:.2f} | {covers:.0f} % | {excludes:.0f} %"
            print(f"| {n_runs} | {n_turns} | {name} | {figures} |", flush=True)
    print(f"\n{time.process_time() - began:.0f} s of CPU")


if __name__ == "__main__":
    main()
