"""What is promised of claims: annotation/actions/claims.py."""

import pytest
from django.db import connection
from django.db.models.lookups import Exact, GreaterThan
from django.test.utils import CaptureQueriesContext

from accounts.actions import members
from accounts.models import Role, User
from accounts.permissions import NotAllowedError
from annotation.actions import batches, claims, judgements, reviews
from annotation.actions.claims import NothingToClaimError
from annotation.models import Assignment, AssignmentState, Batch, BatchState, Cursor, Grouping, Item
from annotation.models.items import ROUND
from tests.annotation.desk import (
    NOW,
    after,
    assert_counts_match,
    claim_one,
    judge,
    places,
    submit,
)
from tests.conftest import member
from tests.factories import BatchFactory, ItemFactory, UserFactory


def positions(assignments: list[Assignment]) -> list[int]:
    return [assignment.item.position for assignment in assignments]


def test_claim_hands_out_the_items_in_the_batchs_order(batch, bob):
    for position in (3, 1, 2):
        ItemFactory(batch=batch, position=position)

    claimed = claims.claim(batch=batch, by=bob, n=3, now=NOW)

    assert positions(claimed) == [1, 2, 3]


def test_claim_turns_an_open_place_into_a_claimed_one(batch, item, bob):
    assignment = claim_one(batch, bob)

    assert places(item) == (2, 1, 1, 0)
    assert (assignment.state, assignment.claimed_at) == (AssignmentState.CLAIMED, NOW)
    assert assignment.expires_at == after(batch.claim_seconds)


def test_claim_gives_the_same_item_again_within_the_claim(batch, items, bob):
    first = claim_one(batch, bob)

    again = claim_one(batch, bob, after(599))

    assert again == first
    assert again.expires_at == first.expires_at
    assert places(first.item) == (2, 1, 1, 0)


def test_claim_gives_what_is_held_first_and_new_items_after_it(batch, items, bob):
    held = claim_one(batch, bob)

    claimed = claims.claim(batch=batch, by=bob, n=2, now=after(1))

    assert claimed[0] == held
    assert positions(claimed) == [1, 2]


def test_held_items_come_in_the_order_in_which_they_were_claimed(batch, items, bob):
    assignments = [claims.claim(batch=batch, by=bob, n=n, now=after(n))[-1] for n in (1, 2, 3)]

    assert claims.claim(batch=batch, by=bob, n=3, now=after(9)) == assignments


def test_claim_never_hands_out_more_than_asked_for(batch, items, bob):
    assert len(claims.claim(batch=batch, by=bob, n=2, now=NOW)) == 2
    assert len(claims.claim(batch=batch, by=bob, n=1, now=NOW)) == 1


def test_an_item_goes_to_as_many_people_as_it_has_places(study, batch, items, alice, bob, dora):
    eve = member(study, "eve", Role.ANNOTATOR, by=alice)

    handed = [claim_one(batch, person).item.position for person in (bob, dora, eve)]

    assert handed == [1, 1, 2]


def test_nobody_is_handed_an_item_twice(batch, items, bob):
    handed = [judge(batch, bob).assignment.item.position for _ in items]

    assert handed == [1, 2, 3]
    assert claims.claim(batch=batch, by=bob, now=NOW) == []


def test_a_skipped_item_is_not_handed_to_the_same_person_again(batch, item, bob):
    judgements.skip(assignment=claim_one(batch, bob), reason="unclear", by=bob)

    assert claims.claim(batch=batch, by=bob, now=NOW) == []


def test_claim_gives_an_empty_list_when_all_places_are_taken(batch, item, study, alice, bob, dora):
    judge(batch, bob)
    judge(batch, dora)
    eve = member(study, "eve", Role.ANNOTATOR, by=alice)

    assert claims.claim(batch=batch, by=eve, now=NOW) == []


def test_claim_begins_behind_what_was_handed_out_and_then_from_the_start_again(
    batch, items, alice, bob
):
    items[0].n_open = 0
    items[0].save(update_fields=["n_open"])
    assert claim_one(batch, bob).item == items[1]
    reviews.ask_again(item=items[0], by=alice)

    assert positions(claims.claim(batch=batch, by=bob, n=3, now=NOW)) == [2, 3, 1]


