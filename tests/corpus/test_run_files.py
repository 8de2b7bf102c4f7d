"""A stored run is written as a file that, imported again, changes nothing."""

import json

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse

from corpus import run_file_queries
from corpus.actions import datasets, run_descriptions, runs
from corpus.readers import answers_jsonl, clapnq, scai_run
from tests.corpus.imports import (
    answer,
    create_dataset,
    create_demo_dataset,
    create_run,
    passage_table,
    turn,
)
from tests.corpus.reader_files import write_file

TURNS = [turn(n, f"Reference {n}.") for n in range(1, 6)]
PASSAGES = passage_table(("1_1", "p1", "It is a dark stone."))
QUOTE = {"passage_id": "p1", "text": "a dark\nstone"}
RECORDS = [
    answer(2, " Outer \u2028 space\t", Model_rewrite="What?"),
    answer(1, "A “quoted” 😀.", Model_passages={"p1": 2, "p3": 2.0, "p2": -1e-9}),
    answer(3, "", Model_passages={"p1": 0.1}, Model_evidence=QUOTE),
    answer(4, "Only quoted.", Model_evidence=QUOTE),
    answer(5, "Not retrieved.", Model_passages={"p2": 1}, Model_evidence=QUOTE),
]


@pytest.fixture
def dataset(study, tmp_path):
    return create_dataset(study, tmp_path, TURNS, passages=PASSAGES)


def written(run) -> tuple[str, str]:
    format = run_file_queries.format_of(run)
    name = run_file_queries.file_name(run, format)
    return name, "".join(format.write(run_file_queries.records(run)))


def import_again(run, folder):
    name, text = written(run)
    path = write_file(folder, text, f"again-{name}")
    read = runs.read(dataset=run.dataset, path=path)
    return runs.save(dataset=run.dataset, name=run.name, read=read, by=run.created_by)


def test_a_run_of_the_shared_task_comes_back_as_one(dataset, tmp_path):
    run = create_run(dataset, tmp_path, RECORDS)

    assert run_file_queries.format_of(run) is scai_run.RUN_FORMAT
    assert import_again(run, tmp_path).created is False
    assert written(run)[0] == "alder.json"


@pytest.mark.parametrize("name", ["alder", "birch", "cedar", "dogwood", "echo"])
def test_the_runs_of_the_demonstration_come_back(study, tmp_path, name):
    dataset = create_demo_dataset(study, name)

    assert import_again(dataset.runs.get(name=name), tmp_path).created is False


def questions(folder, *keys):
    line = json.loads(clapnq_example())
    lines = [json.dumps({**line, "id": key}) for key in keys]
    return write_file(folder, "\n".join(lines) + "\n", "questions.jsonl")


def clapnq_example() -> str:
    return clapnq.FORMAT.parts[0].example


LINES = [
    {"id": "7", "answer": "A", "passages": ["7-1", "7-1", {"id": "x", "text": "X.", "title": "T"}]},
    {"id": "8", "answer": "", "passages": [{"text": "Only a text."}, {"id": "y", "score": 3}, "x"]},
    {"id": "9", "passages": []},
]


@pytest.mark.parametrize("file", ["run.jsonl", "run.json"])
def test_a_run_of_single_questions_comes_back_as_lines(study, tmp_path, file):
    read = clapnq.FORMAT.read({"file 1": questions(tmp_path, "7", "8", "9")}, lambda: None)
    datasets.save(study=study, name="single", read=read, by=study.created_by, format="clapnq")
    dataset = study.datasets.get()
    path = write_file(tmp_path, "".join(f"{json.dumps(line)}\n" for line in LINES), file)
    found = runs.read(dataset=dataset, path=path)
    runs.save(dataset=dataset, name="alder", read=found, by=study.created_by)
    run = dataset.runs.get(name="alder")

    assert run_file_queries.format_of(run) is answers_jsonl.RUN_FORMAT
    assert import_again(run, tmp_path).created is False
    first = json.loads(written(run)[1].splitlines()[0])
    assert first["passages"][2] == {"id": "x", "title": "T", "text": "X."}


def test_the_page_offers_it(dataset, tmp_path, alice):
    run = create_run(dataset, tmp_path, RECORDS)
    run_descriptions.describe(dataset=dataset, wanted={run.pk: {"name": "a/b ü"}}, by=alice)
    run.refresh_from_db()
    client = Client()
    client.force_login(alice, backend="accounts.backends.RealPeopleBackend")
    href = reverse("run_file", args=[dataset.study.slug, run.pk])

    assert href in client.get(reverse("run", args=[dataset.study.slug, run.pk])).content.decode()
    reply = client.get(href)
    assert b"".join(reply).decode() == written(run)[1]
    assert "a-b%20%C3%BC.json" in reply["Content-Disposition"]


def test_references_are_no_run_to_download(dataset, alice):
    client = Client()
    client.force_login(alice, backend="accounts.backends.RealPeopleBackend")
    reference = dataset.runs.get(kind="reference")

    href = reverse("run_file", args=[dataset.study.slug, reference.pk])
    assert client.get(href).status_code == 404


def test_the_command_writes_the_same(dataset, tmp_path):
    run = create_run(dataset, tmp_path, RECORDS)
    out = tmp_path / "out.json"
    options = {"study": dataset.study.slug, "dataset": "touch", "out": str(out)}
    call_command("export_run", "alder", **options)

    assert out.read_text(encoding="utf-8") == written(run)[1]
    with pytest.raises(CommandError, match="cannot be written"):
        call_command("export_run", "alder", **options)
