"""What is promised of the desk's one request: annotation/actions/desk_sync.py."""

from datetime import timedelta

import pytest

from accounts.models import Role
from accounts.permissions import NotAllowedError
from annotation.actions import batches, claims, desk_sync, judgements, reviews
from annotation.actions.desk_submissions import Outcome, SentJudgement
from annotation.models import Assignment, AssignmentState, Batch, BatchState, Judgement
from tests.annotation.desk import NOW, after, places, submission
from tests.conftest import member
from tests.factories import ItemFactory


def feed(batch, by, *sent, **more):
    return desk_sync.sync(batch=batch, by=by, sent=sent, now=more.pop("now", NOW), **more)


def held_by(batch, by, n=1):
    return claims.claim(batch=batch, by=by, n=n, now=NOW)


def sent_judgement(assignment, client_id="c1", label="plausible"):
    return SentJudgement(assignment.public_id, submission(label, client_id=client_id))


def outcomes(fed):
    return [each.outcome for each in fed.results]


def positions(assignments):
    return [each.item.position for each in assignments]


@pytest.fixture
def many_items(batch):
    return [ItemFactory(batch=batch, position=position) for position in range(1, 41)]


# Submissions


def test_what_is_sent_is_stored_in_its_order_and_the_next_items_come_with_the_answer(
    batch, many_items, bob
):
    first, second = held_by(batch, bob, 2)

    fed = feed(
        batch, bob, sent_judgement(first, "a"), sent_judgement(second, "b", "malformed"), n_more=2
    )

    assert outcomes(fed) == [Outcome.SAVED, Outcome.SAVED]
    stored = Judgement.objects.order_by("pk")
    assert [each.client_id for each in stored] == ["a", "b"]
    assert [each.judgement for each in fed.results] == list(stored)
    assert positions(fed.new) == [3, 4]
    assert places(many_items[0]) == (2, 1, 0, 1)


def test_the_same_client_id_again_is_the_same_judgement_and_says_the_same(batch, item, bob):
    (held,) = held_by(batch, bob)
    first = feed(batch, bob, sent_judgement(held))

    again = feed(batch, bob, sent_judgement(held), now=after(5))

    assert outcomes(again) == outcomes(first) == [Outcome.SAVED]
    assert again.results[0].judgement == first.results[0].judgement
    assert (first.results[0].is_new, again.results[0].is_new) == (True, False)
    assert Judgement.objects.get().submitted_at == NOW


def test_the_same_client_id_twice_in_one_request_is_one_judgement(batch, item, bob):
    (held,) = held_by(batch, bob)

    fed = feed(batch, bob, sent_judgement(held), sent_judgement(held))

    assert outcomes(fed) == [Outcome.SAVED, Outcome.SAVED]
    assert Judgement.objects.count() == 1


def test_another_submission_of_a_judged_item_is_told_what_stands(batch, item, bob):
    (held,) = held_by(batch, bob)

    fed = feed(batch, bob, sent_judgement(held, "a"), sent_judgement(held, "b", "malformed"))

    assert outcomes(fed) == [Outcome.SAVED, Outcome.ALREADY]
    assert fed.results[1].judgement == Judgement.objects.get()


def test_a_skipped_item_and_one_of_somebody_else_are_refused_and_the_rest_is_stored(
    batch, items, bob, dora
):
    skipped, good = held_by(batch, bob, 2)
    judgements.skip(assignment=skipped, reason="torn", by=bob)
    (other,) = held_by(batch, dora)

    fed = feed(batch, bob, sent_judgement(skipped), sent_judgement(other), sent_judgement(good))

    assert outcomes(fed) == [Outcome.SKIPPED, Outcome.REFUSED, Outcome.SAVED]
    assert list(Judgement.objects.values_list("assignment", flat=True)) == [good.pk]


def test_what_is_no_answer_is_refused_in_words_and_changes_nothing(batch, item, bob):
    (held,) = held_by(batch, bob)

    fed = feed(batch, bob, sent_judgement(held, label="maybe"))

    assert outcomes(fed) == [Outcome.REFUSED]
    assert "choose one of plausible" in fed.results[0].why
    assert places(item) == (2, 1, 1, 0)


def test_what_was_taken_back_is_not_stored_again_by_the_same_id(batch, item, bob):
    (held,) = held_by(batch, bob)
    stored = feed(batch, bob, sent_judgement(held)).results[0].judgement
    judgements.take_back(judgement=stored, by=bob, now=NOW)

    assert outcomes(feed(batch, bob, sent_judgement(held))) == [Outcome.TAKEN_BACK]
    assert outcomes(feed(batch, bob, sent_judgement(held, "c2"))) == [Outcome.SAVED]


