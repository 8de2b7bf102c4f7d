"""import_dataset, import_run, import_runs."""

import os

import pytest

from corpus.models import RunKind
from jobs.models import JobState
from jobs.tasks import work_on
from tests.commands.command_calls import command_error, run_command
from tests.corpus.imports import DEMO, answer, create_dataset, turn
from tests.corpus.reader_files import write_file
from tests.corpus.row_counts import n_rows
from tests.parts import part

FILES = (
    *(DEMO / "truth.json", "--questions", DEMO / "questions-original.json"),
    *("--passages", DEMO / "passages.tsv"),
)


@pytest.fixture
def options(study):
    return "--study", study.slug


@part
def dataset(study, folder):
    return create_dataset(study, folder, [turn(1, "A stone."), turn(2, "Black.")])


def test_import_dataset_writes_and_counts(options, study):
    about = ("--licence", "Apache-2.0", "--citation", "Touchstone")

    said = run_command("import_dataset", *options, "--name", "everyday", *about, *FILES)

    assert said == {
        "created": True,
        "name": "everyday@1",
        "counts": {"n_conversations": 12, "n_turns": 32, "n_references": 30, "n_passages": 36},
        "warnings": [],
    }
    imported = study.datasets.get()
    assert (imported.licence, imported.citation) == ("Apache-2.0", "Touchstone")


def test_import_dataset_says_that_it_was_there_already(options):
    run_command("import_dataset", *options, "--name", "everyday", *FILES)

    assert not run_command("import_dataset", *options, "--name", "everyday", *FILES)["created"]


def test_import_dataset_makes_a_new_version_only_when_told(options, dataset, tmp_path):
    changed = write_file(tmp_path, [turn(1, "A pebble.")], "changed.json")
    command = ("import_dataset", *options, "--name", "touch", changed)

    assert "1 changed (turn 1_1: reference in 1)" in command_error(*command)
    assert run_command(*command, "--new-version")["name"] == "touch@2"


def test_import_dataset_refuses_with_every_problem_and_writes_nothing(options, tmp_path):
    bad = write_file(tmp_path, [turn(1, 7), turn(0, "A.")], "bad.json")

    said = command_error("import_dataset", *options, "--name", "touch", bad)

    assert said == (
        "nothing was imported: 2 problems\n"
        "bad.json: record 1: Truth_answer: 7 is not text\n"
        "bad.json: record 2: Turn_no: 0 is below 1"
    )
    assert set(n_rows().values()) == {0}


def test_import_dataset_refuses_files_and_names_that_cannot_be(options, tmp_path):
    nowhere = tmp_path / "nowhere.json"
    command = ("import_dataset", *options, "--name")

    assert command_error(*command, "touch", nowhere) == f"there is no file {nowhere}"
    assert command_error(*command, "touch@2", *FILES).endswith(
        "a dataset's name has no @: it begins the version"
    )
    assert "at most 100 characters" in command_error(*command, "t" * 300, *FILES)
    assert "invalid choice: 'csv'" in command_error(*command, "touch", *FILES, "--format", "csv")


def test_import_dataset_leaves_the_work_to_a_worker(options, study, monkeypatch):
    woken = []
    monkeypatch.setattr(work_on, "delay", woken.append)

    said = run_command("import_dataset", *options, "--name", "everyday", *FILES, "--background")

    assert said == {"job": study.jobs.get().pk, "state": JobState.WAITING}
    assert woken == [said["job"]]
    assert work_on(said["job"]) == 1
    assert study.datasets.get().name == "everyday"


def test_import_run_writes_and_counts(options, dataset, tmp_path):
    file = write_file(tmp_path, [answer(1, "A stone."), answer(9, "?")], "alder.json")
    about = ("--kind", "baseline", "--team", "Quarry", "--system", "Pick", "--setup", "original")
    command = ("import_run", *options, "--dataset", "touch", "--name", "alder", file, *about)

    assert "1_9 is not a turn of touch@1" in command_error(*command)
    assert run_command(*command, "--leave-out-unknown") == {
        "created": True,
        "name": "alder",
        "counts": {"n_answers": 1, "n_empty": 0, "n_citations": 0, "n_left_out": 1},
        "warnings": [],
    }
    run = dataset.runs.get(name="alder")
    assert (run.kind, run.team, run.system) == (RunKind.BASELINE, "Quarry", "Pick")


def test_import_run_warns_of_a_run_with_the_same_answers(options, dataset, tmp_path):
    file = write_file(tmp_path, [answer(1, "A stone.")], "run.json")
    command = ("import_run", *options, "--dataset", "touch", file, "--name")
    run_command(*command, "alder")

    assert run_command(*command, "copy")["warnings"] == ["the run alder gives the same answers"]


def test_import_run_imports_into_the_version_that_is_named(options, study, dataset, tmp_path):
    newest = create_dataset(study, tmp_path, [turn(1, "A pebble.")], as_new_version=True)
    file = write_file(tmp_path, [answer(1, "A stone.")], "run.json")

    run_command("import_run", *options, "--dataset", "touch", "--name", "new", file)
    run_command("import_run", *options, "--dataset", "touch@1", "--name", "old", file)

    assert newest.runs.filter(name="new").exists()
    assert dataset.runs.filter(name="old").exists()


