"""What is sent is kept under its name, in a folder that nobody can guess or steer, and not for ever."""

import os
import time
from functools import partial
from pathlib import Path

import pytest

from corpus import tasks, upload_names, uploads
from corpus.actions import checked_imports
from jobs.actions import execution, jobs
from jobs.handlers import JobFailedError, RowError
from jobs.models import Job, JobState
from tests.cases import all_cases
from tests.corpus.uploads import uploaded_file

DAY = 24 * 60 * 60


@pytest.fixture(autouse=True)
def folder(settings, tmp_path):
    settings.UPLOADS = settings.FILE_UPLOAD_TEMP_DIR = tmp_path / "uploads"
    settings.UPLOADS.mkdir()
    return settings.UPLOADS


@pytest.fixture
def keep(alice):
    return partial(uploads.keep, by=alice)


def aged(name, folder, days):
    then = time.time() - days * DAY
    for path in [*(folder / name).rglob("*"), folder / name]:
        os.utime(path, (then, then))


def test_files_of_one_name_are_kept_apart_and_whole(folder, keep):
    upload = keep([uploaded_file("a", "run.json"), uploaded_file(b"\0\xff", "run.json")])

    paths = [folder / name for name in upload.files]
    assert [path.name for path in paths] == ["run.json", "run.json (2nd file of this name)"]
    assert [path.read_bytes() for path in paths] == [b"a", b"\0\xff"]
    assert all(path.is_relative_to(folder / upload.name) for path in paths)


def test_each_file_of_a_name_says_which_one_it_is(keep):
    longest = "x" * upload_names.MOST_NAME_BYTES
    taken = "run.json (2nd file of this name)"
    names = ["run.json", "b.json", taken, *["run.json"] * 22, longest, longest, "c/b.json"]

    upload = keep([uploaded_file("a", name) for name in names])

    called = [Path(name).name for name in upload.files]

    assert len(set(called)) == len(called)
    assert called[:3] == names[:3]
    numbered = ["3rd", "4th", "5th", "11th", "12th", "13th", "20th", "21st", "22nd", "23rd"]
    for number in numbered:
        assert f"run.json ({number} file of this name)" in called
    assert called[-1] == "b.json (2nd file of this name)"


def test_no_two_uploads_share_a_folder(keep):
    assert keep([uploaded_file("a")]).name != keep([uploaded_file("a")]).name


@all_cases(
    ("name", "kept_as"),
    [
        ("truth.json", "truth.json"),
        ("Wahrheit für 東京.json", "Wahrheit für 東京.json"),
        ("../../etc/passwd", "passwd"),
        ("C:\\files\\truth.json", "truth.json"),
        ("a\0b\nc.json", "abc.json"),
        (" truth.json ", "truth.json"),
        ("..", "file"),
        (".", "file"),
        ("", "file"),
        ("/", "file"),
        ("ü" * 300 + ".json", "ü" * 97 + ".json"),
    ],
)
def test_a_name_is_no_path_and_nothing_in_it_is_unseen(name, kept_as):
    assert upload_names.safe_name(name) == kept_as


def test_nothing_stays_of_an_upload_that_could_not_be_kept(folder, keep, monkeypatch):
    second = uploaded_file("b")
    monkeypatch.setattr(second, "chunks", lambda: (_ for _ in ()).throw(OSError(28, "full")))

    with pytest.raises(uploads.NotKeptError, match="full"):
        keep([uploaded_file("a"), second])

    assert list(folder.iterdir()) == []


def test_an_upload_is_forgotten_once_and_again(keep):
    upload = keep([uploaded_file("a")])
    assert uploads.is_kept(upload.name)

    uploads.forget(upload.name)
    uploads.forget(upload.name)

    assert not uploads.is_kept(upload.name)
    assert not uploads.is_kept("")


