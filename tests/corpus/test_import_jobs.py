"""Imports as jobs: a file is written whole or not at all, and what is wrong stands in the job's rows."""

import functools
import json

import pytest

from corpus.models import Dataset, Run, RunKind
from corpus.readers import scai_run, scai_truth
from jobs.actions import execution, jobs
from jobs.handlers import JobFailedError
from jobs.models import JobState
from tests.corpus.imports import answer, create_dataset, passage_table, turn
from tests.corpus.reader_files import write_file
from tests.corpus.row_counts import n_rows
from tests.parts import part

TURNS = [turn(1, "A stone."), turn(2, "It is dark.")]
ANSWERS = [answer(1, "A dark stone."), answer(2, "Black.")]
ABOUT_A_RUN = {"name": "alder", "kind": "system", "team": "", "system": "", "setup": ""}


def dataset_job(study, folder, turns, *, name="touch", passages=None, **settings):
    files = {"truth": write_file(folder, turns, "truth.json")}
    if passages is not None:
        files["passages"] = write_file(folder, passages, "passages.tsv")
    return jobs.start(
        study=study,
        kind="import_dataset",
        key=name,
        params={
            "files": {which: str(path) for which, path in files.items()},
            "settings": {"name": name, **settings},
        },
        by=study.created_by,
    )


def run_job(dataset, folder, answers, *, leave_out_unknown=False, **settings):
    return jobs.start(
        study=dataset.study,
        kind="import_run",
        key=f"{dataset}/alder",
        params={
            "dataset": dataset.pk,
            "file": str(write_file(folder, answers, "alder.json")),
            "leave_out_unknown": leave_out_unknown,
            "settings": ABOUT_A_RUN | settings,
        },
        by=dataset.study.created_by,
    )


@part
def dataset(study, folder):
    return create_dataset(study, folder, TURNS)


def failing(job):
    """The job, run and failed; nothing may have been written."""
    before = n_rows()
    with pytest.raises(JobFailedError):
        execution.run(job)
    assert n_rows() == before
    job.refresh_from_db()
    assert job.state == JobState.FAILED
    return job


def test_the_result_of_an_import_says_what_was_written(study, tmp_path):
    job = dataset_job(study, tmp_path, TURNS, passages=passage_table(("1_1", "p", "Slate.")))

    execution.run(job)

    assert job.result["created"] is True
    assert job.result["name"] == "touch@1"
    assert job.result["counts"]["n_passages"] == 1


def test_an_import_of_the_same_again_is_done_and_says_so(study, tmp_path):
    execution.run(dataset_job(study, tmp_path, TURNS))

    assert execution.run(dataset_job(study, tmp_path, TURNS)).result["created"] is False


def test_a_run_is_imported_with_all_that_is_said_of_it(dataset, tmp_path):
    execution.run(run_job(dataset, tmp_path, ANSWERS, kind="baseline", team="Quarry"))

    run = dataset.runs.get(name="alder")
    assert (run.kind, run.team, run.created_by) == (RunKind.BASELINE, "Quarry", dataset.created_by)


def test_the_warnings_of_an_import_are_in_its_result(dataset, tmp_path):
    execution.run(run_job(dataset, tmp_path, ANSWERS))
    copy = run_job(
        dataset, tmp_path, [*ANSWERS, answer(9, "?")], leave_out_unknown=True, name="copy"
    )

    result = execution.run(copy).result

    assert result["warnings"] == ["the run alder gives the same answers"]
    assert result["counts"]["n_left_out"] == 1


def test_a_bad_file_imports_nothing_and_every_problem_is_a_row(study, tmp_path):
    bad = [*TURNS, {"Conversation_no": 1}, turn(1, 7)]
    job = failing(dataset_job(study, tmp_path, bad))

    rows = list(job.errors.values_list("file", "row", "field", "value", "message"))
    assert rows == [
        ("truth.json", "record 3", "Turn_no", "", "is missing"),
        ("truth.json", "record 3", "Truth_rewrite", "", "is missing"),
        ("truth.json", "record 3", "Truth_answer", "", "is missing"),
        ("truth.json", "record 3", "Truth_passages", "", "is missing"),
        ("truth.json", "record 4", "turn", '"1_1"', "is already in record 1"),
        ("truth.json", "record 4", "Truth_answer", "7", "is not text"),
    ]
    assert job.message.startswith("nothing was imported: 6 problems\ntruth.json: record 3: ")


def test_a_file_that_is_wrong_as_a_whole_has_one_row_without_a_place(dataset, tmp_path):
    job = failing(run_job(dataset, tmp_path, "gold"))

    error = job.errors.get()
    assert (error.file, error.row, error.field) == ("alder.json", "", "")
    assert job.message.startswith("nothing was imported: 1 problem\n")


def test_a_run_on_unknown_turns_has_a_row_for_each(dataset, tmp_path):
    job = failing(run_job(dataset, tmp_path, [*ANSWERS, answer(8, "?"), answer(9, "?")]))

    assert list(job.errors.values_list("row", "value")) == [
        ("record 3", "1_8"),
        ("record 4", "1_9"),
    ]


