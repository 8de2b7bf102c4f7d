"""Coverage of a run's rate over all its answers, estimated from an audit sample.

    python -m bench.missed            # 200 samples a cell
    python -m bench.missed --full     # 1,000

Eight runs whose answers were drawn (600) or left out for one of two reasons (2,000 and 800); an
audit judges so many of each reason (`stats.stratified_estimate`). A run is plausible in .9 of its
drawn answers, in .5 and .2 of those left out. Of each reason four runs have many answers and four
have few. A cell has per cent of the intervals that contain the run's true rate, over runs and samples:
the poststratified exact one; R ± 1.96 errors about Hájek's R, which is not given; and of this where
the run has no sampled answer of some reason, with the per cent of such cases. Cases of which all
settled answers end alike never had a Hájek interval.
"""

import argparse
import time

import numpy as np

from stats.stratified_estimate import Judged, Stratum, estimate

AUDITED = (30, 50, 100, 200)
STRATA = (("drawn", 600, 0.9), ("below_threshold", 2_000, 0.5), ("represented", 800, 0.2))
# What share of a stratum's answers each of the eight runs gave.
SHARES = np.array([0.24, 0.24, 0.2, 0.2, 0.05, 0.04, 0.02, 0.01])
RUNS = [f"r{place}" for place in range(len(SHARES))]
Z = 1.959964


def population(rng: np.random.Generator) -> list[tuple[np.ndarray, np.ndarray]]:
    """Return by stratum the run of each answer, and whether it is plausible."""
    return [
        (rng.choice(len(SHARES), size=n, p=SHARES), rng.random(n) < share) for _, n, share in STRATA
    ]


def judged(runs: np.ndarray, plausible: np.ndarray, asked: np.ndarray, name: str) -> Stratum:
    def counts(is_own: np.ndarray) -> Judged:
        own = is_own & asked
        return Judged(
            int(is_own.sum()), int(own.sum()), int(own.sum()), int((own & plausible).sum())
        )

    everything = np.ones(len(runs), dtype=bool)
    by_run = {run: counts(runs == place) for place, run in enumerate(RUNS)}
    return Stratum(name, counts(everything), by_run)


def sample(
    rng: np.random.Generator, truth: list[tuple[np.ndarray, np.ndarray]], n_audited: int
) -> list[Stratum]:
    strata = []
    for (name, n, _), (runs, plausible) in zip(STRATA, truth, strict=True):
        asked = np.zeros(n, dtype=bool)
        asked[rng.choice(n, size=n if name == "drawn" else n_audited, replace=False)] = True
        strata.append(judged(runs, plausible, asked, name))
    return strata


def simulated(n_audited: int, n_sets: int) -> list[str]:
    rng = np.random.default_rng(n_audited)
    truth = population(rng)
    runs, plausible = (np.concatenate(each) for each in zip(*truth, strict=True))
    rates = {run: plausible[runs == place].mean() for place, run in enumerate(RUNS)}
    exact, hajek, lonely = [], [], []
    for _ in range(n_sets):
        drawn, *left_out = sample(rng, truth, n_audited)
        for run in estimate(drawn, left_out).runs:
            true = rates[run.run]
            value, error = run.hajek.value, run.hajek.error
            if run.of_all.low is not None and run.of_all.high is not None:
                exact.append(run.of_all.low - 1e-9 <= true <= run.of_all.high + 1e-9)
            if value is None or not error:
                continue
            hajek.append(abs(value - true) <= Z * error)
            if run.of_all.low is None:
                lonely.append(hajek[-1])
    without = len(lonely) / len(hajek)
    return [
        f"{100 * np.mean(exact):.1f}",
        f"{100 * np.mean(hajek):.1f}",
        f"{100 * np.mean(lonely):.1f} ({100 * without:.0f} %)" if lonely else "none",
    ]


def main() -> None:
    parser = argparse.ArgumentParser(prog="bench.missed")
    parser.add_argument("--full", action="store_true")
    n_sets, began = 1_000 if parser.parse_args().full else 200, time.process_time()
    print("| audited of each reason | exact | Hájek | Hájek, no answer of a reason |")
    print("| --- " * 4 + "|")
    for n_audited in AUDITED:
        print(f"| {n_audited} | {' | '.join(simulated(n_audited, n_sets))} |", flush=True)
    print(f"\n{time.process_time() - began:.0f} s of CPU")


if __name__ == "__main__":
    main()
