"""Speed of `scoring.sas` compared with calls pair by pair: python -m bench.sas

Ratios of CPU times of one thread, taken in one run: with several threads and another program on the
machine, torch's threads wait for each other and the ratios vary. The pairs are the shared task's
answers against their references if its files are available (TOUCHSTONE_REAL_DATA or
../shared/data), else made-up sentences of like lengths. The cross-encoder has the shape of MiniLM
and random weights: its speed does not depend on its training.
"""

import random
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import torch
from transformers import AutoTokenizer, BertConfig, BertForSequenceClassification

from bench.pairs import answers, real_data
from scoring import sas
from scoring.similarity_models import EMBEDDED, find

N_PAIRS = 372
SURELY_EQUAL = 1e-5
# How wide, how many layers, attention heads, and how wide within.
SHAPES = {"minilm": (384, 6, 12, 1536), "roberta-large": (1024, 24, 16, 4096)}


def main() -> None:
    folder = real_data()
    pairs = made_up_pairs() if folder is None else real_pairs(folder)
    torch.set_num_threads(1)
    print("made-up text" if folder is None else f"real data from {folder}")
    print(f"{len(pairs)} pairs, CPU time of one thread")
    embedded = sas.load(device="cpu")
    assert isinstance(embedded, sas.BiEncoder)
    compare(
        "bi-encoder",
        2.0,
        lambda: embedded.similarities(pairs),
        lambda: pair_by_pair(embedded, pairs),
    )
    with tempfile.TemporaryDirectory() as saved:
        cross = cross_encoder(Path(saved), "minilm")
    compare(
        "cross-encoder",
        1.3,
        lambda: cross.similarities(pairs),
        lambda: one_pair_a_call(cross, pairs),
    )
    some = pairs[: len(pairs) // 4] * 10  # a quarter of them, so that the reference ends in time
    compare(
        "each pair ten times",
        10.0,
        lambda: embedded.similarities(some),
        lambda: not_deduplicated(embedded, some),
    )


def compare(
    what: str,
    at_least: float,
    ours: Callable[[], list[float]],
    reference: Callable[[], list[float]],
) -> None:
    """Print the ratio of the times, and the equality of the values.

    Ours is first, not warmed up.
    """
    our_time, values = timed(ours)
    reference_time, expected = timed(reference)
    off_by = float(np.abs(np.subtract(values, expected)).max())
    assert off_by < SURELY_EQUAL, f"{what}: values differ by {off_by}"
    print(
        f"{what:20} {our_time:7.2f} s, reference {reference_time:7.2f} s: "
        f"{reference_time / our_time:5.1f}x (at least {at_least}x), values equal to {off_by:.0e}"
    )


def timed(work: Callable[[], list[float]]) -> tuple[float, list[float]]:
    start = time.process_time()
    values = work()
    return time.process_time() - start, values


def pair_by_pair(embedded: sas.BiEncoder, pairs: list[sas.Pair]) -> list[float]:
    vectors = [embedded.model.encode(list(pair), show_progress_bar=False) for pair in pairs]
    return [float(prediction @ reference) for prediction, reference in vectors]


def one_pair_a_call(cross: sas.PairEncoder, pairs: list[sas.Pair]) -> list[float]:
    return [float(cross.model.predict([pair], show_progress_bar=False)[0]) for pair in pairs]


def not_deduplicated(embedded: sas.BiEncoder, pairs: list[sas.Pair]) -> list[float]:
    """Return the same similarities, with every text of every pair embedded, in the same batches."""
    predictions, references = zip(*pairs, strict=True)
    vectors = embedded.directions([*predictions, *references])
    left, right = vectors[: len(pairs)], vectors[len(pairs) :]
    return [float(value) for value in np.einsum("ij,ij->i", left, right)]


def cross_encoder(folder: Path, shape: str) -> sas.PairEncoder:
    """Return a model of this shape with random weights."""
    tokenizer = AutoTokenizer.from_pretrained(find(EMBEDDED).location, local_files_only=True)
    hidden, layers, heads, inner = SHAPES[shape]
    made = BertConfig(
        vocab_size=len(tokenizer),
        hidden_size=hidden,
        num_hidden_layers=layers,
        num_attention_heads=heads,
        intermediate_size=inner,
    )
    made.num_labels = 1
    with sas.no_progress_bars():
        BertForSequenceClassification(made).save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    model = sas.load(str(folder), device="cpu")
    assert isinstance(model, sas.PairEncoder)
    return model


def real_pairs(folder: Path) -> list[sas.Pair]:
    """Return each answer with its reference, turn by turn."""
    return [
        (prediction, reference)
        for *predictions, reference in answers(folder).values()
        for prediction in predictions
    ]


def made_up_pairs() -> list[sas.Pair]:
    """Return six predictions to a reference, with varied lengths as in the shared task."""
    dice = random.Random(2021)
    references = [sentence(dice) for _ in range(N_PAIRS // 6)]
    return [(sentence(dice), reference) for reference in references for _ in range(6)]


def sentence(dice: random.Random) -> str:
    n_words = round(dice.lognormvariate(2.3, 0.6)) + 3
    return " ".join("".join(dice.choices("aeinorst", k=dice.randint(2, 8))) for _ in range(n_words))


if __name__ == "__main__":
    main()
