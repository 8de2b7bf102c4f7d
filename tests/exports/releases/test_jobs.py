"""A release that a worker makes: exports/jobs.py."""

import pytest

from annotation.actions import reviews
from exports import jobs as release_jobs
from exports.models import Release
from exports.releases import actions as release_actions
from exports.writers import folders
from jobs.actions import execution, jobs
from jobs.handlers import JobFailedError
from jobs.models import Job, JobState


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


def test_a_job_puts_its_release_into_a_folder_of_its_own(job, releases):
    execution.run(job)

    release = Release.objects.get()
    folder = releases / job.study.slug / str(job.pk)
    assert (job.result["release"], release.folder) == (1, str(folder.resolve()))
    assert {"gold.json", "manifest.json"} <= set(names(folder))
    assert names(folder.parent) == [str(job.pk)]


def test_what_a_killed_worker_left_of_a_release_is_gone_when_the_next_has_made_it(job, releases):
    folder = release_jobs.folder_of(job)
    unfinished = folder.parent / f".unfinished-release-{job.pk}-abc"
    of_another = folder.parent / f".unfinished-release-{job.pk}0-abc"
    for left in (folder, unfinished, of_another):
        left.mkdir(parents=True)
        (left / "gold.json").write_text("half")

    execution.run(job)

    assert names(folder.parent) == sorted([of_another.name, folder.name])
    assert (folder / "gold.json").read_text() != "half"


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
    real, overtaken = getattr(release_actions, step), []

    def slow(*given, **asked):
        done = real(*given, **asked)
        if not overtaken:
            overtaken.append(True)
            jobs.cancel(job=Job.objects.get(pk=job.pk), by=alice)
            jobs.resume(job=Job.objects.get(pk=job.pk), by=alice)
            execution.work(Job.objects.get(pk=job.pk))
        return done

    monkeypatch.setattr(release_actions, step, slow)


@pytest.mark.parametrize("step", ["prepare", "_write", "_rows"])
def test_a_worker_that_was_overtaken_leaves_the_release_of_the_other_whole(
    job, releases, alice, monkeypatch, step
):
    overtake(monkeypatch, job, alice, step)

    execution.work(job)

    job.refresh_from_db()
    release = Release.objects.get()
    assert (job.state, job.message) == (JobState.DONE, "")
    folder = release_jobs.folder_of(job)
    assert release.folder == str(folder)
    assert {"manifest.json", *release.manifest["files"]} <= {
        str(path.relative_to(folder)) for path in folder.rglob("*")
    }
    assert names(folder.parent) == [folder.name]


def test_what_a_worker_writes_stays_while_its_job_goes_on(job, releases):
    with folders.new_folder(release_jobs.folder_of(job)) as folder:
        release_jobs.clear_release(job)

        assert folder.path.exists()
        folder.deliver()


def test_a_second_worker_removes_nothing_that_the_first_is_writing(job, releases):
    with folders.new_folder(release_jobs.folder_of(job)) as of_the_first:
        draft = release_jobs.prepare_release(job, {}, lambda: None)
        draft.cleanup.close()

        assert of_the_first.path.exists()
        of_the_first.deliver()
