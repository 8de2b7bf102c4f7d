"""Means per run with 1,000 bootstrap replicates, and correlations of measures: time and memory.

    python -m bench.means

29 runs by 10 measures over 16,451 turns of 2,775 conversations, the size of the shared task;
made-up values. The reference is a plain implementation: draw conversations, put their turns
together, take the mean; twenty replicates of it are timed and scaled to 1,000. Ours draws the same
conversations, and those twenty replicates are compared and equal to 1e-8. For the correlations the
reference is scipy, called for each replicate, and for τ-b of 10,000 answers, called once a round.
"""

import time
import tracemalloc
from statistics import median

import numpy as np
from scipy.stats import kendalltau, pearsonr

from stats.bootstrap import Floats, times_drawn
from stats.correlation import COEFFICIENTS, kendall_tau_b
from stats.means import means

N_RUNS, N_MEASURES, N_TURNS, N_CLUSTERS = 29, 10, 16_451, 2_775
REPLICATES, SEED = 1_000, 1
CHECKED = 20
N_ANSWERS, ROUNDS = 10_000, 9
# All pairs of them would take 400 MB.
MOST_MB = 10


def main() -> None:
    rng = np.random.default_rng(0)
    cluster = np.sort(rng.integers(N_CLUSTERS, size=N_TURNS))
    names = [f"{number:05}" for number in cluster]
    values = rng.random((N_TURNS, N_RUNS * N_MEASURES))

    start = time.perf_counter()
    _, drawn = means(values, names, replicates=REPLICATES, seed=SEED)
    seconds = time.perf_counter() - start
    one_by_one, expected = _one_by_one(values, cluster)
    if np.abs(drawn[:CHECKED] - expected).max() > 1e-8:
        raise SystemExit("the replicates differ from those drawn one by one")
    print(f"{N_RUNS} runs x {N_MEASURES} measures x {N_TURNS} turns, {REPLICATES} replicates")
    _say("means and intervals", seconds, one_by_one)

    replicates = drawn.reshape(REPLICATES, N_RUNS, N_MEASURES)[:, :, :2]
    start = time.perf_counter()
    found = [function(replicates[..., 0], replicates[..., 1]) for function in COEFFICIENTS.values()]
    seconds = time.perf_counter() - start
    start = time.perf_counter()
    for one, other in replicates[:CHECKED].transpose(0, 2, 1):
        kendalltau(one, other)
        pearsonr(one, other)
    by_scipy = (time.perf_counter() - start) / CHECKED * REPLICATES
    _say(f"{len(found)} correlations of two measures", seconds, by_scipy)

    _many_answers(rng)

    tracemalloc.start()
    means(values, names, replicates=REPLICATES, seed=SEED)
    print(f"  {tracemalloc.get_traced_memory()[1] / 1e6:.0f} MB beside the values' own")


def _many_answers(rng: np.random.Generator) -> None:
    """Time τ-b of one measure and mean ratings, many of which are equal."""
    measure = rng.random((1, N_ANSWERS))
    ratings = np.round(measure * 3 + rng.normal(size=measure.shape))
    ours, theirs = [], []
    for _ in range(ROUNDS):
        start = time.process_time()
        tau = float(kendall_tau_b(measure, ratings)[0])
        ours.append(time.process_time() - start)
        start = time.process_time()
        expected = float(kendalltau(measure[0], ratings[0]).statistic)
        theirs.append(time.process_time() - start)
    tracemalloc.start()
    kendall_tau_b(measure, ratings)
    held = tracemalloc.get_traced_memory()[1] / 1e6
    tracemalloc.stop()
    print(
        f"  tau-b of {N_ANSWERS:,} answers: {median(ours) * 1e3:.1f} ms,"
        f" scipy {median(theirs) * 1e3:.1f} ms; {held:.1f} MB"
    )
    if abs(tau - expected) > 1e-12 or held > MOST_MB:
        raise SystemExit("tau-b of many answers is not scipy's, or holds their pairs")


def _one_by_one(values: Floats, cluster: np.ndarray) -> tuple[float, Floats]:
    """Return the seconds for all replicates, scaled from the first ones; and these."""
    present = np.unique(cluster)
    rows = [np.flatnonzero(cluster == each) for each in present]
    drawn = next(times_drawn(len(present), replicates=REPLICATES, seed=SEED))[:CHECKED].astype(int)
    start = time.perf_counter()
    found = [
        values[
            np.concatenate([rows[place] for place in np.repeat(np.arange(len(rows)), times)])
        ].mean(axis=0)
        for times in drawn
    ]
    return (time.perf_counter() - start) / CHECKED * REPLICATES, np.array(found)


def _say(name: str, ours: float, reference: float) -> None:
    print(f"  {name}: {ours:.2f} s, one by one {reference:.1f} s, {reference / ours:.0f} x")


if __name__ == "__main__":
    main()
