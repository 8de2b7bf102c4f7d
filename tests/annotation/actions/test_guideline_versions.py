"""What is promised of a guideline that changes while people judge: annotation/actions/guideline_versions.py."""

from datetime import timedelta

import pytest
from django.utils import timezone

from accounts.permissions import NotAllowedError
from annotation.actions import batches, claims, guideline_readings, guideline_versions, judgements
from annotation.actions.batches import BatchError
from annotation.models import AssignmentState, Guideline, GuidelineVersion, Judgement
from annotation.queries import guideline_diff
from annotation.queries.guideline_versions import numbers, texts, version_lines
from audit.models import Event
from tests.annotation.desk import submission

OLD, NEW = "Be kind to every answer.", "Be strict with every answer."


@pytest.fixture
def batch(batch, alice):
    batch.guideline = batches.guideline_of(batch.study, batch.scheme, OLD, alice)
    batch.save()
    return batch


def change(batch, by, text=NEW):
    return guideline_versions.change(batch=batch, text=text, by=by)


def judge_now(batch, by, **more):
    """Judge the next item, shown now, after the item was claimed."""
    (assignment,) = claims.claim(batch=batch, by=by)
    shown = {"shown_at": timezone.now()} | more
    given = judgements.Submission(**vars(submission()) | shown)
    return judgements.submit(assignment=assignment, submission=given, by=by)


def judged_by(judgement):
    return Guideline.objects.get(sha256=judgement.guideline_sha256).text


def test_a_change_adds_a_version_and_the_first_one_stays(batch, alice):
    changed = change(batch, alice)

    assert changed.guideline.text == NEW
    versions = GuidelineVersion.objects.values_list("number", "guideline__text", "created_by")
    assert list(versions) == [(1, OLD, batch.created_by_id), (2, NEW, alice.pk)]
    event = Event.objects.get(verb="changed the guideline of")
    assert (event.target, event.details) == (f"batch {batch}", {"version": 2})


def test_the_same_text_again_is_no_new_version(batch, alice):
    change(batch, alice, OLD)

    assert not GuidelineVersion.objects.exists()
    assert not Event.objects.filter(verb="changed the guideline of").exists()


@pytest.mark.parametrize("end", [batches.pause, None, batches.close])
def test_only_an_open_or_paused_batch_gets_a_new_version(batch, alice, end):
    batch = end(batch=batch, by=alice) if end else batch
    if end is not batches.close:
        assert change(batch, alice).guideline.text == NEW
        return
    with pytest.raises(BatchError, match="is closed, not open or paused"):
        change(batch, alice)


def test_only_a_requester_changes_the_guideline(batch, bob):
    with pytest.raises(NotAllowedError):
        change(batch, bob)


def test_who_had_read_it_reads_the_new_version_and_sees_what_changed(batch, alice, bob):
    guideline_readings.confirm(batch=batch, by=bob)
    batch = change(batch, alice)

    assert guideline_readings.is_due(batch, bob)
    assert guideline_diff.change_since_reading(batch, bob) is not None

    guideline_readings.confirm(batch=batch, by=bob)
    assert not guideline_readings.is_due(batch, bob)


def test_a_text_that_comes_back_is_read_again(batch, alice, bob):
    guideline_readings.confirm(batch=batch, by=bob)
    batch = change(batch, alice)
    guideline_readings.confirm(batch=batch, by=bob)
    batch = change(batch, alice, OLD)

    assert guideline_readings.is_due(batch, bob)
    assert guideline_diff.change_since_reading(batch, bob) is not None
    guideline_readings.confirm(batch=batch, by=bob)
    assert not guideline_readings.is_due(batch, bob)


def test_each_judgement_keeps_the_version_that_its_annotator_had_read(batch, items, alice, bob):
    guideline_readings.confirm(batch=batch, by=bob)
    before = judge_now(batch, bob)
    batch = change(batch, alice)
    unread = judge_now(batch, bob)  # what he held while it changed
    guideline_readings.confirm(batch=batch, by=bob)
    after = judge_now(batch, bob)

    assert [judged_by(each) for each in (before, unread, after)] == [OLD, OLD, NEW]


def test_what_was_judged_offline_before_the_new_version_was_read_keeps_the_old_one(
    batch, items, alice, bob
):
    guideline_readings.confirm(batch=batch, by=bob)
    (held,) = claims.claim(batch=batch, by=bob)
    shown_at = timezone.now()
    batch = change(batch, alice)
    guideline_readings.confirm(batch=batch, by=bob)

    given = judgements.Submission(**vars(submission()) | {"shown_at": shown_at})
    stored = judgements.submit(assignment=held, submission=given, by=bob)

    assert judged_by(stored) == OLD


def test_an_empty_version_counts_as_read(batch, items, alice, bob):
    batch = change(batch, alice, "")

    assert not guideline_readings.is_due(batch, bob)
    assert judged_by(judge_now(batch, bob)) == ""


def test_a_change_ends_no_claim(batch, items, alice, bob):
    (held,) = claims.claim(batch=batch, by=bob)
    change(batch, alice)

    held.refresh_from_db()
    assert held.state == AssignmentState.CLAIMED


def test_the_versions_say_how_many_judged_by_them_and_read_them(batch, items, alice, bob, dora):
    guideline_readings.confirm(batch=batch, by=bob)
    judge_now(batch, bob)
    assert version_lines(batch) == []
    batch = change(batch, alice)
    for who in (bob, dora):
        guideline_readings.confirm(batch=batch, by=who)
    judge_now(batch, bob)
    judge_now(batch, dora)

    lines = version_lines(batch)

    assert [(each.version.number, each.n_judgements, each.n_readers) for each in lines] == [
        (2, 2, 2),
        (1, 1, 1),
    ]
    assert Judgement.objects.count() == 3
    assert list(numbers(batch).values()) == ["1", "2"]
    assert set(texts([batch]).values()) == {OLD, NEW}


def test_versions_with_the_same_text_are_named_together(batch, alice):
    batch = change(change(batch, alice), alice, OLD)

    assert sorted(numbers(batch).values()) == ["1 and 3", "2"]


def test_a_reading_is_of_this_version_if_it_came_after_it(batch, alice, bob):
    """Who had read the text in another batch is shown it again: they did not know that it is in force here."""
    batch = change(batch, alice)
    early = timezone.now() - timedelta(days=1)
    batch.guideline.readings.create(read_by=bob, read_at=early)

    assert guideline_readings.is_due(batch, bob)
