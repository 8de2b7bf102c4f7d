"""Exact match and token F1 against a plain implementation: speed, and equal values.

    python -m bench.overlap [--seed N]

11,000 pairs of answers of one complete run of the shared task (TOUCHSTONE_REAL_DATA, or
../shared/data beside the checkout), each with another random one, so that hardly a text occurs
twice while it is cached; made-up text without real data. The reference is a plain implementation
after SQuAD's evaluation script, with `Counter`.
"""

import argparse
import random
import re
import statistics
import string
import time
from collections import Counter
from collections.abc import Callable

from bench import pairs
from text.overlap import exact_match, token_f1

N_PAIRS = 11_000
N_ROUNDS = 3
AT_LEAST = 3.0

Pair = tuple[str, str]
Values = list[tuple[float, float]]


def main() -> None:
    parser = argparse.ArgumentParser(description="exact match and F1 against a plain version")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    folder = pairs.real_data()
    print("made-up text" if folder is None else f"real data from {folder}")
    texts = (
        pairs.made_up_answers(N_PAIRS, options.seed)
        if folder is None
        else pairs.complete_run(folder)
    )
    drawn = _pairs(texts[:N_PAIRS], options.seed)
    n_words = statistics.fmean(len(text.split()) for pair in drawn for text in pair)
    print(
        f"{len(drawn)} pairs, {n_words:.0f} words a text, seed {options.seed},"
        f" CPU time, median of {N_ROUNDS} rounds (range)"
    )
    _report(drawn)


def _pairs(texts: list[str], seed: int) -> list[Pair]:
    others = random.Random(seed).sample(texts, len(texts))
    return list(zip(texts, others, strict=True))


def _report(drawn: list[Pair]) -> None:
    rounds = [(_timed(_plainly, drawn), _timed(_ours, drawn)) for _ in range(N_ROUNDS)]
    (_, expected), (_, values) = rounds[0]
    differ = [pair for pair, *both in zip(drawn, expected, values, strict=True) if _differ(*both)]
    if differ:
        raise SystemExit(f"{len(differ)} pairs have other values, such as {differ[0]}")
    for name, column in zip(("plain", "ours"), zip(*rounds, strict=True), strict=True):
        print(f"{name:8}{statistics.median(seconds for seconds, _ in column):7.3f} s")
    ratios = [plain / ours for (plain, _), (ours, _) in rounds]
    print(
        f"{statistics.median(ratios):.1f} x ({min(ratios):.1f} to {max(ratios):.1f}),"
        f" at least {AT_LEAST:.0f} x; all values equal to 1e-12,"
        f" mean F1 {statistics.fmean(f1 for _, f1 in values):.4f}"
    )


def _differ(expected: tuple[float, float], values: tuple[float, float]) -> bool:
    return any(abs(one - other) > 1e-12 for one, other in zip(expected, values, strict=True))


def _timed(work: Callable[[list[Pair]], Values], drawn: list[Pair]) -> tuple[float, Values]:
    start = time.process_time()  # of this process alone, whatever else the machine does
    values = work(drawn)
    return time.process_time() - start, values


def _ours(drawn: list[Pair]) -> Values:
    return [(exact_match(*pair), token_f1(*pair)) for pair in drawn]


def _plainly(drawn: list[Pair]) -> Values:
    return [(_plain_match(*pair), _plain_f1(*pair)) for pair in drawn]


def _plain_match(prediction: str, reference: str) -> float:
    return float(_plain_words(prediction) == _plain_words(reference))


def _plain_f1(prediction: str, reference: str) -> float:
    predicted, expected = _plain_words(prediction), _plain_words(reference)
    if not predicted or not expected:
        return float(predicted == expected)
    n_shared = sum((Counter(predicted) & Counter(expected)).values())
    if n_shared == 0:
        return 0.0
    precision, recall = n_shared / len(predicted), n_shared / len(expected)
    return 2 * precision * recall / (precision + recall)


def _plain_words(text: str) -> list[str]:
    punctuation = set(string.punctuation)
    kept = "".join(character for character in text.lower() if character not in punctuation)
    return re.sub(r"\b(a|an|the)\b", " ", kept).split()


if __name__ == "__main__":
    main()