@pytest.fixture
def fewest_first(batch, items) -> Batch:
    Batch.objects.update(grouping=Grouping.FEWEST)
    return Batch.objects.select_related("study").get(pk=batch.pk)


def handed(batch: Batch, *people: User) -> list[int]:
    return [claim_one(batch, person).item.position for person in people]


def test_with_the_fewest_first_every_item_is_taken_once_before_any_again(
    fewest_first, alice, bob, dora, study
):
    eve = member(study, "eve", Role.ANNOTATOR, by=alice)

    given = [judge(fewest_first, person) for person in (bob, dora, bob, eve, dora, eve)]

    assert [each.assignment.item.position for each in given] == [1, 2, 3, 1, 3, 2]


def test_with_the_fewest_first_a_place_that_comes_free_is_found_at_the_end(fewest_first, bob, dora):
    assert handed(fewest_first, bob) == [1]
    for _ in range(2):
        judge(fewest_first, dora)  # 2 and 3
    lapsed = Assignment.objects.get(annotator=bob)  # it has one place less until then
    claims.expire_lapsed(batch=fewest_first, now=after(601))

    again = claim_one(fewest_first, dora, after(601))

    assert (again.item_id, again.item.position) == (lapsed.item_id, 1)


def test_with_the_fewest_first_several_at_once_are_in_that_order(fewest_first, bob, dora):
    judge(fewest_first, dora)

    assert positions(claims.claim(batch=fewest_first, by=bob, n=3, now=NOW)) == [2, 3, 1]
    assert Cursor.objects.get(annotator=bob).round == 1


@pytest.mark.skipif(connection.vendor != "sqlite", reason="PostgreSQL goes by what tables hold")
def test_with_the_fewest_first_the_next_item_is_found_by_the_index_of_rounds(batch, items, bob):
    unseen = Item.objects.open_for(bob.pk).filter(batch=batch)
    ahead = unseen.filter(GreaterThan(ROUND, 1)).order_by(ROUND, "position")
    for asked in (unseen.filter(Exact(ROUND, 1), position__gt=1)[:1], ahead[:1]):
        assert "INDEX annotation_item_round (batch_id=? AND <expr>" in asked.explain()
        assert "TEMP B-TREE" not in asked.explain()


def test_a_control_item_is_not_handed_out(batch, bob):
    ItemFactory(batch=batch, n_wanted=None, n_open=0)

    assert claims.claim(batch=batch, by=bob, now=NOW) == []


def test_items_of_another_batch_are_not_handed_out(study, batch, item, bob):
    other = BatchFactory(pool__dataset__study=study)

    assert claims.claim(batch=other, by=bob, now=NOW) == []
    assert places(item) == (2, 2, 0, 0)


# Excluded items


def test_an_excluded_item_is_handed_to_nobody_until_it_is_readmitted(batch, items, alice, bob):
    reviews.exclude(item=items[0], reason="confusing", by=alice)

    assert positions(claims.claim(batch=batch, by=bob, n=3, now=NOW)) == [2, 3]
    assert places(items[0]) == (2, 2, 0, 0)

    reviews.readmit(item=items[0], reason="it is not", by=alice)

    assert positions(claims.claim(batch=batch, by=bob, n=3, now=NOW)) == [2, 3, 1]


def test_who_held_an_item_when_it_was_excluded_may_submit_it(batch, items, alice, bob, dora):
    held = claim_one(batch, bob)
    reviews.exclude(item=items[0], reason="confusing", by=alice)

    assert claim_one(batch, bob, after(1)) == held
    assert not submit(held).is_surplus
    assert places(items[0]) == (2, 1, 0, 1)
    assert claim_one(batch, dora).item == items[1]


