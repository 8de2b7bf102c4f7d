"""What is promised of a person's progress, and of why nothing is left: progress.py and leftover.py."""

from datetime import timedelta

import pytest

from annotation.actions import batches, claims, judgements, reviews
from annotation.models import Batch
from annotation.queries import annotator_progress, recent_judgements, why_no_work
from annotation.queries.why_no_work import NoWork, Reason
from tests.annotation.desk import NOW, after, claim_one, judge, submission
from tests.factories import BatchFactory, ItemFactory


def progress_of(batch, user, now=NOW):
    return annotator_progress.progress_by_batch([batch], user, now)[batch.pk]


def counts(batch, user, now=NOW):
    """(done, skipped, left)"""
    found = progress_of(batch, user, now)
    return found.n_done, found.n_skipped, found.n_left


def update_batch(batch, **fields):
    Batch.objects.filter(pk=batch.pk).update(**fields)
    batch.refresh_from_db()
    return batch


def judge_in(batch, user, seconds):
    said = submission()
    return judgements.submit(
        assignment=claim_one(batch, user),
        submission=judgements.Submission(said.client_id, said.response, NOW, seconds),
        by=user,
        now=NOW,
    )


# Counts


def test_all_items_are_left_at_first_and_one_fewer_after_each(batch, items, bob):
    assert counts(batch, bob) == (0, 0, 3)

    judge(batch, bob)

    assert counts(batch, bob) == (1, 0, 2)
    assert (progress_of(batch, bob).n_all, progress_of(batch, bob).number) == (3, 2)


def test_an_item_that_is_held_is_left_and_a_skipped_one_is_neither_done_nor_left(batch, items, bob):
    held = claim_one(batch, bob)
    assert counts(batch, bob) == (0, 0, 3)

    judgements.skip(assignment=held, reason="no idea", by=bob)

    assert counts(batch, bob) == (0, 1, 2)


def test_what_others_filled_or_hold_is_not_left(batch, item, alice, bob, dora):
    update_batch(batch, judgements_per_item=1)
    item.n_wanted = item.n_open = 1
    item.save()
    claim_one(batch, dora)

    assert counts(batch, bob) == (0, 0, 0)


def test_a_taken_back_judgement_is_left_again(batch, items, bob):
    judgements.take_back(judgement=judge(batch, bob), by=bob, now=NOW)

    assert counts(batch, bob) == (0, 0, 3)


def test_an_expired_claim_is_left_while_its_item_has_room(batch, item, bob):
    claim_one(batch, bob)
    claims.expire_lapsed(batch=batch, now=after(601))

    assert counts(batch, bob) == (0, 0, 1)


def test_an_excluded_item_is_not_left(batch, items, alice, bob):
    claim_one(batch, bob)
    claims.expire_lapsed(batch=batch, now=after(601))
    for item in items[:2]:
        reviews.exclude(item=item, reason="confusing", by=alice)

    assert counts(batch, bob) == (0, 0, 1)
    assert annotator_progress.desk_progress(batch, bob, NOW).n_left == 1


def test_no_more_is_left_than_one_person_may_take(batch, items, bob):
    update_batch(batch, most_per_person=2)
    assert counts(batch, bob) == (0, 0, 2)

    judge(batch, bob)

    assert counts(batch, bob) == (1, 0, 1)


def test_in_a_batch_that_is_over_only_what_is_held_is_left(batch, items, alice, bob):
    claim_one(batch, bob)
    update_batch(batch, deadline_at=NOW)
    assert counts(batch, bob, now=after(-1)) == (0, 0, 3)
    assert counts(batch, bob) == (0, 0, 1)

    update_batch(batch, deadline_at=None)
    batches.close(batch=batch, by=alice)
    batch.refresh_from_db()

    assert counts(batch, bob) == (0, 0, 1)


def test_a_paused_batch_goes_on_some_day(batch, items, alice, bob):
    batches.pause(batch=batch, by=alice)
    batch.refresh_from_db()

    assert counts(batch, bob) == (0, 0, 3)


def test_batches_and_people_are_kept_apart(batch, items, bob, dora):
    other = BatchFactory(pool=batch.pool)
    ItemFactory(batch=other, position=1)
    judge(batch, bob)
    judge(other, dora)

    found = annotator_progress.progress_by_batch([batch, other], bob, NOW)

    assert [(found[each.pk].n_done, found[each.pk].n_left) for each in (batch, other)] == [
        (1, 2),
        (0, 1),
    ]


# Pace


def test_the_pace_is_not_known_from_two_judgements_and_is_the_median_of_three(batch, bob):
    for position in range(1, 6):
        ItemFactory(batch=batch, position=position)
    judge_in(batch, bob, 100.0)
    judge_in(batch, bob, 8.0)
    assert progress_of(batch, bob).pace is None
    assert progress_of(batch, bob).seconds_left is None

    judge_in(batch, bob, 10.0)

    assert progress_of(batch, bob).pace == 10.0
    assert progress_of(batch, bob).seconds_left == 20.0


