"""The protocol of locks, step by step: what must happen when one act falls into the midst of another.

SQLite has one writer at a time, so that nothing can fall between the steps of an act; there these tests
have nothing to show. tests/annotation/test_races.py runs on both databases.
"""

import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

import pytest
from django.db import connection, transaction
from django.utils import timezone

from accounts.actions.locks import lock_study
from accounts.models import User
from annotation.actions import (
    batches,
    judgements,
    open_batches,
    rehearsals,
    repeats,
    returned_drafts,
    reviews,
    settlement,
    verdicts,
)
from annotation.actions import (
    claims as claim_actions,
)
from annotation.actions.claims import NothingToClaimError
from annotation.actions.judgements import NotEditableError
from annotation.actions.rehearsals import RehearsalError
from annotation.actions.returned_drafts import HeldItemsError
from annotation.models import Assignment, Batch, BatchState, Cursor, Item
from annotation.review_decisions import ReviewError
from tests.annotation.batches_with_repeats import repeating_batch
from tests.annotation.desk import (
    NOW,
    after,
    assert_counts_match,
    claim_one,
    judge,
    places,
    submit,
)
from tests.annotation.pools import launched, pool_of

pytestmark = [pytest.mark.database, pytest.mark.django_db(transaction=True)]


@pytest.fixture(autouse=True)
def _many_writers(transactional_db):
    if connection.vendor == "sqlite":
        pytest.skip("SQLite has one writer at a time")


@pytest.fixture
def start_in_connection() -> Iterator[Callable[..., Future]]:
    """Starts an act in a connection of its own."""

    def act(action: Callable[..., Any], **arguments: Any) -> Any:
        try:
            return action(**arguments)
        finally:
            connection.close()

    with ThreadPoolExecutor() as pool:
        yield lambda action, **arguments: pool.submit(act, action, **arguments)


def until_it_is_done_or_waits(act: Future) -> None:
    """Until the act elsewhere is over or waits for a lock that this connection holds."""
    give_up_at = time.monotonic() + 10
    while not act.done() and time.monotonic() < give_up_at:
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_stat_clear_snapshot()")
            cursor.execute(
                "SELECT count(*) FROM pg_stat_activity"
                " WHERE datname = current_database() AND wait_event_type = 'Lock'"
            )
            if cursor.fetchone()[0]:
                return
        time.sleep(0.01)


@contextmanager
def before_the_first(statement: tuple[str, ...], act: Callable[[], object]) -> Iterator[None]:
    """Let something happen right before this connection's first statement that has all these words."""
    waiting = [act]

    def look(execute, sql, params, many, context):
        if waiting and all(words in sql for words in statement):
            waiting.pop()()
        return execute(sql, params, many, context)

    with connection.execute_wrapper(look):
        yield
    assert not waiting, f"no statement had {statement}"


LOCK_OF_ITEMS = ('FROM "annotation_item"', "FOR NO KEY UPDATE")
LOCK_OF_OWN_CLAIMS = ('FROM "annotation_assignment"', "FOR UPDATE")


def settle(batch: Batch) -> settlement.Settlement:
    return settlement.settle(batch=batch, rule="majority", by=batch.created_by, expire_claims=True)


def test_who_asks_again_in_a_closed_batch_does_not_wait_for_the_study(study, start_in_connection):
    """Others lock the study and then the batch, which whoever asks again holds."""
    batch = launched(pool_of(study))
    batches.close(batch=batch, by=batch.created_by)
    item = Item.objects.filter(batch=batch).first()
    with transaction.atomic():
        lock_study(study)
        asked = start_in_connection(reviews.ask_again, item=item, by=batch.created_by)
        asked.result(timeout=30)

    assert Batch.objects.get(pk=batch.pk).state == BatchState.OPEN


# Back to a draft


def test_a_batch_becomes_a_draft_while_somebody_claims_without_a_deadlock(
    study, bob, start_in_connection
):
    batch = launched(pool_of(study))
    Cursor.objects.create(batch=batch, annotator=bob)
    with transaction.atomic():
        claim_actions.locked_cursor(batch, bob)
        returned = start_in_connection(
            returned_drafts.return_to_draft, batch=batch, by=batch.created_by
        )
        until_it_is_done_or_waits(returned)
        claim_actions.claim(batch=batch, by=bob)

    with pytest.raises(HeldItemsError):
        returned.result()
    assert Batch.objects.get(pk=batch.pk).state == BatchState.OPEN


