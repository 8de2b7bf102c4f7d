"""What a new release would change is stored by a job, and shown while everything that it rests on is the same."""

import pytest
from django.test import override_settings
from django.urls import reverse

from annotation.actions import batches, reviews, withdrawn_batches
from corpus.actions import run_descriptions, withdrawn_runs
from exports.models import Release
from exports.releases.choice import Choice
from exports.releases.stored_figures import ChangesFigures, computed_changes, shown_changes
from exports.withdrawals import actions as withdrawals
from jobs.actions import execution, jobs
from jobs.handlers import JobFailedError
from jobs.models import Job
from tests.annotation.pools import launched
from tests.exports.judged_batches import close_batch, judge_and_settle, judge_batch, release
from tests.exports.releases.stored_release import folder_of
from tests.jobs.clients import client_of
from tests.parts import part

pytestmark = pytest.mark.usefixtures("releases_of_parts")


def figures(batch) -> ChangesFigures:
    return ChangesFigures(batch.study, batch.pool.dataset)


def compute(batch) -> None:
    found = figures(batch)
    job = jobs.start(
        study=batch.study,
        kind=found.kind,
        key=found.key,
        params=found.params,
        by=batch.created_by,
    )
    execution.run(job)


@part
def stored(plausibility, bob, dora, folder, releases_folder):
    """The batch, once a job compared it with the release that another batch changes since."""
    with override_settings(RELEASES=releases_folder):
        release(plausibility, folder / "before")
        judge_and_settle(launched(plausibility.pool, name="again"), bob, dora, label="malformed")
        compute(plausibility)
    return plausibility


def is_shown(batch) -> bool:
    """Whether the page shows what is stored, which is marked here."""
    job = figures(batch).newest_done
    job.result["changes"]["sentence"] = "Stored."
    Job.objects.filter(pk=job.pk).update(result=job.result)
    return shown_changes(Choice(batch.pool.dataset))["sentence"] == "Stored."


def test_what_is_stored_is_what_would_be_computed(stored):
    choice = Choice(stored.pool.dataset)

    assert shown_changes(choice) == computed_changes(choice)
    assert shown_changes(choice)["n"] > 0
    assert is_shown(stored)


def test_judgements_of_an_open_batch_leave_it_as_it_is(stored, bob, dora):
    batch = judge_batch(launched(stored.pool, name="open"), bob)
    compute(stored)
    judge_batch(batch, dora)

    assert is_shown(stored)


def adjudicate(batch, alice, carol):
    item = batch.study.batches.get(name="again").items.first()
    reviews.adjudicate(item=item, label="plausible", reason="It is right.", by=carol)


def exclude(batch, alice, carol):
    reviews.exclude(item=batch.items.first(), reason="It is cut off.", by=alice)


def withdraw_batch(batch, alice, carol):
    again = batch.study.batches.get(name="again")
    withdrawn_batches.withdraw(batch=again, reason="The wrong guideline.", by=alice)


def reopen(batch, alice, carol):
    batches.reopen(batch=batch.study.batches.get(name="again"), by=alice)


def close_another(batch, alice, carol):
    close_batch(launched(batch.pool, name="a third"))


def rename(batch, alice, carol):
    batch.study.batches.filter(name="again").update(name="once more")


def withdraw_run(batch, alice, carol):
    run = batch.pool.dataset.runs.order_by("name").first()
    withdrawn_runs.withdraw(run=run, reason="Sent twice.", by=alice)


def rename_run(batch, alice, carol):
    dataset = batch.pool.dataset
    run = dataset.runs.order_by("name").first()
    run_descriptions.describe(dataset=dataset, wanted={run.pk: {"name": "renamed"}}, by=alice)


def withdraw_release(batch, alice, carol):
    withdrawals.withdraw_release(release=Release.objects.get(), reason="Too early.", by=alice)


def change_file(batch, alice, carol):
    file = folder_of(Release.objects.get()) / "silver.json"
    file.write_text(file.read_text("utf-8") + "\n", "utf-8")


@pytest.mark.parametrize(
    "act",
    [
        adjudicate,
        exclude,
        withdraw_batch,
        reopen,
        close_another,
        rename,
        withdraw_run,
        rename_run,
        withdraw_release,
        change_file,
    ],
)
def test_after_a_change_of_what_it_rests_on_it_is_computed_again(act, stored, alice, carol):
    act(stored, alice, carol)

    assert not is_shown(stored)


def test_another_choice_is_computed(stored):
    assert is_shown(stored)
    without = Choice(stored.pool.dataset, left_out=("again",))

    assert shown_changes(without)["sentence"] != "Stored."
    assert shown_changes(Choice(stored.pool.dataset, is_rehearsal=True))["sentence"] != "Stored."


def test_a_file_that_is_gone_is_said_and_ends_the_job(stored, alice):
    (folder_of(Release.objects.get()) / "silver.json").unlink()
    page = client_of(alice).get(reverse("release_changes", args=[stored.study.slug])).text

    assert "its files cannot be read" in page
    with pytest.raises(JobFailedError, match="cannot be read"):
        compute(stored)


def test_without_a_closed_batch_nothing_is_computed(pool):
    launched(pool)

    assert ChangesFigures(pool.study, pool.dataset).obstacle.startswith("No real batch is closed")


def test_the_page_of_the_job_leads_to_the_changes(stored, alice):
    job = figures(stored).newest_done
    page = client_of(alice).get(reverse("job", args=[stored.study.slug, job.pk])).text

    assert reverse("release_changes", args=[stored.study.slug]) in page