def test_work_after_the_claims_time_counts_while_there_is_room_and_is_kept_as_late_otherwise(
    batch, items, bob, dora
):
    first, second = held_by(batch, bob, 2)
    late = after(601)
    claims.expire_lapsed(batch=batch, now=late)
    items[1].refresh_from_db()
    items[1].n_open, items[1].n_counted = 0, 2  # others took the places meanwhile
    items[1].save()

    fed = feed(batch, bob, sent_judgement(first, "a"), sent_judgement(second, "b"), now=late)

    assert outcomes(fed) == [Outcome.SAVED, Outcome.LATE]


@pytest.mark.parametrize("state", [BatchState.PAUSED, BatchState.CLOSED])
def test_what_is_held_is_stored_although_the_batch_hands_out_nothing_more(
    batch, items, bob, alice, state
):
    first, second = held_by(batch, bob, 2)
    end = batches.pause if state == BatchState.PAUSED else batches.close
    end(batch=batch, by=alice)

    fed = feed(batch, bob, sent_judgement(first), ahead={second.public_id}, n_more=3)

    assert outcomes(fed) == [Outcome.SAVED]
    assert fed.new == fed.handed_before == []


# The next items


def test_what_the_browser_has_is_not_sent_again_and_what_it_lost_is(batch, many_items, bob):
    first, second = held_by(batch, bob, 2)

    fed = feed(batch, bob, ahead={first.public_id}, n_more=2, now=after(1))

    assert fed.handed_before == [second]
    assert positions(fed.new) == [3, 4]


def test_no_more_is_held_than_the_batchs_depth(batch, many_items, bob):
    batch.prefetch_depth = 4
    batch.save()

    fed = feed(batch, bob, n_more=100)
    more = feed(batch, bob, ahead={each.public_id for each in fed.new}, n_more=100)

    assert len(fed.new) == 4
    assert more.new == more.handed_before == []


def test_nothing_wanted_is_nothing_claimed(batch, many_items, bob):
    fed = feed(batch, bob)

    assert fed.new == []
    assert not Assignment.objects.exists()


def test_who_works_alone_on_the_last_items_holds_the_one_on_the_screen_and_one_more(
    batch, items, bob
):
    assert batch.prefetch_depth == 5  # more than there are items

    fed = feed(batch, bob, n_more=5)

    assert positions(fed.new) == [1, 2]


def test_fewer_are_fetched_ahead_the_more_people_share_what_is_left(batch, many_items, bob, alice):
    others = [f"other-{n}" for n in range(8)]
    for name in others:
        feed(batch, member(batch.study, name, Role.ANNOTATOR, by=alice), n_more=1)

    fed = feed(batch, bob, n_more=5)

    assert len(fed.new) == 2  # 40 items, 9 people at a depth of 5


def test_a_deep_queue_takes_no_more_than_half_of_an_equal_share(batch, many_items, bob, alice):
    Batch.objects.update(prefetch_depth=40)
    feed(batch, member(batch.study, "dora", Role.ANNOTATOR, by=alice), n_more=1)

    fed = feed(batch, bob, n_more=40)

    assert len(fed.new) == 10  # of 40 items, for two people


def test_an_expired_claim_comes_again_before_new_items(batch, many_items, bob):
    (held,) = held_by(batch, bob)

    fed = feed(batch, bob, n_more=2, now=NOW + timedelta(hours=1))

    assert fed.handed_before == [held]
    assert positions(fed.new) == [2]
    assert Assignment.objects.get(pk=held.pk).state == AssignmentState.CLAIMED


def test_who_has_no_desk_in_the_study_is_refused(batch, item, alice):
    with pytest.raises(NotAllowedError):
        feed(batch, alice, n_more=1)


# How much the database is asked


def test_items_that_are_excluded_do_not_keep_a_batch_from_running_dry(
    batch, many_items, alice, bob
):
    for item in many_items[5:]:
        reviews.exclude(item=item, reason="confusing", by=alice)

    assert len(feed(batch, bob, n_more=5).new) == 2


def test_the_request_asks_as_often_after_a_long_day_in_a_large_batch(
    batch, bob, django_assert_max_num_queries
):
    for position in range(1, 161):
        ItemFactory(batch=batch, position=position)
    batch = Batch.objects.select_related("study", "guideline").get(pk=batch.pk)
    ahead = feed(batch, bob, n_more=5).new

    def judged() -> int:
        first, *rest = ahead
        with django_assert_max_num_queries(20) as asked:
            fed = feed(
                batch, bob, sent_judgement(first), ahead={each.public_id for each in rest}, n_more=1
            )
        ahead[:] = rest + fed.new
        return len(asked)

    early = judged()
    for _ in range(40):
        judged()

    assert judged() == early