def test_several_changes_of_a_batch_wait_for_the_study_before_they_hold_the_batch(
    study, start_in_connection
):
    batch = launched(pool_of(study))
    wanted = {"guideline": "Be *kind*.", "name": "second"}
    with transaction.atomic():
        lock_study(study)
        changed = start_in_connection(
            open_batches.change, batch=batch, by=batch.created_by, **wanted
        )
        until_it_is_done_or_waits(changed)
        batches.pause(batch=batch, by=batch.created_by)

    assert changed.result().name == "second"


# Who finds nothing


def test_who_would_find_nothing_waits_for_an_item_that_is_held_this_moment(
    batch, item, bob, dora, start_in_connection
):
    with transaction.atomic():
        claim_one(batch, bob)
        claims = start_in_connection(claim_actions.claim, batch=batch, by=dora, now=NOW)
        until_it_is_done_or_waits(claims)

    assert [assignment.item for assignment in claims.result()] == [item]


def test_who_finds_another_item_does_not_wait(batch, items, bob, dora, start_in_connection):
    with transaction.atomic():
        claim_one(batch, bob)
        claims = start_in_connection(claim_actions.claim, batch=batch, by=dora, now=NOW).result(
            timeout=10
        )

    assert [assignment.item for assignment in claims] == [items[1]]


def test_who_waits_for_an_item_that_is_then_full_gets_nothing(
    study, batch, item, alice, bob, dora, start_in_connection
):
    Item.objects.update(n_wanted=1, n_open=1)
    with transaction.atomic():
        claim_one(batch, bob)
        claims = start_in_connection(claim_actions.claim, batch=batch, by=dora, now=NOW)
        until_it_is_done_or_waits(claims)

    assert claims.result() == []


# A claim in the midst of something else


@pytest.mark.parametrize("step", [LOCK_OF_ITEMS, LOCK_OF_OWN_CLAIMS], ids=["new", "expired"])
def test_a_claim_that_a_settling_overtakes_is_refused(
    batch, item, alice, bob, start_in_connection, step
):
    if step == LOCK_OF_OWN_CLAIMS:
        claim_one(batch, bob)
        claim_actions.expire_all(batch=batch)

    def close_and_settle() -> None:
        batches.close(batch=batch, by=alice)
        settle(batch)

    overtaken = before_the_first(
        step, lambda: start_in_connection(close_and_settle).result(timeout=10)
    )
    with overtaken, pytest.raises(NothingToClaimError, match="closed"):
        claim_actions.claim(batch=batch, by=bob, now=after(1))

    assert not Assignment.objects.claimed().exists()
    assert settle(batch).n_new == 0


def rehearse(batch: Batch) -> rehearsals.RehearsalCounts:
    return rehearsals.rehearse(
        batch=batch, n_annotators=2, accuracy=0.9, seed=1, by=batch.created_by
    )


def test_a_claim_that_a_rehearsal_overtakes_is_refused(study, bob, start_in_connection):
    # Nobody may take more than half of the items, so that the rehearsal leaves room.
    batch = launched(pool_of(study), largest_share=0.5)

    overtaken = before_the_first(
        LOCK_OF_ITEMS, lambda: start_in_connection(rehearse, batch=batch).result(timeout=10)
    )
    with overtaken, pytest.raises(NothingToClaimError, match="is a rehearsal"):
        claim_actions.claim(batch=batch, by=bob, now=NOW)

    assert not Assignment.objects.filter(annotator=bob).exists()


def test_a_rehearsal_waits_for_a_claim_under_way_and_then_refuses(study, bob, start_in_connection):
    batch = launched(pool_of(study))
    with transaction.atomic():
        claim_one(batch, bob)
        rehearsal = start_in_connection(rehearse, batch=batch)
        until_it_is_done_or_waits(rehearsal)

    with pytest.raises(RehearsalError, match="has been worked on"):
        rehearsal.result()

    assert Assignment.objects.get().annotator == bob


