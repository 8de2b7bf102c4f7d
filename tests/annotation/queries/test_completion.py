"""Whether people can finish a batch, and why not: annotation/queries/completion.py."""

import pytest

from accounts.actions import members
from accounts.models import Role, User
from annotation.actions import batches, claims, judgements, pauses, reviews
from annotation.models import AssignmentState, Batch, BatchState
from annotation.queries import completion
from annotation.queries.completion import Shortfall
from tests.annotation.desk import NOW, after, claim_one, judge
from tests.conftest import member
from tests.factories import BatchFactory, ItemFactory

# bob and dora have a desk, alice is the requester and carol an adjudicator.


@pytest.fixture
def people(bob, dora):
    return bob, dora


def set_share(batch, most):
    Batch.objects.filter(pk=batch.pk).update(most_per_person=most, largest_share=0.5)
    batch.refresh_from_db()


def reasons(found: Shortfall | None):
    return found and (found.n_left, found.by_share, found.by_pause, found.by_skip, found.by_few)


def test_two_people_can_give_two_judgements_of_each_item(batch, items, people):
    assert completion.shortfall(batch) is None


def test_a_share_that_is_too_small_leaves_judgements_that_nobody_can_give(batch, items, people):
    set_share(batch, 2)

    found = completion.shortfall(batch)

    assert reasons(found) == (6, 2, 0, 0, 0)
    assert (found.n_missing, found.is_complete, found.n_annotators) == (2, False, 2)


def test_once_everybody_has_had_their_share_nobody_can_take_anything(batch, items, people):
    set_share(batch, 2)
    for who in people * 2:
        judge(batch, who)

    found = completion.shortfall(batch)

    assert reasons(found) == (2, 2, 0, 0, 0)
    assert found.is_complete


def test_who_is_paused_gives_nothing(batch, items, people, alice):
    pauses.pause(batch=batch, annotator=people[0], reason="too fast", by=alice)

    assert reasons(completion.shortfall(batch)) == (6, 0, 3, 0, 0)


def test_who_skipped_an_item_does_not_get_it_again(batch, items, people):
    held = claim_one(batch, people[0])
    judgements.skip(assignment=held, reason="I cannot read it", by=people[0])

    assert reasons(completion.shortfall(batch)) == (6, 0, 0, 1, 0)


def test_one_annotator_is_too_few_and_the_organisers_do_not_count(
    batch, items, study, people, alice
):
    dora = study.memberships.get(user__username="dora")
    members.change_roles(membership=dora, roles=[Role.ADJUDICATOR], by=alice)

    found = completion.shortfall(batch)

    assert reasons(found) == (6, 0, 0, 0, 3)
    assert found.n_annotators == 1


def test_who_is_deactivated_or_adjudicates_has_no_desk(batch, items, people, study, alice):
    User.objects.filter(pk=people[0].pk).update(is_active=False)
    members.add(study=study, user=people[1], roles=[Role.ADJUDICATOR], by=alice)

    found = completion.shortfall(batch)

    assert (found.n_annotators, found.is_complete) == (0, True)


def test_what_somebody_holds_is_to_come_unless_they_have_no_desk_any_more(batch, item, people):
    claim_one(batch, people[0])
    claim_one(batch, people[1])
    assert completion.shortfall(batch) is None

    User.objects.filter(pk=people[0].pk).update(is_active=False)

    assert reasons(completion.shortfall(batch)) == (1, 0, 0, 0, 1)


def test_an_expired_claim_goes_back_to_its_owner_whatever_share_they_had(batch, item, people):
    set_share(batch, 1)
    held = claim_one(batch, people[0])
    claims.expire_lapsed(batch=batch, now=after(601))
    held.refresh_from_db()
    assert held.state == AssignmentState.EXPIRED

    assert completion.shortfall(batch) is None

    (again,) = claims.claim(batch=batch, by=people[0], now=after(602))
    assert again == held


def test_an_excluded_item_wants_nothing(batch, items, people, alice):
    judgements.skip(assignment=claim_one(batch, people[0]), reason="broken", by=people[0])
    reviews.exclude(item=items[0], reason="broken", by=alice)

    assert completion.shortfall(batch) is None


def test_a_third_judgement_of_two_people_is_nobodys(batch, items, people, alice):
    for who in people:
        judge(batch, who)
    first = items[0] if items[0].assignments.count() == 2 else None
    reviews.ask_again(item=first or items[0], by=alice)

    found = completion.shortfall(batch)

    assert found.n_missing == found.by_few > 0


@pytest.mark.parametrize("state", [BatchState.DRAFT, BatchState.CLOSED])
def test_a_batch_that_is_not_at_work_is_not_looked_at(batch, items, state, alice):
    if state == BatchState.CLOSED:
        batch = batches.close(batch=batch, by=alice)
    batch.state = state

    assert completion.shortfall(batch) is None


def test_a_rehearsal_waits_for_nobody(study):
    batch = BatchFactory(pool__dataset__study=study, state=BatchState.OPEN, is_rehearsal=True)
    ItemFactory(batch=batch)

    assert completion.shortfall(batch) is None


def test_a_draft_that_people_cannot_finish_is_known_before_it_opens(batch, people):
    """The case of a real organiser: two judgements of 35 items, two people, at most 60 % each."""
    found = completion.shortfall_at_opening(batch, n_items=35, most_per_person=21)

    assert reasons(found) == (70, 28, 0, 0, 0)
    assert completion.shortfall_at_opening(batch, n_items=35, most_per_person=None) is None


def test_an_answer_for_many_batches_takes_as_many_queries_as_for_one(
    batch, items, study, people, django_assert_num_queries
):
    batches = [batch]
    for _ in range(3):
        other = BatchFactory(pool=batch.pool, state=BatchState.OPEN)
        ItemFactory(batch=other)
        batches.append(other)
    judge(batch, people[0])

    with django_assert_num_queries(3):
        completion.shortfalls(study, batches)
    set_share(batch, 1)
    with django_assert_num_queries(5):
        completion.shortfalls(study, batches)
    with django_assert_num_queries(0):
        completion.shortfalls(study, [])


def test_it_is_true_one_person_after_the_other_takes_what_they_get(batch, study, people, alice):
    """What is said to be missing is what is missing once nobody gets anything any more."""
    eve = member(study, "eve", Role.ANNOTATOR, by=alice)
    for position in range(1, 8):
        ItemFactory(batch=batch, position=position)
    set_share(batch, 4)
    found = completion.shortfall(batch)
    assert reasons(found) == (14, 2, 0, 0, 0)

    judged = True
    while judged:
        judged = False
        for who in (*people, eve):
            if claims.claim(batch=batch, by=who, now=NOW):
                judge(batch, who)
                judged = True

    assert sum(item.n_open for item in batch.items.all()) >= found.n_missing
    assert completion.shortfall(batch).is_complete