def test_what_nobody_imported_within_seven_days_is_removed(folder, keep):
    old, young = keep([uploaded_file("a")]), keep([uploaded_file("b")])
    aged(old.name, folder, 8)
    aged(young.name, folder, 6)
    (folder / "half.upload").write_bytes(b"x")
    aged("half.upload", folder, 8)

    assert tasks.clear_uploads() == 2

    assert [path.name for path in folder.iterdir()] == [young.name]
    assert tasks.clear_uploads() == 0


def test_what_a_job_is_at_stays_however_old(folder, study, alice, keep):
    upload = keep([uploaded_file("a")])
    aged(upload.name, folder, 30)
    params = {"upload": upload.name}
    jobs.start(study=study, kind="import_dataset", key="touch", params=params, by=alice)

    assert uploads.clear() == 0

    Job.objects.update(state=JobState.CANCELLED, finished_at="2026-01-01T00:00Z")
    assert uploads.clear() == 1


def test_what_was_found_wrong_goes_with_the_files_and_its_number_stays(study, alice, keep):
    upload = keep([uploaded_file("a")])
    job, by_command = (
        jobs.start(study=study, kind="check_dataset", key=str(params), params=params, by=alice)
        for params in ({"upload": upload.name}, {"files": {}})
    )
    for each in (job, by_command):
        jobs.fail(job=each, message="no", errors=[RowError("wrong")] * 3)
    tasks.clear_uploads()
    n_before = job.errors.count()

    uploads.forget(upload.name)
    tasks.clear_uploads()

    job.refresh_from_db()
    assert (n_before, job.errors.count(), job.n_errors) == (3, 0, 3)
    assert by_command.errors.count() == 3


def test_what_one_person_keeps_without_importing_it_is_limited(settings, keep, bob):
    settings.MOST_KEPT_UPLOADS_MB = 1
    half = b"x" * 400_000
    first, _ = keep([uploaded_file(half)]), keep([uploaded_file(half)])

    with pytest.raises(uploads.NotKeptError) as refused:
        keep([uploaded_file(half)])

    assert str(refused.value) == (
        "what you sent before and did not import takes 1 MB, and with this it would be more than the 1 MB"
        " that one person has: import it, or send this when that was removed, 7 days after it was sent"
    )
    uploads.keep([uploaded_file(half)], by=bob)
    uploads.forget(first.name)
    keep([uploaded_file(half)])


def test_uploads_that_are_sent_at_the_same_time_do_not_pass_the_limit_together(
    settings, keep, monkeypatch
):
    settings.MOST_KEPT_UPLOADS_MB = 1
    large = b"x" * 800_000
    looks = []
    require_room = uploads._require_room

    def looks_while_another_is_sent(*args, **options):
        require_room(*args, **options)
        if not looks:
            looks.append(1)
            keep([uploaded_file(large)])

    monkeypatch.setattr(uploads, "_require_room", looks_while_another_is_sent)

    with pytest.raises(uploads.NotKeptError):
        keep([uploaded_file(large)])

    assert len(uploads._kept_names()) == 1


def test_an_upload_that_is_removed_meanwhile_keeps_no_other_from_being_cleared(
    folder, keep, monkeypatch
):
    names = [keep([uploaded_file("[]")]).name for _ in range(2)]
    for name in names:
        aged(name, folder, 8)
    # Listed, and then removed by another worker.
    monkeypatch.setattr(uploads, "_kept_names", lambda: ["1-gone", *names])

    assert uploads.clear() == 2

    assert list(folder.iterdir()) == []


def test_a_worker_that_does_not_see_an_upload_names_the_setting(
    settings, tmp_path, study, alice, keep
):
    upload = keep([uploaded_file("[]")])
    job = checked_imports.check_dataset(
        study=study, upload=upload, parts=["truth"], settings={"name": "everyday"}, by=alice
    )
    settings.UPLOADS = tmp_path / "of-another-host"

    with pytest.raises(JobFailedError) as failed:
        execution.run(job)

    assert str(failed.value).startswith("nothing was imported: truth.json is not there. Either the")
    assert "TOUCHSTONE_FILES" in str(failed.value)
