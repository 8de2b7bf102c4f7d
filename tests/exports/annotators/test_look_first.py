"""Who looks unusual is said where something is decided on their work, and computed while it comes in."""

from datetime import timedelta

import pytest
from django.utils import timezone

from accounts.models import Role
from annotation.actions import batches, reviews, settlement
from annotation.models import Judgement
from exports.annotators.stored_figures import AnnotatorsFigures
from exports.current_figures.actions import OPEN_EVERY, Watch
from jobs.actions import execution
from jobs.models import Job
from tests.conftest import member
from tests.exports.annotators.test_views import (
    batch,  # noqa: F401
    client,  # noqa: F401
    compute_figures,
    judged,  # noqa: F401
    page,
    words,
    work,
)

UNUSUAL = "1 person looks unusual"


@pytest.fixture
def computed(client, judged):  # noqa: F811
    compute_figures(client, judged)
    return judged


def close_and_settle(found, alice):
    closed = batches.close(batch=found, by=alice)
    settlement.settle(batch=closed, rule="unanimous", by=alice)


def test_the_batch_page_and_the_page_that_closes_it_say_so_with_a_link(client, computed, study):  # noqa: F811
    for name in ("batch", "batch_close"):
        text = page(client, name, study.slug, computed.pk)
        assert UNUSUAL in words(text)
        assert f"/batches/{computed.pk}/annotators/" in text


def test_the_pages_that_settle_and_release_say_so(client, computed, study, alice):  # noqa: F811
    batches.close(batch=computed, by=alice)
    assert UNUSUAL in words(page(client, "batch_settle", study.slug, computed.pk))

    settlement.settle(batch=computed, rule="majority", by=alice)

    assert f"1 person in “ {computed.name} ” looks unusual" in words(
        page(client, "release_new", study.slug, dataset=computed.pool.dataset_id)
    )


def test_who_settles_disputes_reads_how_many_involve_such_a_person_and_no_name(
    client,  # noqa: F811
    computed,
    study,
    alice,
    carol,
):
    close_and_settle(computed, alice)
    client.force_login(carol, backend="accounts.backends.RealPeopleBackend")

    text = words(page(client, "disputes", study.slug))

    assert "an annotator whose work looks unusual: have the work reviewed first" in text
    assert "eve" not in text.replace("everything", "").replace("never", "")


def test_once_their_work_is_reviewed_nothing_is_said(client, computed, study, alice):  # noqa: F811
    reasons = {"paid_reason": "careful after all", "counted_reason": "careful after all"}
    for judgement in Judgement.objects.filter(assignment__annotator__username="eve"):
        reviews.review(judgement=judgement, is_paid=True, is_counted=True, **reasons, by=alice)

    assert "unusual" not in page(client, "batch", study.slug, computed.pk)


def test_without_figures_nothing_is_said(client, judged, study):  # noqa: F811
    assert "unusual" not in page(client, "batch", study.slug, judged.pk)


def look(watch, at) -> list[Job]:
    started = watch.look(at)
    for job in started:
        execution.run(job)
    return started


def test_figures_of_an_open_batch_are_computed_while_work_comes_in(judged):  # noqa: F811
    (job,) = look(Watch(), timezone.now())

    assert (job.kind, job.is_automatic) == ("annotators_of_batch", True)
    assert AnnotatorsFigures(judged.study, judged).result is not None


def test_they_are_computed_again_when_much_more_came_in_and_not_before(batch, study, alice):  # noqa: F811
    def somebody_judges(name):
        work(batch, member(study, name, Role.ANNOTATOR, by=alice), lambda n: "plausible")

    watch, now = Watch(), timezone.now()
    somebody_judges("bob")
    assert len(look(watch, now)) == 1
    assert look(watch, now + OPEN_EVERY) == []

    somebody_judges("dora")

    assert look(watch, now + OPEN_EVERY + timedelta(seconds=1)) == []  # looked a moment ago
    assert len(look(watch, now + 2 * OPEN_EVERY)) == 1
