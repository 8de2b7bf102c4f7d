"""Lines of made questions, as records."""

from pathlib import Path

from corpus.actions import datasets
from corpus.models import Dataset
from corpus.readers import questions
from tests.corpus.reader_files import write_file

TEXT = "The ramp is closed. Fish pass by\nthe weir."


def question(key="q1", **fields):
    record = {
        "id": key,
        "question": "Where do fish pass?",
        "answer": "By the weir.",
        "proof": "Fish pass by the weir.",
        "type": "closed",
        "section": "Results",
        "passage": passage(),
        "maker": {"model": "gpt-4", "prompt": "closed-1", "seed": 1},
    }
    return record | fields


def passage(key="p1", **fields):
    record = {"id": key, "text": TEXT, "title": "Fish", "kind": "text", "document": "fish.pdf"}
    return record | fields


def lines(*records):
    return "".join(f"{questions.line_of(record)}\n" for record in records)


def made_dataset(study, folder: Path, *records, name="made") -> Dataset:
    read = questions.read_dataset(write_file(folder, lines(*records), "made.jsonl"))
    datasets.save(study=study, name=name, read=read, by=study.created_by, format="questions")
    return study.datasets.by_name(name)