def test_a_first_rehearsal_waits_for_another_one_and_takes_its_people(study, start_in_connection):
    one, two = (launched(pool_of(study), name=name) for name in ("one", "two"))
    with transaction.atomic():
        rehearse(one)
        there = start_in_connection(rehearse, batch=two)
        until_it_is_done_or_waits(there)

    assert there.result().n_judgements == 12
    assert User.objects.filter(is_simulated=True).count() == 2


def test_what_is_submitted_while_it_is_claimed_again_at_another_desk_counts_once(
    batch, item, bob, start_in_connection
):
    held = claim_one(batch, bob)
    claim_actions.expire_all(batch=batch)
    submissions = []

    def submit_there() -> None:
        submissions.append(start_in_connection(submit, assignment=held, now=after(1)))
        until_it_is_done_or_waits(submissions[0])

    with before_the_first(LOCK_OF_ITEMS, submit_there):
        claim_actions.claim(batch=batch, by=bob, now=after(1))

    assert not submissions[0].result().is_surplus
    assert places(item) == (2, 1, 0, 1)
    assert_counts_match(batch)


def test_the_first_repeat_of_an_item_is_made_while_another_act_holds_the_item(
    study, alice, start_in_connection
):
    """Who makes it holds locks on other items, for which that act may be waiting."""
    batch = repeating_batch(study, alice, n=2)
    original, beside = Item.objects.filter(batch=batch)
    with transaction.atomic():
        Item.objects.locked().get(pk=original.pk)
        made = start_in_connection(repeats.repeats_of, originals=[original.pk], beside=beside)

        assert made.result(timeout=10).keys() == {original.pk}


# Expiry, which waits for nobody who may be waiting for it


def test_a_lapsed_claim_whose_item_is_locked_is_given_back_another_time(
    batch, item, bob, dora, start_in_connection
):
    claim_one(batch, bob)
    late = after(batch.claim_seconds + 1)
    with transaction.atomic():
        Item.objects.locked().get(pk=item.pk)
        expiry = start_in_connection(claim_actions.expire_lapsed, batch=batch, now=late)
        assert expiry.result(timeout=10) == 0

    assert claim_actions.expire_lapsed(batch=batch, now=late) == 1
    assert places(item) == (2, 2, 0, 0)


def test_an_own_expired_claim_whose_item_is_locked_is_passed_over_for_a_new_one(
    batch, items, bob, start_in_connection
):
    claim_one(batch, bob)
    claim_actions.expire_all(batch=batch)
    with transaction.atomic():
        Item.objects.locked().get(pk=items[0].pk)
        claims = start_in_connection(claim_actions.claim, batch=batch, by=bob, now=after(1)).result(
            timeout=10
        )

    assert [assignment.item for assignment in claims] == [items[1]]
    assert_counts_match(batch)


# Settling in the midst of something else


def test_settling_waits_for_a_submission_under_way_and_counts_it(
    batch, item, alice, bob, dora, start_in_connection
):
    judge(batch, dora)
    held = claim_one(batch, bob, timezone.now())
    batches.close(batch=batch, by=alice)
    settlings = []

    def settle_there() -> None:
        settlings.append(start_in_connection(settle, batch=batch))
        until_it_is_done_or_waits(settlings[0])

    with before_the_first(LOCK_OF_ITEMS, settle_there):
        judgement = submit(held, now=timezone.now())

    assert settlings[0].result().n_decided == 1
    assert not judgement.is_surplus
    assert verdicts.current_verdict(item).votes == {"plausible": 2}


def test_a_submission_that_comes_during_settling_is_surplus(
    batch, item, alice, bob, dora, start_in_connection
):
    judge(batch, dora)
    held = claim_one(batch, bob)
    batches.close(batch=batch, by=alice)
    with transaction.atomic():
        settle(batch)
        submission_there = start_in_connection(submit, assignment=held, now=after(1))
        until_it_is_done_or_waits(submission_there)

    assert submission_there.result().is_surplus
    assert verdicts.current_verdict(item).votes == {"plausible": 1}


