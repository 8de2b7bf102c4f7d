"""Coverage of gold rates and their differences where faithfulness is asked of a part only.

    python -m bench.gold            # 200 studies a cell
    python -m bench.gold --full     # 1,000

Studies of two runs with one answer a question. The faithfulness of a random three tenths of their
plausible answers is asked, as by `find_evidence --sample`, so that in a study of the size s it is
settled for about s plausible answers of the first run. A cell has per cent of the defined intervals
(`stats.two_step_rates`) that contain the true value, and, of equal runs, the per cent of studies
that tell them apart: by the test of before, on the answers whose end is known (Wilson's counterpart
for pairs, Tango's, over implausible and asked ones), and now.
"""

import argparse
import time
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from stats.paired_proportions import pairs
from stats.two_step_rates import Questions, Steps, counts, rate_interval, two_step_pairs

SIZES = (30, 100, 300)
ASKED = 0.3
REPLICATES = 1_000


@dataclass(frozen=True)
class Design:
    name: str
    plausible: tuple[float, float]
    faithful: tuple[float, float]

    @property
    def gold(self) -> tuple[float, float]:
        return self.plausible[0] * self.faithful[0], self.plausible[1] * self.faithful[1]


DESIGNS = (
    Design(".9 x .8 and .8 x .9", (0.9, 0.8), (0.8, 0.9)),
    Design(".7 x .7 and .7 x .5", (0.7, 0.7), (0.7, 0.5)),
    Design(".95 x .95 and .95 x .9", (0.95, 0.95), (0.95, 0.9)),
)


@dataclass
class Found:
    rates: list[bool]
    differences: list[bool]
    told_before: int = 0
    told_now: int = 0
    value: float = 0.0


def study(rng: np.random.Generator, design: Design, n: int) -> Mapping[str, Questions]:
    runs = {}
    for place, run in enumerate(("one", "other")):
        plausible = rng.random(n) < design.plausible[place]
        faithful = rng.random(n) < design.faithful[place]
        is_asked = rng.random(n) < ASKED
        runs[run] = {
            str(number): Steps(bool(first), bool(second) if first and asked else None)
            for number, (first, second, asked) in enumerate(
                zip(plausible, faithful, is_asked, strict=True)
            )
        }
    return runs


def told_apart_before(runs: Mapping[str, Questions]) -> bool:
    """Return whether a test on the answers of which the end is known rejects."""
    known = {
        run: {
            question: each.passes_second is True
            for question, each in questions.items()
            if not each.passes_first or each.passes_second is not None
        }
        for run, questions in runs.items()
    }
    return pairs(known)[0].is_told_apart


def simulated(design: Design, size: int, n_sets: int) -> Found:
    found, rng = Found([], []), np.random.default_rng(size)
    n = round(size / ASKED / design.plausible[0])
    for _ in range(n_sets):
        runs = study(rng, design, n)
        for run, true in zip(runs, design.gold, strict=True):
            interval = rate_interval(runs[run], replicates=REPLICATES, seed=0)
            if interval.low is not None and interval.high is not None:
                found.rates.append(interval.low <= true <= interval.high)
        (pair,) = two_step_pairs(runs, replicates=REPLICATES, seed=0)
        low, high = pair.interval.low, pair.interval.high
        if low is not None and high is not None:
            found.differences.append(low <= design.gold[0] - design.gold[1] <= high)
        found.told_before += told_apart_before(runs)
        found.told_now += pair.is_told_apart
        found.value += (counts(runs["one"]).value or 0.0) / n_sets
    return found


def main() -> None:
    parser = argparse.ArgumentParser(prog="bench.gold")
    parser.add_argument("--full", action="store_true")
    n_sets, began = 1_000 if parser.parse_args().full else 200, time.process_time()
    print(
        "| runs | asked of the first run | its mean rate | rate | difference | told apart before, now |"
    )
    print("| --- " * 6 + "|")
    for design in DESIGNS:
        for size in SIZES:
            each = simulated(design, size, n_sets)
            told = f"{100 * each.told_before / n_sets:.1f}, {100 * each.told_now / n_sets:.1f}"
            cells = [f"{100 * np.mean(holds):.1f}" for holds in (each.rates, each.differences)]
            print(f"| {design.name} | {size} | {each.value:.3f} | {' | '.join(cells)} | {told} |")
    print(f"\n{time.process_time() - began:.0f} s of CPU")


if __name__ == "__main__":
    main()