def test_a_place_that_comes_free_while_the_item_is_excluded_waits_too(
    study, batch, items, alice, bob, dora
):
    held = claim_one(batch, bob)
    submit(claim_one(batch, dora))
    reviews.exclude(item=items[0], reason="confusing", by=alice)
    judgements.skip(assignment=held, reason="", by=bob)
    eve = member(study, "eve", Role.ANNOTATOR, by=alice)

    assert claim_one(batch, eve).item == items[1]
    reviews.readmit(item=items[0], reason="it is not", by=alice)

    assert positions(claims.claim(batch=batch, by=eve, n=3, now=NOW)) == [2, 3, 1]


def test_an_expired_claim_on_an_excluded_item_comes_back_once_it_is_readmitted(
    batch, items, alice, bob
):
    lapsed = claim_one(batch, bob)
    reviews.exclude(item=items[0], reason="confusing", by=alice)

    assert claim_one(batch, bob, after(601)).item == items[1]
    reviews.readmit(item=items[0], reason="it is not", by=alice)

    assert lapsed in claims.claim(batch=batch, by=bob, n=2, now=after(602))


def test_a_late_submission_of_an_excluded_item_counts_while_it_has_a_place(
    batch, items, alice, bob
):
    lapsed = claim_one(batch, bob)
    claims.expire_lapsed(batch=batch, now=after(601))
    reviews.exclude(item=items[0], reason="confusing", by=alice)

    assert not submit(lapsed, now=after(602)).is_surplus
    assert places(items[0]) == (2, 1, 0, 1)


# What becomes of a claim that is past its time


def test_a_claim_holds_its_place_up_to_its_last_moment(batch, item, bob, dora):
    assignment = claim_one(batch, bob)

    claim_one(batch, dora, assignment.expires_at)

    assert places(item) == (2, 0, 2, 0)


@pytest.mark.parametrize("hours", [1, 3, 24 * 365])
def test_a_claim_that_was_made_while_a_clock_was_ahead_is_not_held_until_then(
    hours, batch, item, bob, dora
):
    ahead = claim_one(batch, bob, after(hours * 3600))

    claims.expire_lapsed(batch=batch, now=NOW)

    ahead.refresh_from_db()
    assert ahead.state == AssignmentState.EXPIRED
    assert claim_one(batch, dora).item == item
    assert_counts_match(batch)


def test_web_servers_whose_clocks_differ_by_minutes_leave_each_others_claims_alone(
    batch, item, bob
):
    ahead = claim_one(batch, bob, after(29 * 60))

    claims.expire_lapsed(batch=batch, now=NOW)

    ahead.refresh_from_db()
    assert ahead.state == AssignmentState.CLAIMED


def test_a_lapsed_claim_gives_its_place_to_who_asks_next(study, batch, item, alice, bob, dora):
    lapsed = claim_one(batch, bob)
    claim_one(batch, dora, after(500))
    eve = member(study, "eve", Role.ANNOTATOR, by=alice)

    assert claim_one(batch, eve, after(601)).item == item

    lapsed.refresh_from_db()
    assert lapsed.state == AssignmentState.EXPIRED
    assert places(item) == (2, 0, 2, 0)


def test_an_expired_claim_comes_back_to_its_owner_before_new_items(batch, items, bob):
    lapsed = claim_one(batch, bob)

    again = claim_one(batch, bob, after(601))

    assert (again.pk, again.state) == (lapsed.pk, AssignmentState.CLAIMED)
    assert again.expires_at == after(601 + batch.claim_seconds)
    assert_counts_match(batch)


def test_an_expired_claim_does_not_come_back_when_others_took_the_places(
    study, batch, items, alice, bob, dora
):
    lapsed = claim_one(batch, bob)
    eve = member(study, "eve", Role.ANNOTATOR, by=alice)
    claim_one(batch, dora, after(601))
    claim_one(batch, eve, after(601))

    assert claim_one(batch, bob, after(602)).item == items[1]

    lapsed.refresh_from_db()
    assert lapsed.state == AssignmentState.EXPIRED


def test_an_expired_claim_comes_back_once_a_place_is_free_again(
    study, batch, item, alice, bob, dora
):
    lapsed = claim_one(batch, bob)
    eve = member(study, "eve", Role.ANNOTATOR, by=alice)
    claim_one(batch, dora, after(601))
    held = claim_one(batch, eve, after(601))
    assert claims.claim(batch=batch, by=bob, now=after(602)) == []

    judgements.skip(assignment=held, reason="", by=eve)

    assert claim_one(batch, bob, after(603)) == lapsed


