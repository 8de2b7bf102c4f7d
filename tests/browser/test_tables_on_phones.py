"""Tables that are read on a phone: each row stands as a card, so that no column is out of sight."""

import pytest
from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import Page, expect

from accounts.models import Role, User
from annotation.actions import claims
from annotation.models import Batch
from exports.models import Release
from jobs.models import Job, JobError
from tests.annotation.desk import judge
from tests.browser.conftest import PHONE, WIDE
from tests.conftest import member
from tests.factories import BatchFactory, ItemFactory, RunFactory

# The cells of the page's tables that lie beyond the right edge of what is shown of their table.
OUT_OF_SIGHT = """() => [...document.querySelectorAll("main .scrolls")].flatMap((region) =>
    [...region.querySelectorAll("tbody :is(td, th)")].filter((cell) =>
        cell.getBoundingClientRect().right > region.getBoundingClientRect().right + 1
    ).map((cell) => cell.textContent.trim()))"""


@pytest.fixture
def batch(study, alice):
    batch = BatchFactory(pool__dataset__study=study, name="faithfulness-of-the-second-round")
    RunFactory(dataset=batch.pool.dataset, name="a-run-with-quite-a-long-name")
    Release.objects.create(
        study=study,
        dataset=batch.pool.dataset,
        number=1,
        is_rehearsal=False,
        manifest={"accepted": {"gold": 10, "silver": 73}, "batches": [{"name": batch.name}]},
        folder="",
        created_by=alice,
    )
    return batch


@pytest.fixture
def failed_job(study, alice) -> Job:
    job = Job.objects.create(
        study=study,
        kind="import_run",
        key="1",
        state="failed",
        n_errors=1,
        created_by=alice,
        finished_at=timezone.now(),
    )
    JobError.objects.create(
        job=job,
        number=1,
        file="run.json",
        row=4,
        field="Conversation_no",
        value="12",
        message="is no turn of the data set lighthouses, so its answers belong nowhere",
    )
    return job


@pytest.mark.parametrize("name", ["release_new", "releases"])
def test_no_column_is_out_of_sight_on_a_phone(page: Page, sign_in, alice, study, batch, name):
    _expect_all_in_sight(page, sign_in, alice, reverse(name, args=[study.slug]))


def test_no_column_of_the_table_of_runs_is_out_of_sight_on_a_phone(
    page: Page, sign_in, alice, study, batch
):
    href = reverse("run_table", args=[study.slug, batch.pool.dataset_id])

    _expect_all_in_sight(page, sign_in, alice, href)


def test_what_is_wrong_with_an_import_is_in_sight_on_a_phone(
    page: Page, sign_in, alice, study, failed_job
):
    _expect_all_in_sight(page, sign_in, alice, reverse("job", args=[study.slug, failed_job.pk]))


def test_no_column_of_ones_own_earnings_is_out_of_sight_on_a_phone(
    page: Page, sign_in, bob, study, batch
):
    Batch.objects.filter(pk=batch.pk).update(reward="0.06", currency="GBP")
    ItemFactory(batch=batch, position=1)
    judge(batch, bob)

    _expect_all_in_sight(page, sign_in, bob, reverse("earnings"))
    expect(page.get_by_role("cell", name="£0.06")).to_have_count(2)


def test_people_fit_into_a_screen_of_1280_pixels(page: Page, sign_in, alice, study, batch):
    erin = member(study, "erin-of-the-second-team", Role.REQUESTER, Role.ADJUDICATOR, by=alice)
    bob = member(study, "bob-of-the-second-team", Role.ANNOTATOR, by=alice)
    for position in (1, 2):
        ItemFactory(batch=batch, position=position)
    claims.claim(batch=batch, by=bob)
    judge(batch, bob)
    User.objects.filter(pk__in=[erin.pk, bob.pk]).update(last_login=timezone.now())
    sign_in(alice)
    page.set_viewport_size(WIDE)
    page.goto(reverse("people", args=[study.slug]))

    assert page.evaluate(OUT_OF_SIGHT) == []


def _expect_all_in_sight(page: Page, sign_in, person, href: str) -> None:
    sign_in(person)
    page.set_viewport_size(PHONE)
    page.goto(href)

    assert page.locator("main .scrolls tbody tr").count()
    assert page.evaluate(OUT_OF_SIGHT) == []
