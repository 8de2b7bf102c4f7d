"""Two stages of SAS on a set of the real size: hours saved, and answers on the other side.

    python -m bench.two_stage [--full] [--model MODEL] [--shape minilm|roberta-large] [--spread S] [--pairs N]

Unless --full is given, it uses a third of the pairs and a guarantee that so few can show (at most 2
% on another side, not 1 %): so it is part of `make bench`. The set is 29 runs by 16,451 turns. Each
turn's reference is an answer of the one complete run of the shared task (TOUCHSTONE_REAL_DATA or
../shared/data; made-up text without it), and the 29 answers to it are seeded edits of that:
unchanged, words dropped, inserted or moved, half of it, another turn's answer. It is never written
to disk: any pair of it can be made from its number, and N of them are. Half of these calibrate, the
other half are new to the band and show how many answers two stages put on another side of the
threshold than the cross-encoder.

No trained cross-encoder is available without a network. So unless --model names one, time is taken
with random weights of the named shape, which costs the same, and the cross-encoder's scores are
made up: a sigmoid through the two points at which the scales are known to meet, with the spread
that the cosines of the 372 published pairs have about their regression on the published SAS (.047).
These are all from .8 upwards: below that it is extrapolated, and --spread tries a weaker agreement
of the two. Hours are the sample's seconds times the size of the set: CPU time of one thread.
"""

import argparse
import math
import random
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import torch

from bench import pairs
from bench.sas import SHAPES, cross_encoder
from scoring import sas
from scoring.two_stages import calibrate

N_RUNS, N_TURNS = 29, 16_451
THRESHOLD = 0.8
N_TIMED = {"minilm": 300, "roberta-large": 24}
# A cosine of .74 stands for a SAS of .80, and .62 for .70 (docs/adr/0003-evidence-threshold.md).
SLOPE = (math.log(0.8 / 0.2) - math.log(0.7 / 0.3)) / (0.74 - 0.62)
SPREAD = 0.047


@dataclass(frozen=True)
class Size:
    n_pairs: int
    n_turns_timed: int
    most_wrong: float


FULL, SMALL = Size(2400, 30, 0.01), Size(800, 10, 0.02)


def main() -> None:
    parser = argparse.ArgumentParser(description="two stages of SAS against one")
    parser.add_argument("--model", help="a cross-encoder by folder or hub name")
    parser.add_argument("--shape", choices=SHAPES, default="minilm")
    parser.add_argument("--spread", type=float, default=SPREAD)
    parser.add_argument("--full", action="store_true", help="most of a minute")
    parser.add_argument("--pairs", type=int)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    size = FULL if options.full else SMALL
    torch.set_num_threads(1)
    folder = pairs.real_data()
    texts = pairs.complete_run(folder) if folder else pairs.made_up_answers(N_TURNS, 1)
    print("made-up text" if folder is None else f"edits of the complete run of {folder}")
    numbers = random.Random(options.seed).sample(
        range(N_RUNS * N_TURNS), options.pairs or size.n_pairs
    )
    some = [pair for pair in (pair_of(number, texts) for number in numbers) if pair[0]]

    embedded = sas.load(device="cpu")
    cosines = embedded.similarities(some)
    second, said = asked(options, some, cosines)
    # Whole turns, as a job meets them: a reference is embedded once for its 29 answers.
    turns = random.Random(options.seed).sample(range(N_TURNS), size.n_turns_timed)
    whole = [pair_of(turn * N_RUNS + run, texts) for turn in turns for run in range(N_RUNS)]
    spent, _ = timed(lambda: embedded.similarities(whole))
    report(list(zip(cosines, said, strict=True)), spent / len(whole), second, size.most_wrong)


def pair_of(number: int, texts: list[str]) -> sas.Pair:
    """Return answer and reference, the same for the same number."""
    turn = number // N_RUNS
    reference = texts[turn % len(texts)] or "no answer"
    rng = random.Random(number)
    words = reference.split()
    edit = rng.random()
    if edit < 0.05:
        return reference, reference
    if edit < 0.35:
        return rng.choice(texts), reference
    if edit < 0.45:
        return " ".join(words[: len(words) // 2 + 1]), reference
    strength = rng.random()
    other = rng.choice(texts).split() or ["no"]
    edited = [rng.choice(other) if rng.random() < strength / 2 else word for word in words]
    kept = [word for word in edited if rng.random() > strength / 3] or edited
    if rng.random() < 0.3:
        rng.shuffle(kept)
    return " ".join(kept), reference


def asked(
    options: argparse.Namespace, some: list[sas.Pair], cosines: list[float]
) -> tuple[float, list[float]]:
    """Return the cross-encoder's seconds a pair, and its scores of all."""
    if options.model:
        model = sas.load(options.model, device="cpu")
        spent, said = timed(lambda: model.similarities(some))
        print(f"cross-encoder {model.identity.version}")
        return spent / len(some), said
    n = N_TIMED[options.shape] if options.full else N_TIMED[options.shape] // 3
    with tempfile.TemporaryDirectory() as saved:
        model = cross_encoder(Path(saved), options.shape)
    spent, _ = timed(lambda: model.similarities(some[:n]))
    print(
        f"cross-encoder: time of {options.shape}'s shape with random weights on {n} pairs;"
        f" what it says is made up, spread {options.spread}"
    )
    both = zip(cosines, some, strict=True)
    return spent / n, [made_up(cosine, pair, options.spread) for cosine, pair in both]


def made_up(cosine: float, pair: sas.Pair, spread: float) -> float:
    noise = random.Random("\n".join(pair)).gauss(0, spread)
    return 1 / (1 + math.exp(-(math.log(0.8 / 0.2) + SLOPE * (cosine + noise - 0.74))))


def timed(work: Callable[[], list[float]]) -> tuple[float, list[float]]:
    start = time.process_time()
    said = work()
    return time.process_time() - start, said


def report(
    points: list[tuple[float, float]], first: float, second: float, most_wrong: float
) -> None:
    half = len(points) // 2
    band, trial = calibrate(points[:half], threshold=THRESHOLD, most_wrong=most_wrong)
    new = points[half:]
    n_near = sum(band.is_in_band(cosine) for cosine, _ in new)
    missed = sum(said > THRESHOLD for cosine, said in new if cosine < band.low)
    false = sum(said <= THRESHOLD for cosine, said in new if cosine > band.high)
    n_above = sum(said > THRESHOLD for _, said in new)
    print(
        f"band {band.low:.3f} to {band.high:.3f} about {THRESHOLD}, chosen and tried on {half} pairs:"
        f" {trial.n_missed + trial.n_false} of {trial.n_tried} wrong, at most {trial.upper:.2%}"
    )
    print(
        f"on {len(new)} new pairs: {n_near / len(new):.0%} in the band; {missed} of {n_above} above"
        f" missed, {false} taken falsely: {(missed + false) / len(new):.2%} on another side"
        f" (asked for: {most_wrong:.0%} at most)"
    )
    n = N_RUNS * N_TURNS
    alone, both = n * second / 3600, n * (first + second * n_near / len(new)) / 3600
    print(
        f"{first * 1000:.1f} and {second * 1000:.1f} ms a pair; extrapolated to {n:,} pairs, one thread:"
        f" {alone:.1f} h by the cross-encoder alone, {both:.1f} h in two stages, {alone - both:.1f} h"
        f" spared ({alone / both:.1f}x)"
    )


if __name__ == "__main__":
    main()
