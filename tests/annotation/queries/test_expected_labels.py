"""A person's answers beside the labels that others decided."""

import pytest

from accounts.models import Role
from annotation.actions import reviews
from annotation.models import Item, Key
from annotation.queries import expected_labels
from annotation.queries.expected_labels import NotSettledError, answers_of
from tests.annotation.trust import settled_batch
from tests.conftest import member
from tests.factories import BatchFactory


@pytest.fixture
def fay(study, alice):
    return member(study, "fay", Role.ANNOTATOR, by=alice)


def test_two_others_who_agree_are_expected_also_where_the_person_made_it_a_dispute(
    study, bob, dora, fay
):
    batch = settled_batch(study, {bob: "ppi", dora: "ppi", fay: "pii"})

    assert answers_of(fay, batch) == [
        ("plausible", "plausible"),
        ("plausible", "implausible"),
        ("implausible", "implausible"),
    ]


def test_one_other_person_or_others_who_differ_expect_nothing(study, bob, dora, fay):
    batch = settled_batch(study, {bob: "pp", dora: "p.", fay: "ip"})

    # Of the first item bob and dora agree; for bob, dora and fay differ.
    assert answers_of(fay, batch) == [("plausible", "implausible")]
    assert answers_of(bob, batch) == []


def test_a_persons_own_vote_never_decides_what_is_expected_of_them(study, bob, dora):
    batch = settled_batch(study, {bob: "pppp", dora: "pppp"})

    assert answers_of(bob, batch) == answers_of(dora, batch) == []


def test_what_an_adjudicator_decided_is_expected_whoever_agreed(study, bob, dora, carol):
    batch = settled_batch(study, {bob: "pi", dora: "ip"})
    item = batch.items.first()
    reviews.adjudicate(item=item, label="malformed", reason="cut off", by=carol)

    assert answers_of(bob, batch) == [("malformed", "plausible")]
    assert answers_of(dora, batch) == [("malformed", "implausible")]


def test_the_key_of_a_control_item_is_expected_of_whoever_was_handed_it(study, alice, bob, dora):
    batch = settled_batch(study, {bob: "pi", dora: "p."})
    item = batch.items.last()
    Item.objects.filter(pk=item.pk).update(n_wanted=None, n_open=0, n_claimed=0, n_counted=0)
    Key.objects.create(item=item, label="malformed", created_by=alice)

    assert answers_of(bob, batch) == [("malformed", "implausible")]

    Item.objects.filter(pk=item.pk).update(is_excluded=True)
    assert answers_of(bob, batch) == []


def test_others_judgements_that_a_review_does_not_count_expect_nothing(
    study, bob, dora, fay, alice, not_counted
):
    batch = settled_batch(study, {bob: "p", dora: "p", fay: "i"})
    not_counted(batch, bob)

    assert answers_of(fay, batch) == []


def test_a_persons_own_judgement_is_their_answer_also_where_a_review_does_not_count_it(
    study, bob, dora, fay, not_counted
):
    batch = settled_batch(study, {bob: "p", dora: "p", fay: "i"})
    not_counted(batch, fay)

    assert answers_of(fay, batch) == [("plausible", "implausible")]


def test_an_excluded_item_says_nothing(study, bob, dora, fay, carol):
    batch = settled_batch(study, {bob: "p", dora: "p", fay: "i"})
    reviews.exclude(item=batch.items.get(), reason="a test", by=carol)

    assert answers_of(fay, batch) == []


def test_a_batch_that_is_not_settled_says_nothing_of_anybody(study, bob):
    batch = BatchFactory(pool__dataset__study=study, name="pilot")

    with pytest.raises(NotSettledError, match="the batch pilot is not settled"):
        answers_of(bob, batch)


def test_everybodys_answers_take_as_many_queries_as_ones(
    study, bob, dora, fay, django_assert_max_num_queries
):
    batch = settled_batch(study, {bob: "ppi", dora: "ppi", fay: "pii"})

    with django_assert_max_num_queries(6):
        assert len(expected_labels.answers_by_person(batch)) == 3


@pytest.fixture
def not_counted(alice):
    def act(batch, person):
        judgement = batch.items.first().assignments.get(annotator=person).judgements.get()
        reviews.review(
            judgement=judgement,
            is_paid=True,
            paid_reason="work was done",
            is_counted=False,
            counted_reason="clicked through",
            by=alice,
        )

    return act