def test_import_run_refuses_what_cannot_be(options, dataset, tmp_path):
    file = write_file(tmp_path, [answer(1, "A stone.")], "run.json")
    command = ("import_run", *options, "--name", "alder", "--dataset")
    run_command(*command, "touch", file)
    changed = write_file(tmp_path, [answer(1, "A pebble.")], "changed.json")

    assert command_error(*command, "slate", file) == (
        "the study lighthouses has no dataset slate; it has touch@1"
    )
    assert command_error(*command, "touch@7", file) == (
        "the study lighthouses has no dataset touch@7; it has touch@1"
    )
    assert command_error(*command, "touch", tmp_path) == f"there is no file {tmp_path}"
    assert "The answers of a run never change" in command_error(*command, "touch", changed)
    assert "invalid choice: 'reference'" in command_error(
        *command, "touch", file, "--kind", "reference"
    )


def test_import_runs_imports_a_folder_each_run_named_as_its_file(options, study):
    run_command("import_dataset", *options, "--name", "everyday", *FILES)

    said = run_command("import_runs", *options, "--dataset", "everyday", DEMO / "runs")

    assert said["n_runs"] == 5
    assert [run["name"] for run in said["runs"]] == ["alder", "birch", "cedar", "dogwood", "echo"]
    assert study.datasets.get().runs.count() == 6


def test_import_runs_refuses_folders_that_are_none(options, dataset, tmp_path):
    (tmp_path / "empty").mkdir()
    command = ("import_runs", *options, "--dataset", "touch")

    assert "there is no .json or .jsonl file in" in command_error(*command, tmp_path / "empty")
    assert "there is no folder" in command_error(*command, tmp_path / "nowhere")


def test_import_runs_names_files_whose_names_cannot_be_a_runs_and_imports_the_others(
    options, dataset, tmp_path
):
    folder = tmp_path / "runs"
    folder.mkdir()
    for name in ("alder", "bir|ch", "ce\ndar", "elm "):
        write_file(folder, [answer(1, f"A stone of {name}.")], f"{name}.json")
    (folder / os.fsdecode(b"d\xff.json")).write_bytes((folder / "alder.json").read_bytes())

    said = command_error("import_runs", *options, "--dataset", "touch", folder)

    assert said.splitlines() == [
        "1 run was imported; these 4 files were refused, and nothing of them was imported:",
        "bir|ch.json: nothing was imported: a run's name has no |: it parts the names of runs in tables",
        "'ce\\ndar.json': a run's name holds U+000A, which cannot be seen or is no text: rename the file",
        "'d\\udcff.json': a run's name holds U+DCFF, which cannot be seen or is no text: rename the file",
        "'elm .json': a run's name begins or ends with white space: rename the file",
    ]
    assert set(dataset.runs.values_list("name", flat=True)) == {"reference", "alder"}


def test_names_that_cannot_be_told_are_refused_before_a_job_is_begun(options, study, tmp_path):
    file = write_file(tmp_path, [turn(1, "A stone.")], "truth.json")
    command = ("import_dataset", *options, file, "--name")

    for name in ("to\nuch", " touch", "  ", "to\udcffuch"):
        assert "argument --name: " in command_error(*command, name)
    assert "argument --licence: begins or ends" in command_error(
        *command, "touch", "--licence", " "
    )
    assert not study.jobs.exists()


def test_an_empty_path_is_a_file_that_is_not_there(options, tmp_path):
    file = write_file(tmp_path, [turn(1, "A stone.")], "truth.json")

    assert "there is no file" in command_error("import_dataset", *options, "--name", "touch", "")
    for option in ("--questions", "--passages"):
        assert "there is no file" in command_error(
            "import_dataset", *options, "--name", "touch", file, option, ""
        )


def test_import_run_again_with_something_else_said_of_it_is_refused(options, dataset, tmp_path):
    file = write_file(tmp_path, [answer(1, "A stone.")], "run.json")
    command = ("import_run", *options, "--dataset", "touch", "--name", "alder", file)
    run_command(*command, "--team", "Quarry")

    assert "its team is Quarry, not Shovel" in command_error(*command, "--team", "Shovel")
    assert "its kind is system, not baseline" in command_error(*command, "--kind", "baseline")
    assert not run_command(*command)["created"]
    assert not run_command(*command, "--team", "Quarry", "--kind", "system")["created"]


def test_import_runs_stops_at_a_bad_file_and_keeps_what_came_before(options, dataset, tmp_path):
    folder = tmp_path / "runs"
    folder.mkdir()
    write_file(folder, [answer(1, "A stone.")], "alder.json")
    write_file(folder, [answer(1, 7)], "birch.json")

    assert "birch.json: record 1" in command_error(
        "import_runs", *options, "--dataset", "touch", folder
    )
    assert dataset.runs.filter(name="alder").exists()
