"""Exact evidence search against the QReCC heuristic: speed, and the spans found.

    python -m bench.evidence [--all] [--seed N]

Reads the shared task's real data (TOUCHSTONE_REAL_DATA, or ../shared/data beside the checkout);
without it, it says so and uses made-up text. The ratios are those of one run on the same pairs, a
seeded sample of passages with all their answers; `--all` takes every passage.
"""

import argparse
import random
import statistics
import time
from collections.abc import Callable

from bench import heuristic, pairs
from text.spans import PreparedPassage, Span, best_span, best_span_in, prepare_passage

N_SAMPLED = 60
N_ROUNDS = 3


def main() -> None:
    parser = argparse.ArgumentParser(description="evidence search against the QReCC heuristic")
    parser.add_argument("--all", action="store_true", help="every passage, not a sample")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    searched = _searched(options.seed)
    if not options.all:
        searched = random.Random(options.seed).sample(searched, min(N_SAMPLED, len(searched)))
    print(
        f"{len(searched)} passages, {sum(len(one.answers) for one in searched)} pairs,"
        f" seed {options.seed}, CPU time, median of {N_ROUNDS} rounds (range)"
    )
    _report_speed(searched)
    _report_scores(searched)


def _searched(seed: int) -> list[pairs.SearchCase]:
    folder = pairs.real_data()
    if folder is None:
        print("made-up text: neither TOUCHSTONE_REAL_DATA nor ../shared/data is a folder")
        return pairs.made_up(N_SAMPLED, seed)
    print(f"real data from {folder}")
    return pairs.real(folder)


def _report_speed(searched: list[pairs.SearchCase]) -> None:
    prepared = [(prepare_passage(one.passage), one.answers) for one in searched]
    jobs: dict[str, Callable[[], object]] = {
        "QReCC heuristic": lambda: [
            heuristic.best_f1(one.passage, answer) for one in searched for answer in one.answers
        ],
        "whole job (a passage prepared once)": lambda: [
            _search(prepare_passage(one.passage), one.answers) for one in searched
        ],
        "whole job (prepared for each pair)": lambda: [
            best_span(one.passage, answer) for one in searched for answer in one.answers
        ],
        "search only": lambda: [_search(passage, answers) for passage, answers in prepared],
    }
    n_pairs = sum(len(one.answers) for one in searched)
    rounds = [{name: _seconds(job) for name, job in jobs.items()} for _ in range(N_ROUNDS)]
    for name in jobs:
        ratios = [seconds["QReCC heuristic"] / seconds[name] for seconds in rounds]
        each = statistics.median(seconds[name] for seconds in rounds) / n_pairs
        print(
            f"{name:38}{each * 1000:9.3f} ms a pair {statistics.median(ratios):7.1f} x"
            f" ({min(ratios):.1f} to {max(ratios):.1f})"
        )


def _search(passage: PreparedPassage, answers: tuple[str, ...]) -> list[Span | None]:
    return [best_span_in(passage, answer) for answer in answers]


def _seconds(job: Callable[[], object]) -> float:
    start = time.process_time()  # of this process alone, whatever else the machine does
    job()
    return time.process_time() - start


def _report_scores(searched: list[pairs.SearchCase]) -> None:
    found = [
        (one.passage, answer, heuristic.best_f1(one.passage, answer))
        for one in searched
        for answer in one.answers
    ]
    exact = [_exact_f1(passage, answer) for passage, answer, _ in found]
    n_better = sum(f1 > before for f1, (_, _, before) in zip(exact, found, strict=True))
    lower = [
        (answer, answer in passage)
        for f1, (passage, answer, before) in zip(exact, found, strict=True)
        if f1 < before
    ]
    print(
        f"exact search better on {n_better}, equal on {len(found) - n_better - len(lower)}, lower"
        f" on {len(lower)} pairs; mean F1 {statistics.fmean(before for _, _, before in found):.3f}"
        f" -> {statistics.fmean(exact):.3f}"
    )
    for answer, verbatim in lower:
        print(f"  lower on {answer!r}" + (", verbatim inside a word" if verbatim else ""))
    if not all(verbatim for _, verbatim in lower):
        raise SystemExit("the exact search is below the heuristic where no word is cut")


def _exact_f1(passage: str, answer: str) -> float:
    span = best_span(passage, answer)
    return span.f1 if span else 0.0


if __name__ == "__main__":
    main()
