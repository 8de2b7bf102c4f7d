"""What is promised of self-agreement: annotation/queries/self_agreement.py."""

import pytest

from accounts.models import Role
from annotation.actions import judgements, repeats, reviews
from annotation.models import Assignment, Item, Judgement
from annotation.queries import self_agreement
from annotation.queries.self_agreement import SelfAgreement
from stats.jeffreys import lower_bound, upper_bound
from tests.annotation.batches_with_repeats import label_of, repeating_batch, worked
from tests.annotation.desk import after, submit
from tests.conftest import member


@pytest.fixture
def batch(study, alice):
    return repeating_batch(study, alice, n=12)


@pytest.fixture
def fay(study, alice):
    return member(study, "fay", Role.ANNOTATOR, by=alice)


def judge_again(original: Item, person, label: str) -> Judgement:
    again = repeats.repeats_of([original.pk], original)[original.pk]
    assignment = Assignment.objects.create(
        item=again, annotator=person, claimed_at=after(500), expires_at=after(900)
    )
    return submit(assignment, label, now=after(600))


@pytest.fixture
def items(batch, fay) -> list[Item]:
    """Four repeats, three of which were judged as before."""
    items = worked(batch, fay, 8)
    for k in range(4):
        judge_again(items[k], fay, label_of(k if k else 1))
    return items


def test_the_share_of_repeats_that_got_the_same_label_with_its_interval(batch, fay, items):
    found = self_agreement.by_person([batch])

    assert found == {fay.pk: SelfAgreement(4, 3)}
    own = found[fay.pk]
    assert own.value == 0.75
    assert (own.low, own.high) == (lower_bound(3, 4, 0.975), upper_bound(3, 4, 0.975))
    assert own.figure["reason"] is None


def test_it_is_undefined_without_repeats(batch, fay):
    worked(batch, fay, 8)

    assert self_agreement.by_person([batch]) == {}
    nothing = self_agreement.pooled([])
    assert (nothing.value, nothing.low, nothing.high) == (None, None, None)
    assert nothing.figure["reason"] == "no item was judged twice"


def test_people_are_held_against_themselves_and_pooled(study, alice, batch, items):
    gus = member(study, "gus", Role.ANNOTATOR, by=alice)
    worked(batch, gus, 8)
    Judgement.objects.filter(assignment__annotator=gus).update(
        response={"plausibility": "malformed"}
    )
    judge_again(items[1], gus, "malformed")

    found = self_agreement.by_person([batch])

    assert found[gus.pk] == SelfAgreement(1, 1)
    assert self_agreement.pooled(found.values()) == SelfAgreement(5, 4)


def refuse(judgement: Judgement, by) -> None:
    reviews.review(
        judgement=judgement,
        is_paid=True,
        is_counted=False,
        paid_reason="done",
        counted_reason="careless",
        by=by,
    )


def of_item(item: Item, *, again: bool) -> Judgement:
    return Judgement.objects.get(assignment__item=item.repeat if again else item)


LEFT_OUT = {
    "original excluded": lambda item, by: reviews.exclude(item=item, reason="odd", by=by),
    "original not counted": lambda item, by: refuse(of_item(item, again=False), by),
    "repeat not counted": lambda item, by: refuse(of_item(item, again=True), by),
    "repeat taken back": lambda item, by: judgements.take_back(
        judgement=of_item(item, again=True), by=of_item(item, again=True).assignment.annotator
    ),
    "original surplus": lambda item, by: Judgement.objects.filter(assignment__item=item).update(
        is_surplus=True
    ),
}


@pytest.mark.parametrize("name", LEFT_OUT)
def test_a_pair_is_left_out_with(batch, fay, items, alice, name):
    LEFT_OUT[name](items[1], alice)

    assert self_agreement.by_person([batch])[fay.pk] == SelfAgreement(3, 2)


def test_other_batches_say_nothing(study, alice, batch, items):
    assert self_agreement.by_person([repeating_batch(study, alice, n=1, name="other")]) == {}


def test_it_takes_two_queries(batch, items, django_assert_num_queries):
    with django_assert_num_queries(2):
        self_agreement.by_person([batch])