def test_the_pace_follows_the_latest_judgements(batch, bob, monkeypatch):
    monkeypatch.setattr(annotator_progress, "PACE_FROM", 3)
    for position in range(1, 8):
        ItemFactory(batch=batch, position=position)
    for second, seconds in enumerate([50.0, 50.0, 50.0, 2.0, 3.0, 4.0]):
        said = submission()
        judgements.submit(
            assignment=claim_one(batch, bob),
            submission=judgements.Submission(said.client_id, said.response, NOW, seconds),
            by=bob,
            now=after(second),
        )

    assert progress_of(batch, bob).pace == 3.0


def test_the_pace_leaves_out_what_was_taken_back_and_what_others_did(batch, bob, dora):
    for position in range(1, 6):
        ItemFactory(batch=batch, position=position)
    for _ in range(3):
        judge_in(batch, dora, 5.0)
        judge_in(batch, bob, 9.0)
    judgements.take_back(
        judgement=recent_judgements.editable_judgements(batch, bob)[0], by=bob, now=NOW
    )

    assert progress_of(batch, bob).pace is None
    assert annotator_progress.active_seconds(batch, bob) == 18.0


def test_progress_asks_as_often_for_many_batches_as_for_one(
    batch, items, bob, django_assert_num_queries
):
    others = [BatchFactory(pool=batch.pool) for _ in range(5)]
    for other in others:
        ItemFactory(batch=other, position=1)
        judge(other, bob)

    for asked in ([batch], [batch, *others]):
        # Own assignments by state, expired ones with room, open items, cursors, times.
        with django_assert_num_queries(5):
            annotator_progress.progress_by_batch(asked, bob, NOW)


# Why nothing is left


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"state": "paused"}, Reason.PAUSED),
        ({"deadline_at": NOW}, Reason.DEADLINE),
        ({"deadline_at": NOW, "state": "paused"}, Reason.DEADLINE),
        ({"deadline_at": after(1)}, Reason.DONE),
        ({}, Reason.DONE),
    ],
)
def test_the_state_of_the_batch_says_why(batch, bob, fields, reason):
    assert why_no_work.why_no_work(update_batch(batch, **fields), bob, NOW) == NoWork(reason)


def test_a_closed_batch_is_closed_whatever_else_is_true(batch, alice, bob):
    update_batch(batch, deadline_at=NOW + timedelta(days=1), most_per_person=0)
    batches.close(batch=batch, by=alice)
    batch.refresh_from_db()

    assert why_no_work.why_no_work(batch, bob, NOW).reason == Reason.CLOSED


def test_who_took_as_much_as_one_may_is_told_so(batch, items, bob, dora):
    update_batch(batch, most_per_person=1)
    judge(batch, bob)

    assert why_no_work.why_no_work(batch, bob, NOW).reason == Reason.SHARE
    assert why_no_work.why_no_work(batch, dora, NOW).reason != Reason.SHARE


def test_what_others_hold_is_counted_with_the_time_at_which_the_last_claim_ends(
    batch, items, bob, dora
):
    for _ in items:
        judge(batch, bob)
    claim_one(batch, dora)
    # The items that dora holds bob has judged: they do not come to him again.
    assert why_no_work.why_no_work(batch, bob, NOW) == NoWork(Reason.DONE)

    alone = BatchFactory(pool=batch.pool, judgements_per_item=1, claim_seconds=600)
    for position in (1, 2):
        ItemFactory(batch=alone, position=position)
    claim_one(alone, dora)
    claims.claim(batch=alone, by=dora, n=2, now=after(30))

    assert why_no_work.why_no_work(alone, bob, NOW) == NoWork(Reason.HELD, 2, after(630))


def test_an_excluded_item_that_another_holds_does_not_come(batch, alice, bob, dora):
    alone = BatchFactory(pool=batch.pool, judgements_per_item=1, claim_seconds=600)
    item = ItemFactory(batch=alone, position=1)
    claim_one(alone, dora)

    reviews.exclude(item=item, reason="confusing", by=alice)

    assert why_no_work.why_no_work(alone, bob, NOW) == NoWork(Reason.DONE)


def test_an_item_that_was_lost_to_another_may_come_back(batch, bob, dora):
    alone = BatchFactory(pool=batch.pool, judgements_per_item=1, claim_seconds=600)
    ItemFactory(batch=alone, position=1)
    claim_one(alone, bob)
    claim_one(alone, dora, now=after(601))

    assert why_no_work.why_no_work(alone, bob, after(602)) == NoWork(Reason.HELD, 1, after(1201))
