"""Data sets and runs brought into the database the way the jobs do it: read, then saved."""

import json
from pathlib import Path

from corpus.actions import datasets, runs
from corpus.models import Dataset, Run
from corpus.readers import scai
from tests.corpus.reader_files import write_file

DEMO = Path(__file__).resolve().parents[2] / "demo"


def turn(number, reference="", *, conversation=1, rewrite="What is it?", passages=()):
    return {
        "Conversation_no": conversation,
        "Turn_no": number,
        "Truth_rewrite": rewrite,
        "Truth_passages": list(passages),
        "Truth_answer": reference,
    }


def answer(number, text, *, conversation=1, **fields):
    return {"Conversation_no": conversation, "Turn_no": number, "Model_answer": text, **fields}


def passage_table(*rows):
    """Passages as a table: (turn id, passage id, passage)."""
    lines = ["turn_id\tpassage_id\tpassage", *("\t".join(row) for row in rows)]
    return "\n".join(lines) + "\n"


def save_dataset(study, folder, turns, *, name="touch", passages=None, questions=None, **settings):
    read = scai.read(
        truth=write_file(folder, turns, "truth.json"),
        questions=write_file(folder, questions, "questions.json") if questions else None,
        passages_file=write_file(folder, passages, "passages") if passages else None,
    )
    return datasets.save(study=study, name=name, read=read, by=study.created_by, **settings)


def create_dataset(study, folder, turns, *, name="touch", **settings) -> Dataset:
    save_dataset(study, folder, turns, name=name, **settings)
    return study.datasets.by_name(name)


def save_run(dataset, folder, answers, *, name="alder", leave_out_unknown=False, **settings):
    read = runs.read(
        dataset=dataset,
        path=write_file(folder, answers, f"{name}.json"),
        leave_out_unknown=leave_out_unknown,
    )
    return runs.save(dataset=dataset, name=name, read=read, by=dataset.study.created_by, **settings)


def create_run(dataset, folder, answers, *, name="alder", **settings) -> Run:
    save_run(dataset, folder, answers, name=name, **settings)
    return dataset.runs.get(name=name)


def create_demo_dataset(study, *names, questions="original") -> Dataset:
    """The demonstration data, with the runs named."""
    read = scai.read(
        truth=DEMO / "truth.json",
        questions=DEMO / f"questions-{questions}.json",
        passages_file=DEMO / "passages.tsv",
    )
    datasets.save(study=study, name="everyday", read=read, by=study.created_by)
    imported = study.datasets.by_name("everyday")
    for name in names:
        answers = runs.read(dataset=imported, path=DEMO / "runs" / f"{name}.json")
        runs.save(dataset=imported, name=name, read=answers, by=study.created_by)
    return imported


def demo_answers(name):
    return json.loads((DEMO / "runs" / f"{name}.json").read_text(encoding="utf-8"))
