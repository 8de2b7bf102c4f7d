"""CLAP-NQ: files in and out again, and runs on single questions."""

from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.urls import reverse

from corpus import queries as corpus_queries
from corpus.actions import datasets, runs
from corpus.models import Answer, Citation, Passage, RunKind
from corpus.problems import ImportProblems
from corpus.readers.clapnq import read_parts
from scoring import queries as scoring_tables
from tests import real_data
from tests.corpus import imports
from tests.corpus.reader_files import problem_lines, write_file
from tests.corpus.test_readers_answers_jsonl import jsonl as answers
from tests.corpus.test_readers_clapnq import PASSAGE, jsonl, output, question

pytestmark = pytest.mark.django_db

ANSWERABLE = question("7", output=[output("One.", "It rises."), output("Two.")])
UNANSWERABLE = question("8", output=[output("")], passages=[{**PASSAGE, "text": "Other."}])


def clapnq(study, *paths, name="clapnq"):
    read = read_parts(paths=paths)
    datasets.save(study=study, name=name, read=read, by=study.created_by, format="clapnq")
    return study.datasets.by_name(name)


@pytest.fixture
def parts(tmp_path):
    return [
        write_file(tmp_path, jsonl(ANSWERABLE), "answerable.jsonl"),
        write_file(tmp_path, jsonl(UNANSWERABLE), "unanswerable.jsonl"),
    ]


@pytest.fixture
def dataset(study, parts):
    return clapnq(study, *parts)


def run(dataset, folder, content, name="alder"):
    read = runs.read(dataset=dataset, path=write_file(folder, content, f"{name}.jsonl"))
    return runs.save(dataset=dataset, name=name, read=read, by=dataset.study.created_by)


def test_every_answer_is_a_reference_in_a_run_by_its_place(dataset):
    references = Answer.objects.references(dataset).order_by("run__name")

    found = list(references.values_list("run__name", "run__kind", "text"))
    assert found == [
        ("reference", RunKind.REFERENCE, "One."),
        ("reference 2", RunKind.REFERENCE, "Two."),
    ]
    (texts,) = scoring_tables.references(dataset).values()
    assert set(texts) == {"One.", "Two."}


def test_the_same_files_again_change_nothing_and_another_selection_of_sentences_is_a_difference(
    study, dataset, tmp_path
):
    again = read_parts(paths=[tmp_path / "unanswerable.jsonl", tmp_path / "answerable.jsonl"])
    by = study.created_by
    assert not datasets.save(study=study, name="clapnq", read=again, by=by).created

    other = question("7", output=[output("One.", "It falls."), output("Two.")])
    changed = read_parts(paths=[write_file(tmp_path, jsonl(other, UNANSWERABLE), "all.jsonl")])
    with pytest.raises(datasets.ChangedError, match=r"1 changed \(turn 7_1: record in 1\)"):
        datasets.save(study=study, name="clapnq", read=changed, by=by)


def test_a_question_in_two_files_and_two_files_of_one_name_are_problems(tmp_path, parts):
    twice = write_file(tmp_path, jsonl(question("9"), ANSWERABLE), "twice.jsonl")
    (tmp_path / "b").mkdir()
    namesake = write_file(tmp_path / "b", jsonl(question("9")), "answerable.jsonl")

    with pytest.raises(ImportProblems) as of_turns:
        read_parts(paths=[*parts, twice])
    with pytest.raises(ImportProblems) as of_names:
        read_parts(paths=[*parts, namesake])

    assert (
        str(of_turns.value)
        == 'twice.jsonl: line 2: id: "7" is already in line 1 of answerable.jsonl'
    )
    assert "is the name of two files" in str(of_names.value)


def test_all_problems_of_all_files_are_told_at_once(tmp_path):
    files = [write_file(tmp_path, jsonl(question(input=3)), f"{name}.jsonl") for name in "ab"]

    with pytest.raises(ImportProblems) as caught:
        read_parts(paths=files)

    assert [problem.file for problem in caught.value.problems] == ["a.jsonl", "b.jsonl"]


def test_the_files_are_written_back_byte_for_byte(study, parts, tmp_path):
    call_command("import_dataset", *map(str, parts), study=study.slug, name="c", format="clapnq")
    out = tmp_path / "out"
    call_command("export_dataset", study=study.slug, dataset="c", out=str(out), stdout=StringIO())

    assert {path.name: path.read_bytes() for path in out.iterdir()} == {
        path.name: path.read_bytes() for path in parts
    }
    with pytest.raises(CommandError, match="is there already"):
        call_command("export_dataset", study=study.slug, dataset="c", out=str(out))


@pytest.mark.real_data
def test_the_real_files_go_in_and_come_out_again_byte_equal(study):
    files = sorted((real_data.folder() / "clapnq").glob("*.jsonl"))

    dataset = clapnq(study, *files)

    for path in files:
        out = "".join(corpus_queries.lines(dataset, path.name))
        assert out.encode("ascii") == path.read_bytes()