def test_a_bad_passages_file_keeps_the_good_truth_out(study, tmp_path):
    job = failing(
        dataset_job(study, tmp_path, TURNS, passages=passage_table(("1_9", "p", "Slate.")))
    )

    assert job.errors.get().file == "passages.tsv"
    assert not Dataset.objects.exists()


def test_a_changed_file_fails_with_the_difference(study, tmp_path):
    execution.run(dataset_job(study, tmp_path, TURNS))

    job = failing(dataset_job(study, tmp_path, [turn(1, "A pebble."), TURNS[1]]))

    assert "1 changed (turn 1_1: reference in 1)" in job.message


def test_a_changed_file_is_the_next_version_on_request(study, tmp_path):
    execution.run(dataset_job(study, tmp_path, TURNS))

    execution.run(dataset_job(study, tmp_path, [turn(1, "A pebble.")], as_new_version=True))

    assert study.datasets.count() == 2


def test_a_changed_run_fails_with_the_difference(dataset, tmp_path):
    execution.run(run_job(dataset, tmp_path, ANSWERS))

    job = failing(run_job(dataset, tmp_path, ANSWERS[:1]))

    assert "1 removed (answer 1_2)" in job.message


def test_a_name_that_cannot_be_one_fails_in_words(study, dataset, tmp_path):
    for job in (
        dataset_job(study, tmp_path, TURNS, name="touch@2"),
        dataset_job(study, tmp_path, TURNS, name="t" * 101),
        run_job(dataset, tmp_path, ANSWERS, name="a" * 201),
    ):
        assert "unexpected" not in failing(job).message


def test_a_file_that_is_gone_when_the_worker_comes_is_named(dataset, tmp_path):
    job = run_job(dataset, tmp_path, ANSWERS)
    (tmp_path / "alder.json").unlink()

    assert "alder.json" in failing(job).message


@pytest.mark.parametrize("bad", ["\\ud800", "\\u0000"])
@pytest.mark.parametrize(
    "record",
    [
        answer("~", "?"),
        answer(1, "?", Model_passages={"~": "not a number"}),
        answer(1, "?", Model_evidence="~"),
        answer(1, {"~": 1, "~ ": 2}),
    ],
    ids=["number", "key", "object", "nested"],
)
def test_a_problem_is_told_even_where_it_names_what_no_database_holds(
    dataset, tmp_path, bad, record
):
    text = json.dumps([record]).replace("~ ", "~").replace("~", bad)

    job = failing(run_job(dataset, tmp_path, text))

    assert job.errors.exists()


def test_an_import_counts_the_megabytes_that_it_reads(study, dataset, tmp_path):
    padded = "[" + " " * 2_000_000 + json.dumps(ANSWERS)[1:]
    job = run_job(dataset, tmp_path, padded)
    execution.run(job)
    small = execution.run(dataset_job(study, tmp_path, TURNS, name="small"))

    assert jobs.progress(job) == (3, 3)
    assert jobs.progress(small) == (1, 1)


def test_an_import_that_is_cancelled_while_it_reads_writes_nothing(
    study, dataset, tmp_path, alice, monkeypatch
):
    before = n_rows()
    for reader, job in (
        (scai_run, run_job(dataset, tmp_path, ANSWERS)),
        (scai_truth, dataset_job(study, tmp_path, TURNS, name="other")),
    ):
        read = reader.objects
        stop = functools.partial(jobs.cancel, job=job, by=alice)
        monkeypatch.setattr(
            reader, "objects", lambda *of, read=read, stop=stop: stop() or read(*of)
        )

        assert execution.work(job) == 0

        job.refresh_from_db()
        assert (job.state, job.chunks.get().n_attempts) == (JobState.CANCELLED, 0)
    assert n_rows() == before


def test_a_name_with_a_bar_or_a_mark_that_cannot_be_seen_fails_in_words(dataset, tmp_path):
    barred = failing(run_job(dataset, tmp_path, ANSWERS, name="al|der"))
    broken = failing(run_job(dataset, tmp_path, ANSWERS, team="Quar\nry", name="birch"))

    assert barred.message == (
        "nothing was imported: a run's name has no |: it parts the names of runs in tables"
    )
    assert broken.message == (
        "nothing was imported: team: holds U+000A, which cannot be seen or is no text: choose another"
    )


def test_after_the_file_was_mended_the_same_job_goes_on(dataset, tmp_path, alice):
    job = failing(run_job(dataset, tmp_path, [answer(1, 7)]))
    write_file(tmp_path, ANSWERS, "alder.json")

    jobs.resume(job=job, by=alice)
    execution.run(job)

    assert Run.objects.get(name="alder").answers.count() == 2
    assert not job.errors.exists()


def test_an_import_that_another_worker_has_done_is_not_written_twice(dataset, tmp_path):
    job = run_job(dataset, tmp_path, ANSWERS)
    execution.run(job)
    chunk = job.chunks.get()

    assert execution.work(job) == 0
    assert (chunk.n_attempts, dataset.runs.filter(name="alder").count()) == (1, 1)
