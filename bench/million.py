"""A million answers: measures in constant memory, and a pool drawn by their scores.

    python -m bench.million [--full] [--answers N] [--seed N]

A tenth of a million unless --full, or --answers, says otherwise: so it is part of `make bench`.
Answers, 29 to a turn, are generated one by one: pieces, as long as answers are, of the complete run
of the shared task (TOUCHSTONE_REAL_DATA or ../shared/data), or of made-up text, whose answers are
twice as long. The first part computes EM, F1, ROUGE-1 and ROUGE-L of each against its turn's
reference and keeps nothing; the maximum memory of the process is printed after a tenth of the
answers and in the end. The second part draws a pool (`sampling.pools.draws.draw`, the paper's
rule: above .7, three distinct answers or more to a turn) from as many answers with scores, all of
them in memory, twice: the second time the stems of the words are known; beside it is the time of
splitting each text and sorting its words, so that another machine can be compared. CPU time. The
pages and `draw_pool` draw in parts of 10,000 answers by the same function, and need no such memory.
"""

import argparse
import random
import resource
import time
from collections.abc import Iterator

from bench import pairs
from sampling.pools.draws import draw
from sampling.pools.rule import Rule
from sampling.pools.selection import GivenAnswer, TurnAnswers, counts
from scoring.registry import MEASURES

N_RUNS = 29
NAMES = ("em", "f1", "rouge_1", "rouge_l")
MOST_GROWTH_MB = 16.0
RULE = Rule(scorer="made up", threshold=0.7, min_candidates=3)


def main() -> None:
    parser = argparse.ArgumentParser(description="a million answers: measures, and a pool")
    parser.add_argument("--full", action="store_true", help="a million, which takes two minutes")
    parser.add_argument("--answers", type=int)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    folder = pairs.real_data()
    print("made-up text" if folder is None else f"pieces of the complete run of {folder}")
    n = options.answers or (1_000_000 if options.full else 100_000)
    measured(n, options.seed)
    draw_pool(n, options.seed)


def measured(n: int, seed: int) -> None:
    measures = [MEASURES[name] for name in NAMES]
    seconds, held = 0.0, [0.0]
    number = 0
    for reference, answers in turns(n, seed):
        start = time.process_time()
        for answer in answers:
            for measure in measures:
                measure.value(answer, (reference,))
        seconds += time.process_time() - start
        number += len(answers)
        if number >= n // 10 and not held[0]:
            held[0] = most_held()
    held.append(most_held())
    print(
        f"{number:,} answers by {', '.join(NAMES)}: {seconds:.0f} s CPU;"
        f" held at most {held[0]:.0f} MB after a tenth, {held[1]:.0f} MB in the end"
    )
    if held[1] - held[0] > MOST_GROWTH_MB:
        raise SystemExit("memory grows with the number of answers")


def draw_pool(n: int, seed: int) -> None:
    rng = random.Random(seed)
    given = [
        TurnAnswers(
            turn=f"{number}_1",
            questions=("what is it",),
            references=(reference,),
            answers=tuple(
                GivenAnswer(f"run {run}", text, round(rng.random(), 6))
                for run, text in enumerate(answers)
            ),
        )
        for number, (reference, answers) in enumerate(turns(n, seed))
    ]
    for what in ("first", "again"):
        start = time.process_time()
        found = counts(draw(RULE, given))
        seconds = time.process_time() - start
        print(
            f"{what}: a pool of {found.n_candidates:,} candidates from {n:,} scores in {seconds:.1f} s CPU"
        )
    start = time.process_time()
    for turn in given:
        for answer in turn.answers:
            sorted(answer.text.lower().split())
    plain = time.process_time() - start
    print(
        f"that is {seconds / plain:.1f} times splitting each text and sorting its words, {plain:.1f} s"
    )


def turns(n: int, seed: int) -> Iterator[tuple[str, list[str]]]:
    """Yield references with 29 answers each, the last with the rest."""
    rng = random.Random(seed)
    folder = pairs.real_data()
    texts = pairs.complete_run(folder) if folder else pairs.made_up_answers(20_000, seed)
    # Pieces of one long text: drawing the words of each anew would take longer than what is measured.
    words = " ".join(texts).split()
    lengths = [len(text.split()) for text in texts]
    for turn in range(-(-n // N_RUNS)):
        starts = (rng.randrange(len(words)) for _ in range(N_RUNS + 1))
        reference, *answers = (
            " ".join(words[start : start + rng.choice(lengths)]) for start in starts
        )
        yield reference, answers[: n - turn * N_RUNS]


def most_held() -> float:
    """Return the maximum memory of the process, in MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


if __name__ == "__main__":
    main()
