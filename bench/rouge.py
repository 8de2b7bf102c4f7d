"""ROUGE-1, ROUGE-L and RougeLp against the package rouge-score: speed, and equal values.

    python -m bench.rouge [--seed N]

The pairs are those of bench.overlap: 11,000 answers of one complete run of the shared task, each
with another random one, so that hardly a text occurs twice while it is cached. RougeLp is measured
on answers against the passages of their turns, which are many times longer. Made-up text without
real data (TOUCHSTONE_REAL_DATA, or ../shared/data beside the checkout).
"""

import argparse
import random
import statistics
import time
from collections.abc import Callable

from rouge_score.rouge_scorer import RougeScorer

from bench import pairs
from text.rouge import rouge_1, rouge_l, rouge_l_precision

N_PAIRS = 11_000
N_PASSAGES = 40
N_ROUNDS = 3
AT_LEAST = 6.0

Pair = tuple[str, str]
Values = list[tuple[float, ...]]
Work = Callable[[list[Pair]], Values]

BOTH = RougeScorer(["rouge1", "rougeL"])
LONGEST_COMMON = RougeScorer(["rougeL"])


def main() -> None:
    parser = argparse.ArgumentParser(description="ROUGE against rouge-score")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    folder = pairs.real_data()
    print("made-up text" if folder is None else f"real data from {folder}")
    rng = random.Random(options.seed)
    if folder is None:
        texts = pairs.made_up_answers(N_PAIRS, options.seed)
        searched = pairs.made_up(N_PASSAGES, options.seed)
    else:
        texts = pairs.complete_run(folder)[:N_PAIRS]
        searched = rng.sample(pairs.real(folder), N_PASSAGES)
    drawn = list(zip(texts, rng.sample(texts, len(texts)), strict=True))
    grounded = [(answer, each.passage) for each in searched for answer in each.answers]
    print(f"seed {options.seed}, CPU time, median of {N_ROUNDS} rounds (range)")
    _report("ROUGE-1 and ROUGE-L", drawn, _ours, _by_package)
    _report("RougeLp", grounded, _our_extractiveness, _extractiveness_by_package)


def _report(name: str, drawn: list[Pair], ours: Work, reference: Work) -> None:
    rounds = [(_timed(reference, drawn), _timed(ours, drawn)) for _ in range(N_ROUNDS)]
    (_, expected), (_, values) = rounds[0]
    differ = [
        pair for pair, *both in zip(drawn, expected, values, strict=True) if both[0] != both[1]
    ]
    if differ:
        raise SystemExit(f"{name}: {len(differ)} pairs have other values, such as {differ[0]}")
    n_words = [statistics.fmean(len(pair[side].split()) for pair in drawn) for side in (0, 1)]
    print(f"{name}: {len(drawn)} pairs, {n_words[0]:.0f} against {n_words[1]:.0f} words a text")
    for said, column in zip(("rouge-score", "ours"), zip(*rounds, strict=True), strict=True):
        print(f"  {said:12}{statistics.median(seconds for seconds, _ in column):7.3f} s")
    ratios = [package / own for (package, _), (own, _) in rounds]
    print(
        f"  {statistics.median(ratios):.1f} x ({min(ratios):.1f} to {max(ratios):.1f}),"
        f" at least {AT_LEAST:.0f} x; all values equal to the last bit"
    )


def _timed(work: Work, drawn: list[Pair]) -> tuple[float, Values]:
    start = time.process_time()  # of this process alone, whatever else the machine does
    values = work(drawn)
    return time.process_time() - start, values


def _ours(drawn: list[Pair]) -> Values:
    return [(*rouge_1(*pair), *rouge_l(*pair)) for pair in drawn]


def _by_package(drawn: list[Pair]) -> Values:
    found = (BOTH.score(reference, prediction) for prediction, reference in drawn)
    return [(*scores["rouge1"], *scores["rougeL"]) for scores in found]


def _our_extractiveness(drawn: list[Pair]) -> Values:
    return [(rouge_l_precision(*pair),) for pair in drawn]


def _extractiveness_by_package(drawn: list[Pair]) -> Values:
    found = (LONGEST_COMMON.score(passage, answer) for answer, passage in drawn)
    return [(scores["rougeL"].precision,) for scores in found]


if __name__ == "__main__":
    main()
