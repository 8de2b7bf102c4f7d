"""Cheap stand-ins for a bi-encoder and a cross-encoder that agree with it, and enough answers for a sample."""

import random

from scoring import similarity_models
from scoring.actions import similarity
from scoring.thresholds import DEFAULT_SCORER
from tests.corpus.imports import answer, create_dataset, create_run, turn
from text import overlap

WORDS = ["slate", "basalt", "gold", "dark", "tablet", "streak", "acid", "carat", "river", "quarry"]
N_TURNS = 70


def texts(seed):
    dice = random.Random(seed)
    return [" ".join(dice.choices(WORDS, k=dice.randint(1, 6))) for _ in range(N_TURNS)]


class OverlapBiEncoder:
    """Stands in for the embedded bi-encoder: word overlap with noise, which costs no time."""

    identity = similarity_models.find(DEFAULT_SCORER).identity(dtype="float32")

    def similarities(self, pairs):
        return [
            0.9 * overlap.token_f1(*pair) + random.Random(repr(pair)).uniform(-0.1, 0.1)
            for pair in pairs
        ]


class NoisyCrossEncoder:
    """A cross-encoder with known scores: the bi-encoder's on another scale, with noise."""

    def __init__(self, folder, noise=0.05):
        self.identity = similarity_models.find(str(folder)).identity(dtype="float32")
        self.noise, self.asked = noise, []

    def similarities(self, pairs):
        self.asked += pairs
        noise = [random.Random(f"noise {pair}").uniform(-self.noise, self.noise) for pair in pairs]
        cosines = OverlapBiEncoder().similarities(pairs)
        return [min(1, max(0, (c + 0.2) / 1.2 + n)) for c, n in zip(cosines, noise, strict=True)]


def use_model(monkeypatch, tiny, model):
    monkeypatch.setattr(
        similarity,
        "model",
        lambda name, *, bf16=False: model if name == str(tiny) else OverlapBiEncoder(),
    )
    return model


def many_answers(study, folder, name="touch", **runs):
    """A data set with runs, each by the seed of its texts."""
    turns = [turn(number, text) for number, text in enumerate(texts(0), start=1)]
    imported = create_dataset(study, folder, turns, name=name)
    for run_name, seed in runs.items():
        answers = [answer(number, text) for number, text in enumerate(texts(seed), start=1)]
        create_run(imported, folder, answers, name=run_name, system=run_name)
    return imported
