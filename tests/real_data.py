"""Where the shared task's real files lie. A test that reads them carries the marker `real_data`."""

import csv
import json
import os
from collections import defaultdict
from pathlib import Path
from typing import NamedTuple

import pytest

BESIDE_THE_CHECKOUT = Path(__file__).resolve().parents[2] / "shared" / "data"


def folder() -> Path:
    """The folder of the real data; skips the calling test, with the reason, where there is none."""
    named = os.environ.get("TOUCHSTONE_REAL_DATA")
    path = Path(named) if named else BESIDE_THE_CHECKOUT
    if not path.is_dir():
        pytest.skip(f"no real data: neither TOUCHSTONE_REAL_DATA nor {path} is a folder")
    return path


class SearchCase(NamedTuple):
    """A passage and its turn's answers, the reference last."""

    passage: str
    answers: list[str]


def passages_with_answers() -> list[SearchCase]:
    """Every passage offered for a turn of the shared task, with that turn's answers."""
    task = folder() / "scai-qrecc"
    answers = defaultdict(list)
    for path in (*sorted((task / "runs").glob("*.json")), task / "ground-truth.json"):
        field = "Truth_answer" if path.name == "ground-truth.json" else "Model_answer"
        for row in json.loads(path.read_text(encoding="utf-8")):
            answers[f"{row['Conversation_no']}_{row['Turn_no']}"].append(row[field].strip())
    csv.field_size_limit(1_000_000)
    with (task / "passages.tsv").open(encoding="utf-8", newline="") as lines:
        rows = csv.DictReader(lines, delimiter="\t")
        return [SearchCase(row["passage"], answers[row["turn_id"]]) for row in rows]


def clapnq_passages() -> list[tuple[str, list[str]]]:
    """The passages of CLAP-NQ's development set with their sentences, in the order of the files."""
    return [
        (passage["text"], passage["sentences"])
        for name in ("dev_answerable.jsonl", "dev_unanswerable.jsonl")
        for line in (folder() / "clapnq" / name).read_text("utf-8").splitlines()
        for passage in json.loads(line)["passages"]
    ]
