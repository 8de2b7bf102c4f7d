"""A release that a worker makes: exports/jobs.py."""

import os
import time
from pathlib import Path

import pytest

from annotation.actions import reviews
from exports import tasks
from exports.models import Release
from exports.releases import actions as release_actions
from exports.releases import files
from exports.writers import stored_folders
from jobs.actions import execution, jobs
from jobs.handlers import JobFailedError
from jobs.models import Job, JobState
from tests.exports.releases.stored_release import folder_of


@pytest.fixture
def releases(settings, tmp_path):
    settings.RELEASES = tmp_path / "releases"
    return settings.RELEASES


@pytest.fixture
def job(plausibility, releases):
    dataset = plausibility.pool.dataset
    return jobs.start(
        study=dataset.study,
        kind="release",
        key=str(dataset),
        params={"dataset": dataset.pk, "is_rehearsal": False, "set_aside_disputes": False},
        by=dataset.created_by,
    )


def names(folder):
    return sorted(path.name for path in folder.iterdir())


def test_a_job_puts_its_release_into_a_folder_of_a_new_name(job, releases):
    execution.run(job)

    release = Release.objects.get()
    assert job.result["release"] == 1
    assert {"gold.json", "manifest.json"} <= set(names(folder_of(release)))
    assert folder_of(release).parent == releases / job.study.slug
    assert names(releases / job.study.slug) == [folder_of(release).name]


def left_by_a_killed_worker(releases, name, *files, hours=25):
    folder = releases / "everyday" / name
    folder.mkdir(parents=True)
    for file in files:
        (folder / file).write_text("half")
        then = time.time() - hours * 60 * 60
        os.utime(folder / file, (then, then))
    return folder


def test_half_of_a_release_is_cleared_a_day_after_and_what_is_being_written_stays(db, releases):
    left = left_by_a_killed_worker(releases, "1", "gold.json", "items.csv")
    young = left_by_a_killed_worker(releases, "2", "gold.json", hours=23)

    assert tasks.clear_unfinished_releases() == 1

    assert not left.exists()
    assert young.exists()


def test_what_has_a_manifest_or_is_recorded_is_never_cleared(job, releases):
    """As where the database was put back from yesterday: nobody records what was released since."""
    of_tomorrow = left_by_a_killed_worker(releases, "1", "gold.json", "manifest.json")
    execution.run(job)
    recorded = folder_of(Release.objects.get())
    (recorded / "manifest.json").unlink()
    for path in recorded.iterdir():
        os.utime(path, (0, 0))

    assert tasks.clear_unfinished_releases() == 0

    assert names(of_tomorrow) == ["gold.json", "manifest.json"]
    assert "gold.json" in names(recorded)


def test_the_next_release_after_a_database_was_put_back_takes_nothing_from_an_older_one(
    job, releases, alice
):
    execution.run(job)
    given_out = folder_of(Release.objects.get())
    before = {path.name: path.read_bytes() for path in given_out.iterdir()}
    pk, study = job.pk, job.study
    Release.objects.all().delete()
    job.delete()
    again = Job(
        pk=pk, study=study, kind="release", key="again", params=job.params, created_by=alice
    )
    again.save(force_insert=True)

    execution.run(again)

    assert folder_of(Release.objects.get()) != given_out
    assert {path.name: path.read_bytes() for path in given_out.iterdir()} == before


def test_all_files_are_on_the_disk_before_the_release_is_recorded(job, releases, monkeypatch):
    """A power cut leaves no record of files that are empty."""
    on_disk = set()
    fsync = os.fsync

    def remembered(descriptor):
        fsync(descriptor)
        on_disk.add(Path(f"/proc/self/fd/{descriptor}").readlink())

    monkeypatch.setattr(os, "fsync", remembered)
    execution.run(job)

    folder = folder_of(Release.objects.get())
    assert {folder, folder.parent, releases, *folder.iterdir()} <= on_disk


def test_a_worker_that_does_not_see_the_files_of_the_web_server_names_the_setting(
    job, settings, tmp_path
):
    job.params["mark"] = stored_folders.mark()
    job.save()
    settings.RELEASES = tmp_path / "elsewhere"

    with pytest.raises(JobFailedError, match=r"this worker does not see .* TOUCHSTONE_FILES"):
        execution.run(job)

    assert not Release.objects.exists()


def test_a_job_whose_batch_was_decided_on_meanwhile_fails_and_leaves_nothing(
    job, releases, plausibility, alice, monkeypatch
):
    prepare = release_actions.prepare

    def overtaken(**asked):
        draft = prepare(**asked)
        reviews.exclude(item=plausibility.items.first(), reason="confusing", by=alice)
        return draft

    monkeypatch.setattr(release_actions, "prepare", overtaken)

    with pytest.raises(JobFailedError, match="there is no release: something was decided in the"):
        execution.run(job)

    assert not Release.objects.exists()
    assert not list(releases.rglob("*.json"))


def test_a_release_whose_job_was_cancelled_while_it_was_made_leaves_nothing(
    job, releases, alice, monkeypatch
):
    prepare = release_actions.prepare

    def cancelled(**asked):
        draft = prepare(**asked)
        jobs.cancel(job=job, by=alice)
        return draft

    monkeypatch.setattr(release_actions, "prepare", cancelled)

    assert execution.work(job) == 0

    job.refresh_from_db()
    assert job.state == JobState.CANCELLED
    assert not Release.objects.exists()
    assert not list(releases.rglob("*.json"))


def overtake(monkeypatch, job, alice, step):
    """A second worker makes the release while the first, cancelled and resumed, is behind this step."""
    module = release_actions if hasattr(release_actions, step) else files
    real, overtaken = getattr(module, step), []

    def slow(*given, **asked):
        done = real(*given, **asked)
        if not overtaken:
            overtaken.append(True)
            jobs.cancel(job=Job.objects.get(pk=job.pk), by=alice)
            jobs.resume(job=Job.objects.get(pk=job.pk), by=alice)
            execution.work(Job.objects.get(pk=job.pk))
        return done

    monkeypatch.setattr(module, step, slow)


@pytest.mark.parametrize("step", ["prepare", "_write", "_rows"])
def test_a_worker_that_was_overtaken_leaves_the_release_of_the_other_whole(
    job, releases, alice, monkeypatch, step
):
    overtake(monkeypatch, job, alice, step)

    execution.work(job)

    job.refresh_from_db()
    release = Release.objects.get()
    assert (job.state, job.message) == (JobState.DONE, "")
    folder = folder_of(release)
    assert {"manifest.json", *release.manifest["files"]} <= {
        str(path.relative_to(folder)) for path in folder.rglob("*")
    }
    assert names(folder.parent) == [folder.name]