def test_asking_again_waits_for_a_settling_under_way_and_then_reopens(
    batch, item, alice, start_in_connection
):
    batches.close(batch=batch, by=alice)
    asked = []

    def ask_there() -> None:
        asked.append(start_in_connection(reviews.ask_again, item=item, by=alice))
        until_it_is_done_or_waits(asked[0])

    with before_the_first(LOCK_OF_ITEMS, ask_there):
        settled = settle(batch)

    assert settled.n_new == 1
    assert asked[0].result().n_open == 3
    batch.refresh_from_db()
    assert batch.state == BatchState.OPEN


def test_asking_again_waits_for_a_batch_that_is_being_closed_and_reopens_it(
    batch, item, alice, start_in_connection
):
    with transaction.atomic():
        batches.close(batch=batch, by=alice)
        asked = start_in_connection(reviews.ask_again, item=item, by=alice)
        until_it_is_done_or_waits(asked)

    asked.result()
    batch.refresh_from_db()
    assert batch.state == BatchState.OPEN


def test_a_review_that_asks_again_waits_for_a_settling_under_way_and_then_reopens(
    batch, item, alice, bob, start_in_connection
):
    judgement = judge(batch, bob)
    batches.close(batch=batch, by=alice)
    decided = {"is_paid": True, "is_counted": False, "paid_reason": "r", "counted_reason": "r"}
    asked = []

    def ask_there() -> None:
        asked.append(
            start_in_connection(
                reviews.review, judgement=judgement, by=alice, ask_again=True, **decided
            )
        )
        until_it_is_done_or_waits(asked[0])

    with before_the_first(LOCK_OF_ITEMS, ask_there):
        settle(batch)

    asked[0].result()
    batch.refresh_from_db()
    assert batch.state == BatchState.OPEN
    assert places(item) == (2, 2, 0, 0)


# Decisions at the same time


@pytest.fixture
def disputed(batch, item, alice, bob, dora) -> Item:
    judge(batch, bob, "plausible")
    judge(batch, dora, "malformed")
    batches.close(batch=batch, by=alice)
    settle(batch)
    return item


def test_a_dispute_that_is_adjudicated_meanwhile_is_not_set_aside(
    batch, disputed, alice, carol, start_in_connection
):
    with transaction.atomic():
        decided = reviews.adjudicate(item=disputed, label="malformed", reason="because", by=carol)
        given_up = start_in_connection(settlement.set_aside_disputes, batch=batch, by=alice)
        until_it_is_done_or_waits(given_up)

    assert given_up.result() == 0
    assert verdicts.current_verdict(disputed) == decided


def test_of_two_adjudications_the_second_replaces_the_first(disputed, carol, start_in_connection):
    with transaction.atomic():
        first = reviews.adjudicate(item=disputed, label="malformed", reason="because", by=carol)
        there = start_in_connection(
            reviews.adjudicate, item=disputed, label="plausible", reason="because", by=carol
        )
        until_it_is_done_or_waits(there)

    assert there.result().replaces == first


def test_nothing_is_adjudicated_in_a_batch_that_is_reopened_meanwhile(
    disputed, alice, carol, start_in_connection
):
    with transaction.atomic():
        reviews.ask_again(item=disputed, by=alice)
        there = start_in_connection(
            reviews.adjudicate, item=disputed, label="plausible", reason="because", by=carol
        )
        until_it_is_done_or_waits(there)

    with pytest.raises(ReviewError, match="close it first"):
        there.result()


def test_a_judgement_that_is_reviewed_meanwhile_is_not_taken_back(
    batch, item, alice, bob, start_in_connection
):
    judgement = judge(batch, bob)
    with transaction.atomic():
        reviews.review(
            judgement=judgement,
            is_paid=True,
            paid_reason="because",
            is_counted=False,
            counted_reason="because",
            by=alice,
        )
        there = start_in_connection(judgements.take_back, judgement=judgement, by=bob, now=NOW)
        until_it_is_done_or_waits(there)

    with pytest.raises(NotEditableError, match="reviewed"):
        there.result()

    assert places(item) == (2, 1, 0, 0)
    assert_counts_match(batch)
