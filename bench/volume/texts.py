"""Passages, each with the answers of its turn: the shared task's, or made-up ones."""

import csv
import json
import os
import random
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path
from typing import Any

_BESIDE_THE_CHECKOUT = Path(__file__).resolve().parents[3] / "shared" / "data"
_LONGEST_PASSAGE = 1_000_000  # characters; the csv module's own limit is 131,072 a field


@dataclass(frozen=True, slots=True)
class SearchCase:
    """A passage and its turn's answers, the reference last."""

    passage: str
    answers: tuple[str, ...]


def real_data() -> Path | None:
    """Return the folder that TOUCHSTONE_REAL_DATA names, or the one beside the checkout, if any."""
    named = os.environ.get("TOUCHSTONE_REAL_DATA")
    folder = Path(named) if named else _BESIDE_THE_CHECKOUT
    return folder if folder.is_dir() else None


def real(folder: Path) -> list[SearchCase]:
    """Return every passage offered for a turn of the shared task, with that turn's answers."""
    found = answers(folder)
    csv.field_size_limit(_LONGEST_PASSAGE)
    with (folder / "scai-qrecc" / "passages.tsv").open(encoding="utf-8", newline="") as lines:
        return [
            SearchCase(row["passage"], tuple(found[row["turn_id"]]))
            for row in csv.DictReader(lines, delimiter="\t")
        ]


def answers(folder: Path) -> dict[str, list[str]]:
    """Return all systems' answers for each turn of the shared task's batch, the reference last."""
    task = folder / "scai-qrecc"
    found = defaultdict(list)
    for path in sorted((task / "runs").glob("*.json")):
        for row in _rows(path):
            found[_turn_id(row)].append(row["Model_answer"].strip())
    for row in _rows(task / "ground-truth.json"):
        found[_turn_id(row)].append(row["Truth_answer"].strip())
    return dict(found)


def made_up(n_passages: int, seed: int) -> list[SearchCase]:
    """Return random words with a natural frequency, and answers that are changed parts of them."""
    rng = random.Random(seed)
    vocabulary = [f"w{rank}" for rank in range(3000)]
    weights = [1 / (rank + 5) for rank in range(3000)]

    def text(n: int) -> list[str]:
        return rng.choices(vocabulary, weights, k=n)

    def answer(passage: list[str]) -> str:
        n = rng.randint(4, 40)
        at = rng.randrange(len(passage) - n)
        return " ".join(
            rng.choices(vocabulary, weights)[0] if rng.random() < 0.6 else word
            for word in passage[at : at + n]
        )

    passages = [text(rng.randint(80, 900)) for _ in range(n_passages)]
    return [
        SearchCase(" ".join(passage), tuple(answer(passage) for _ in range(6)))
        for passage in passages
    ]


def _rows(path: Path) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = json.loads(path.read_text(encoding="utf-8"))
    return rows


def _turn_id(row: dict[str, Any]) -> str:
    return f"{row['Conversation_no']}_{row['Turn_no']}"