def test_expired_claims_that_have_no_room_do_not_stand_in_the_way_of_those_that_have(
    study, batch, items, alice, bob, dora
):
    claims.claim(batch=batch, by=bob, n=2, now=NOW)
    for person in (dora, member(study, "eve", Role.ANNOTATOR, by=alice)):
        claim_one(batch, person, after(601))

    assert claim_one(batch, bob, after(602)).item == items[1]


def test_expire_lapsed_counts_what_it_gave_back_in_this_batch_only(study, batch, items, bob):
    other = BatchFactory(pool__dataset__study=study, claim_seconds=600)
    ItemFactory(batch=other)
    kept = claim_one(other, bob)
    claims.claim(batch=batch, by=bob, n=2, now=NOW)

    assert claims.expire_lapsed(batch=batch, now=after(601)) == 2
    assert claims.expire_lapsed(batch=batch, now=after(601)) == 0

    kept.refresh_from_db()
    assert kept.state == AssignmentState.CLAIMED
    assert_counts_match(batch)


def test_expire_all_gives_back_claims_that_are_still_within_their_time(batch, items, bob):
    claims.claim(batch=batch, by=bob, n=3, now=NOW)

    assert claims.expire_all(batch=batch) == 3

    assert [places(item) for item in items] == [(2, 2, 0, 0)] * 3


# Who gets nothing, and when


@pytest.mark.parametrize("role", [Role.REQUESTER, Role.ADJUDICATOR])
def test_who_requests_or_adjudicates_in_the_study_gets_no_desk_there(
    study, batch, item, alice, role
):
    both = member(study, "both", Role.ANNOTATOR, role, by=alice)

    with pytest.raises(NotAllowedError, match="gets no desk"):
        claims.claim(batch=batch, by=both, now=NOW)

    assert places(item) == (2, 2, 0, 0)


def test_a_role_in_another_study_takes_no_desk_away(batch, item, bob):
    elsewhere = BatchFactory().study
    members.add(study=elsewhere, user=bob, roles=[Role.REQUESTER], by=elsewhere.created_by)

    assert claim_one(batch, bob).item == item


def test_who_is_not_in_the_study_gets_nothing(batch, item, mallory):
    with pytest.raises(NotAllowedError, match="mallory is not annotator"):
        claims.claim(batch=batch, by=mallory, now=NOW)


def set_state(batch: Batch, state: BatchState, by: User) -> None:
    batch.state = state
    if state == BatchState.CLOSED:
        batch.closed_at, batch.closed_by = NOW, by
    batch.save()


@pytest.mark.parametrize("state", [BatchState.DRAFT, BatchState.PAUSED, BatchState.CLOSED])
def test_a_batch_that_is_not_open_hands_out_nothing(batch, item, alice, bob, state):
    set_state(batch, state, alice)

    with pytest.raises(NothingToClaimError, match=f"is {state.value}"):
        claims.claim(batch=batch, by=bob, now=NOW)


@pytest.mark.parametrize("state", [BatchState.PAUSED, BatchState.CLOSED])
@pytest.mark.parametrize("n", [1, 2, 5])
def test_what_is_held_stays_at_hand_when_the_batch_hands_out_nothing(
    batch, items, alice, bob, state, n
):
    held = claim_one(batch, bob)
    set_state(batch, state, alice)

    assert claims.claim(batch=batch, by=bob, n=n, now=after(1)) == [held]


def test_an_expired_claim_does_not_come_back_in_a_closed_batch(batch, item, alice, bob):
    claim_one(batch, bob)
    batches.close(batch=batch, by=alice)

    with pytest.raises(NothingToClaimError, match="closed"):
        claims.claim(batch=batch, by=bob, now=after(601))


def test_the_batchs_state_is_read_when_it_is_claimed_from(batch, item, alice, bob):
    batches.pause(batch=Batch.objects.get(pk=batch.pk), by=alice)
    assert batch.state == BatchState.OPEN

    with pytest.raises(NothingToClaimError, match="paused"):
        claims.claim(batch=batch, by=bob, now=NOW)


