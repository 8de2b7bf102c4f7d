"""Files of a data set of the shared task's size: truth, runs, passages, scores. Imports no Django.

A turn takes the answers and passages of one of the shared task's turns (or made-up ones), with other
words put in here and there, so that no two turns share a text. One turn in five has SCORED answers
with a score over the pool's threshold.
"""

import csv
import json
import random
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from bench.volume import texts

TURNS_A_CONVERSATION = 6
PASSAGES_A_TURN = 10
SCORED_TURNS, SCORED = 5, 5
OTHER_WORDS = 0.04  # of the words of a text
SCORE = 0.9


class Model(NamedTuple):
    """What a turn is made from: some answers, the last of which is the reference, and passages."""

    answers: list[list[str]]
    passages: list[list[str]]


@dataclass(frozen=True)
class Files:
    truth: Path
    passages: Path
    runs: Path
    scores: Path


def write(folder: Path, *, n_turns: int, n_runs: int, seed: int) -> Files:
    files = Files(
        folder / "truth.json", folder / "passages.tsv", folder / "runs", folder / "scores.csv"
    )
    files.runs.mkdir(parents=True, exist_ok=True)
    rng = random.Random(seed)
    models = _models(seed)
    words = sorted({word for model in models for answer in model.answers for word in answer})
    turns = [_turn(rng, models, words, n_runs) for _ in range(n_turns)]
    _write_json(files.truth, (_truth(n, turn) for n, turn in enumerate(turns)))
    for run in range(n_runs):
        _write_json(
            files.runs / f"run-{run:02}.json",
            (_answer(n, turn, run) for n, turn in enumerate(turns)),
        )
    with files.passages.open("w", encoding="utf-8", newline="") as file:
        table = csv.writer(file, delimiter="\t", lineterminator="\n")
        table.writerow(["turn_id", "passage_id", "passage"])
        table.writerows(_passages(rng, models, words, turns))
    with files.scores.open("w", encoding="utf-8", newline="") as file:
        table = csv.writer(file, lineterminator="\n")
        table.writerow(["id", "run", "sas"])
        table.writerows(_scores(rng, n_turns, n_runs))
    return files


class Turn(NamedTuple):
    model: Model
    reference: str
    answers: list[str]


def _models(seed: int) -> list[Model]:
    folder = texts.real_data()
    cases = texts.made_up(200, seed) if folder is None else texts.real(folder)
    by_answers: dict[tuple[str, ...], list[list[str]]] = {}
    for case in cases:
        by_answers.setdefault(case.answers, []).append(case.passage.split(" "))
    return [
        Model([answer.split() for answer in answers if answer], passages)
        for answers, passages in by_answers.items()
    ]


def _turn(rng: random.Random, models: list[Model], words: list[str], n_runs: int) -> Turn:
    model = rng.choice(models)
    *answers, reference = model.answers
    return Turn(
        model,
        _edited(rng, reference, words),
        [_edited(rng, rng.choice(answers or [reference]), words) for _ in range(n_runs)],
    )


def _edited(rng: random.Random, text: list[str], words: list[str]) -> str:
    """Return the text with one word and some more replaced."""
    edited = [rng.choice(words) if rng.random() < OTHER_WORDS else word for word in text]
    edited[rng.randrange(len(edited))] = rng.choice(words)
    return " ".join(edited)


def _place(n: int) -> dict[str, int]:
    return {
        "Conversation_no": n // TURNS_A_CONVERSATION + 1,
        "Turn_no": n % TURNS_A_CONVERSATION + 1,
    }


def _turn_id(n: int) -> str:
    return "_".join(map(str, _place(n).values()))


def _truth(n: int, turn: Turn) -> dict[str, object]:
    rewrite = {"Truth_rewrite": f"What is known of the matter number {n}?"}
    return {**_place(n), **rewrite, "Truth_passages": [], "Truth_answer": turn.reference}


def _answer(n: int, turn: Turn, run: int) -> dict[str, object]:
    return {**_place(n), "Model_answer": turn.answers[run]}


def _passages(
    rng: random.Random, models: list[Model], words: list[str], turns: list[Turn]
) -> Iterator[tuple[str, str, str]]:
    """Yield those of the turn's model, and others until there are enough, for turns that are judged."""
    every = [passage for model in models for passage in model.passages]
    for n in range(0, len(turns), SCORED_TURNS):
        own = turns[n].model.passages[:PASSAGES_A_TURN]
        others = rng.choices(every, k=PASSAGES_A_TURN - len(own))
        for number, passage in enumerate([*own, *others]):
            yield _turn_id(n), f"p{n}_{number}", _edited(rng, passage, words)


def _scores(rng: random.Random, n_turns: int, n_runs: int) -> Iterator[tuple[str, str, str]]:
    for n in range(n_turns):
        for run in range(n_runs):
            is_high = n % SCORED_TURNS == 0 and run < SCORED
            score = SCORE if is_high else round(rng.uniform(0, 0.6), 4)
            yield _turn_id(n), f"run-{run:02}", str(score)


def _write_json(path: Path, rows: Iterator[dict[str, object]]) -> None:
    with path.open("w", encoding="utf-8") as file:
        for index, row in enumerate(rows):
            file.write(("[\n" if index == 0 else ",\n") + json.dumps(row, ensure_ascii=False))
        file.write("\n]\n")
