"""What is promised of notices to everybody in a batch."""

import pytest

from accounts.permissions import NotAllowedError
from annotation.actions import notices
from annotation.actions.batches import BatchError
from annotation.models import Notice
from annotation.queries.notices import MOST_SHOWN, notices_for
from annotation.review_decisions import ReviewError
from tests.factories import BatchFactory


def texts_for(batch, person):
    batch.refresh_from_db()
    return [each.text for each in notices_for([batch], person)]


def test_everybody_in_the_batch_reads_a_notice_until_they_dismiss_it(batch, alice, bob, dora):
    notice = notices.write(batch=batch, text="No work on Friday.", by=alice)

    notices.dismiss(notice=notice, by=bob)
    notices.dismiss(notice=notice, by=bob)

    assert texts_for(batch, bob) == []
    assert texts_for(batch, dora) == ["No work on Friday."]


def test_the_newest_notices_stand_in_their_order(batch, alice, bob):
    for number in range(MOST_SHOWN + 1):
        notices.write(batch=batch, text=f"number {number}", by=alice)

    assert texts_for(batch, bob) == [f"number {each}" for each in range(1, MOST_SHOWN + 1)]


def test_a_batch_without_a_notice_costs_no_query(batch, bob, django_assert_num_queries):
    with django_assert_num_queries(0):
        assert notices_for([batch], bob) == []


def test_the_same_notice_twice_in_a_row_is_one(batch, alice):
    for _ in range(2):
        notices.write(batch=batch, text="No work on Friday.", by=alice)

    assert Notice.objects.count() == 1


def test_only_requesters_write_notices_and_never_an_empty_one(batch, alice, bob, carol):
    for person in (bob, carol):
        with pytest.raises(NotAllowedError):
            notices.write(batch=batch, text="Hello.", by=person)
    with pytest.raises(ReviewError):
        notices.write(batch=batch, text=" ", by=alice)


def test_a_draft_has_nobody_to_read_a_notice(batch, alice):
    draft = BatchFactory(pool=batch.pool, name="draft", state="draft")

    with pytest.raises(BatchError):
        notices.write(batch=draft, text="Hello.", by=alice)
