"""What is promised of feedback: one's own labels beside the final ones, where it is allowed."""

import pytest

from annotation.actions import batches, flags, guideline_versions, judgements, reviews, settlement
from annotation.models import Batch, Flag
from annotation.queries import feedback
from tests.annotation.desk import judge
from tests.factories import BatchFactory, ItemFactory


@pytest.fixture
def batch(study) -> Batch:
    made = BatchFactory(
        pool__dataset__study=study, judgements_per_item=2, gives_feedback=True, name="asked"
    )
    for position in (1, 2, 3):
        ItemFactory(batch=made, position=position)
    return made


def settle(batch, alice):
    closed = batches.close(batch=batch, by=alice)
    settlement.settle(batch=closed, rule="unanimous", by=alice)
    return Batch.objects.get(pk=batch.pk)


@pytest.fixture
def settled(batch, alice, bob, dora, carol) -> Batch:
    """bob and dora agree on the first; of the two others the adjudicator takes dora's label and bob's none."""
    for own, other in (
        ("plausible",) * 2,
        ("plausible", "implausible"),
        ("malformed", "plausible"),
    ):
        judge(batch, bob, label=own)
        judge(batch, dora, label=other)
    ended = settle(batch, alice)
    second = batch.items.get(position=2)
    reviews.adjudicate(item=second, label="implausible", reason="It is false.", by=carol)
    return ended


def test_own_labels_are_counted_by_whether_they_are_the_final_ones(settled, bob):
    found = feedback.feedback_for(settled, bob)

    assert (found.n, found.n_equal, found.n_open) == (2, 1, 1)
    (count,) = found.counts
    assert (count.label, count.n, count.n_equal, count.others) == (
        "plausible",
        2,
        1,
        {"implausible": 1},
    )
    assert [(each.own, each.final) for each in found.differences] == [("plausible", "implausible")]


@pytest.mark.parametrize("what", ["not allowed", "open", "not settled", "opened again"])
def test_feedback_is_given_of_a_settled_batch_that_allows_it(batch, alice, bob, dora, what):
    for person in (bob, dora):
        judge(batch, person)
    if what == "not allowed":
        Batch.objects.filter(pk=batch.pk).update(gives_feedback=False)
    if what == "not settled":
        batches.close(batch=batch, by=alice)
    if what in ("not allowed", "opened again"):
        settle(batch, alice)
    if what == "opened again":
        batches.reopen(batch=batch, by=alice)

    assert not feedback.is_given(Batch.objects.get(pk=batch.pk))


def test_feedback_of_a_settled_batch_is_given(settled):
    assert feedback.is_given(settled)


def test_a_flag_ends_answered_with_its_item_excluded_or_the_guideline_changed(
    batch, alice, bob, carol
):
    made = judge(batch, bob)
    flag = judgements.flag(assignment=made.assignment, message="It is cut off.", by=bob)
    assert feedback.outcome_of(flag, batch) == ""

    flags.answer(flag=flag, text="Yes.", by=alice)
    reviews.exclude(item=made.assignment.item, reason="cut off", by=carol)
    guideline_versions.change(batch=batch, text="Another text.", by=alice)

    (outcome,) = feedback.flag_outcomes(Batch.objects.get(pk=batch.pk), bob)
    assert outcome.flag == Flag.objects.get()
    assert outcome.words == "answered, the item was excluded, the guideline was changed since"