def test_nothing_is_handed_out_from_the_deadline_on(batch, items, bob):
    batch.deadline_at = after(60)
    batch.save()
    held = claim_one(batch, bob, after(59.999))

    assert claims.claim(batch=batch, by=bob, n=2, now=after(60)) == [held]
    submit(held, now=after(60))
    with pytest.raises(NothingToClaimError, match="deadline"):
        claims.claim(batch=batch, by=bob, now=after(60))


def test_a_rehearsed_batch_hands_out_nothing_to_people(batch, item, bob):
    batch.is_rehearsal = True
    batch.save()

    with pytest.raises(NothingToClaimError, match="is a rehearsal"):
        claims.claim(batch=batch, by=bob, now=NOW)


def test_a_real_batch_hands_out_nothing_to_simulated_people(study, batch, item, alice):
    robot = UserFactory(is_simulated=True)
    members.add(study=study, user=robot, roles=[Role.ANNOTATOR], by=alice)

    with pytest.raises(NothingToClaimError, match="is simulated"):
        claims.claim(batch=batch, by=robot, now=NOW)


def test_nobody_gets_more_than_the_largest_share(batch, items, bob, dora):
    batch.most_per_person = 2
    batch.save()

    assert positions(claims.claim(batch=batch, by=bob, n=3, now=NOW)) == [1, 2]
    for assignment in claims.claim(batch=batch, by=bob, n=3, now=NOW):
        submit(assignment)
    assert claims.claim(batch=batch, by=bob, now=NOW) == []
    assert positions(claims.claim(batch=batch, by=dora, n=1, now=NOW)) == [1]


def test_a_skipped_item_counts_towards_the_largest_share(batch, items, bob):
    batch.most_per_person = 1
    batch.save()
    judgements.skip(assignment=claim_one(batch, bob), reason="", by=bob)

    assert claims.claim(batch=batch, by=bob, now=NOW) == []


def test_an_expired_claim_comes_back_within_the_largest_share(batch, items, bob):
    batch.most_per_person = 1
    batch.save()
    lapsed = claim_one(batch, bob)

    assert claim_one(batch, bob, after(601)) == lapsed


# How much the database is asked


@pytest.mark.skipif(connection.vendor != "sqlite", reason="PostgreSQL goes by what tables hold")
def test_the_next_item_is_found_by_the_index_of_what_may_be_claimed(batch, items, bob):
    unseen = Item.objects.open_for(bob.pk).filter(batch=batch)
    for asked in (unseen.filter(position__gt=1)[:1], unseen[:1]):
        assert "INDEX annotation_item_open" in asked.explain()


def n_queries_of_a_claim(batch: Batch, by: User) -> int:
    batch = Batch.objects.select_related("study").get(pk=batch.pk)
    with CaptureQueriesContext(
        connection,
    ) as asked:
        claim_one(batch, by)
    return len(asked)


def test_a_claim_asks_as_much_after_a_long_day_in_a_large_batch(batch, items, bob, dora):
    judge(batch, bob)
    claim_one(batch, dora)
    at_first = n_queries_of_a_claim(batch, bob)
    for position in range(4, 60):
        ItemFactory(batch=batch, position=position)
    for _ in range(40):
        judge(batch, bob)

    assert n_queries_of_a_claim(batch, bob) == at_first


def test_a_claim_asks_a_dozen_times(batch, items, bob, django_assert_num_queries):
    judge(batch, bob)
    batch = Batch.objects.select_related("study").get(pk=batch.pk)

    # A savepoint and its release; roles, lapsed claims, the cursor, what is held, what expired,
    # an item, the batch; the item's places, the cursor, the assignment.
    with django_assert_num_queries(12):
        claim_one(batch, bob)


def test_what_is_held_is_found_with_fewer_questions(batch, items, bob, django_assert_num_queries):
    claim_one(batch, bob)
    batch = Batch.objects.select_related("study").get(pk=batch.pk)

    with django_assert_num_queries(6):
        claim_one(batch, bob)
