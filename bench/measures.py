"""Measures of many answers, one after another: time, and constant memory.

    python -m bench.measures [--answers N] [--seed N]

Made-up texts, generated one by one: each turn's reference has 29 answers, as in the shared task.
EM, F1, ROUGE-1 and ROUGE-L of each. The memory of the process after a tenth of the answers is
compared with its maximum in the end.
"""

import argparse
import random
import resource
import time
from collections.abc import Iterator

from bench import pairs
from scoring.registry import MEASURES

N_RUNS = 29
NAMES = ("em", "f1", "rouge_1", "rouge_l")
MOST_GROWTH_MB = 16.0


def main() -> None:
    parser = argparse.ArgumentParser(description="many answers, one after another")
    parser.add_argument("--answers", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    measures = [MEASURES[name] for name in NAMES]
    totals, seconds, after_a_tenth = [0.0] * len(NAMES), 0.0, 0.0
    for number, (answer, reference) in enumerate(_streamed(options.answers, options.seed)):
        start = time.process_time()
        for place, measure in enumerate(measures):
            totals[place] += measure.value(answer, (reference,)) or 0.0
        seconds += time.process_time() - start
        if number == options.answers // 10:
            after_a_tenth = _most_held()
    growth = _most_held() - after_a_tenth
    means = ", ".join(
        f"{name} {total / options.answers:.4f}" for name, total in zip(NAMES, totals, strict=True)
    )
    print(f"{options.answers} made-up answers, seed {options.seed}: {means}")
    print(
        f"{seconds:.1f} s CPU, {seconds / options.answers * 1e6:.0f} µs an answer for all"
        f" {len(NAMES)}; a million: {seconds / options.answers * 1e6 / 60:.1f} min"
    )
    print(f"{after_a_tenth:.0f} MB held at most after a tenth, {growth:.1f} MB more in the end")
    if growth > MOST_GROWTH_MB:
        raise SystemExit("memory grows with the number of answers")


def _streamed(n: int, seed: int) -> Iterator[tuple[str, str]]:
    rng = random.Random(seed)
    for turn in range(-(-n // N_RUNS)):
        reference, *answers = pairs.made_up_answers(N_RUNS + 1, rng.randrange(2**32))
        for answer in answers[: n - turn * N_RUNS]:
            yield answer, reference


def _most_held() -> float:
    """Return the maximum memory of the process, in MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


if __name__ == "__main__":
    main()
