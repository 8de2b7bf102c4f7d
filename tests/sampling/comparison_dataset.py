"""A small data set of two splits with answers that cite passages, for comparisons to be drawn from."""

from pathlib import Path
from typing import Any

from accounts.models import Study
from corpus.actions import datasets, runs
from corpus.models import Dataset
from corpus.readers import clapnq
from sampling.actions import comparisons
from sampling.comparisons.rule import ComparisonRule
from sampling.models import Pool
from tests.corpus.reader_files import write_file
from tests.corpus.test_readers_answers_jsonl import jsonl as answers_jsonl
from tests.corpus.test_readers_clapnq import jsonl, output, question

# By split: the questions, with the reference answer of each, "" where its passage does not answer it.
SPLITS = {
    "dev.jsonl": {"1": "One.", "2": "Two.", "3": ""},
    "test.jsonl": {"4": "Four.", "5": "Five.", "6": ""},
}
QUESTIONS = (
    "what is a tide",
    "who saw it first",
    "is it so",
    "what is a wave then",
    "how",
    "why so",
)
# By run: what it answers to each question, and what it cites.
ANSWERS: dict[str, dict[str, tuple[str, list[Any]]]] = {
    "alder": {
        "1": (" One. ", ["w2", {"id": "w1", "text": "First."}]),
        "2": ("Both.", [{"id": "w2", "text": "Second."}]),
        "3": ("Three.", ["w9"]),
        "4": ("Four!", ["w1"]),
        "5": ("", []),
        "6": ("I do not know.", ["w1"]),
    },
    "birch": {
        "1": ("Another one.", ["w3", "w1"]),
        "2": ("Both.", [{"id": "w3", "text": "Third."}, "w2"]),
        "3": ("", []),
        "4": ("Four.", ["w2"]),
        "5": ("  ", []),
        "6": ("I do not know.", []),
    },
}
RULE = ComparisonRule(setup="gold")


def create_comparison_dataset(study: Study, folder: Path, *, reverse: bool = False) -> Dataset:
    """Import the data set and its runs; with `reverse` in the reverse order."""
    files = [
        write_file(folder, jsonl(*(_question(key, text) for key, text in split.items())), name)
        for name, split in SPLITS.items()
    ]
    read = clapnq.read_parts(paths=files[::-1] if reverse else files)
    datasets.save(study=study, name="waves", read=read, by=study.created_by, format="clapnq")
    dataset = study.datasets.by_name("waves")
    for name in sorted(ANSWERS, reverse=reverse):
        add_run(dataset, folder, name, ANSWERS[name])
    return dataset


def _question(key: str, reference: str) -> dict[str, Any]:
    passage = {"title": f"Page {key}", "text": f"About {key}. ", "sentences": [f"About {key}."]}
    asked = QUESTIONS[int(key) - 1]
    return question(key, input=asked, passages=[passage], output=[output(reference)])


def add_run(
    dataset: Dataset, folder: Path, name: str, given: dict[str, tuple[str, list[Any]]]
) -> None:
    records = [
        {"id": key, "answer": text, "passages": cited} for key, (text, cited) in given.items()
    ]
    path = write_file(folder, answers_jsonl(*records), f"{name}.jsonl")
    read = runs.read(dataset=dataset, path=path)
    runs.save(dataset=dataset, name=name, read=read, by=dataset.study.created_by)


def draw_comparison(dataset: Dataset, rule: ComparisonRule = RULE, *, name: str = "gold") -> Pool:
    pool, _ = comparisons.draw_comparison(
        study=dataset.study, dataset=dataset, name=name, rule=rule, by=dataset.created_by
    )
    return pool