def test_a_data_set_of_the_shared_task_is_not_written_back_and_the_command_says_so(study, tmp_path):
    imports.create_dataset(study, tmp_path, [imports.turn(1, "Up.")])

    with pytest.raises(CommandError, match="has the format scai"):
        call_command("export_dataset", study=study.slug, dataset="touch", out=str(tmp_path / "out"))
    assert not (tmp_path / "out").exists()


def test_a_part_can_be_downloaded(client, alice, study, dataset, parts):
    client.force_login(alice)
    page = client.get(reverse("dataset", args=[study.slug, "clapnq", 1])).content.decode()
    address = reverse("dataset_part", args=[study.slug, dataset.pk, 2])

    reply = client.get(address)

    assert address in page
    assert reply.getvalue() == parts[1].read_bytes()
    assert 'filename="unanswerable.jsonl"' in reply["Content-Disposition"]
    for place in (0, 3):
        other = reverse("dataset_part", args=[study.slug, dataset.pk, place])
        assert client.get(other).status_code == 404


def test_a_passage_that_is_told_by_its_text_is_that_of_the_turn(dataset, tmp_path):
    passages = [{"text": PASSAGE["text"].strip()}, {"text": "Found elsewhere.", "title": "Else"}]

    run(dataset, tmp_path, answers({"id": "7", "answer": "Up.", "passages": passages}))

    cited = Citation.objects.order_by("rank").select_related("passage")
    assert [each.rank for each in cited] == [1, 2]
    known, found = (each.passage for each in cited)
    assert known.docid == "7-1"
    assert (found.text, found.title, found.docid[:5]) == ("Found elsewhere.", "Else", "text:")


def test_a_passage_that_was_a_name_only_gets_its_text_from_the_run_that_tells_it(dataset, tmp_path):
    run(dataset, tmp_path, answers({"id": "7", "answer": "Up.", "passages": ["wiki-1"]}))
    told = {"id": "wiki-1", "text": "A text.", "title": "Wiki"}

    run(dataset, tmp_path, answers({"id": "7", "answer": "Down.", "passages": [told]}), "birch")

    assert Passage.objects.get(docid="wiki-1").text == "A text."


def test_another_text_under_a_known_id_is_a_problem(dataset, tmp_path):
    wrong = [{"id": "7", "answer": "Up.", "passages": [{"id": "7-1", "text": "Not so."}]}]
    unlike = [
        {"id": "7", "answer": "Up.", "passages": [{"id": "w", "text": "One."}]},
        {"id": "8", "answer": "Up.", "passages": [{"id": "w", "text": "Two."}]},
    ]

    def read(path):
        return runs.read(dataset=dataset, path=path)

    assert problem_lines(read, write_file(tmp_path, answers(*wrong), "a.jsonl")) == [
        'line 1: passages: "7-1" has another text in clapnq@1'
    ]
    assert problem_lines(read, write_file(tmp_path, answers(*unlike), "b.jsonl")) == [
        'line 2: passages: "w" has another text in line 1'
    ]
    assert not Passage.objects.filter(docid="w").exists()


def test_answers_on_other_questions_are_named_by_line_and_id(dataset, tmp_path):
    file = write_file(tmp_path, answers({"id": "7", "answer": "A"}, {"id": "70", "answer": "B"}))

    assert problem_lines(lambda path: runs.read(dataset=dataset, path=path), file) == [
        "line 2: id: 70_1 is not a turn of clapnq@1"
    ]


def test_a_run_of_the_shared_tasks_format_answers_questions_with_long_numbers(study, tmp_path):
    key = "6401197308716204890"
    dataset = clapnq(study, write_file(tmp_path, jsonl(question(key)), "dev.jsonl"))
    said = [{"Conversation_no": key, "Turn_no": 1, "Model_answer": "Up."}]

    read = runs.read(dataset=dataset, path=write_file(tmp_path, said, "run.json"))

    assert [answer.turn_id for answer in read.records] == [f"{key}_1"]


def test_the_form_of_the_format_takes_several_files(client, alice, study, parts):
    client.force_login(alice)
    address = reverse("dataset_import", args=[study.slug]) + "?format=clapnq"

    page = client.get(address).content.decode()
    with parts[0].open("rb") as first, parts[1].open("rb") as second:
        client.post(address, {"questions": [first, second], "name": "c"})

    (job,) = study.jobs.all()
    assert 'name="truth"' not in page
    assert (job.kind, job.params["settings"]["format"]) == ("check_dataset", "clapnq")
    assert list(job.params["files"]) == ["file 1", "file 2"]


@pytest.mark.parametrize(
    ("files", "options", "expected"),
    [
        (2, {}, "2 files of the truth"),
        (1, {"format": "clapnq", "questions": "q.json"}, "name them only"),
    ],
)
def test_files_that_the_format_has_not_are_refused(study, parts, files, options, expected):
    named = map(str, parts[:files])

    with pytest.raises(CommandError, match=expected):
        call_command("import_dataset", *named, study=study.slug, name="c", **options)
