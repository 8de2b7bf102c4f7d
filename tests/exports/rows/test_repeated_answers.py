"""What several batches of a scheme say of the same answers."""

import pytest
from django.urls import reverse

from annotation.actions import withdrawn_batches
from annotation.queries.repeated_answers import (
    Decided,
    Differing,
    Undecided,
    differing_from,
    repeated,
)
from tests.annotation.pools import launched
from tests.exports.judged_batches import close_batch, judge_and_settle, settle_batch
from tests.factories import BatchFactory
from tests.jobs.clients import client_of


@pytest.fixture
def draft(plausibility, alice):
    return BatchFactory(pool=plausibility.pool, name="again", created_by=alice)


def test_who_opens_a_batch_is_told_which_of_its_answers_have_a_verdict(
    draft, plausibility, study, alice
):
    page = client_of(alice).get(reverse("batch_open", args=[study.slug, draft.pk])).text
    n = plausibility.items.count()

    assert repeated(draft).decided == [Decided(plausibility.name, n)]
    assert f"Of its {n} answers some have a verdict already: {n} in “{plausibility.name}”" in page


def test_a_batch_that_decided_nothing_has_nothing_to_tell(plausibility, draft):
    empty = settle_batch(close_batch(launched(plausibility.pool, name="by mistake")))

    assert "by mistake" not in {each.batch for each in repeated(draft).decided}
    assert differing_from(empty) == []


def test_who_opens_a_batch_is_told_which_of_its_answers_another_one_asks_about(
    pool, study, alice, bob
):
    first = launched(pool, name="first")
    again = BatchFactory(pool=pool, name="by mistake", created_by=alice)
    BatchFactory(pool=pool, name="a draft", created_by=alice)
    n = first.items.count()

    assert repeated(again).undecided == [Undecided("first", n)]
    page = client_of(alice).get(reverse("batch_open", args=[study.slug, again.pk])).text
    assert f"{n} of its answers are asked about in “first” too" in page

    withdrawn_batches.withdraw(batch=first, reason="by mistake", by=alice)
    assert repeated(again).undecided == []


def test_answers_that_another_batch_decided_are_not_told_as_undecided(draft, plausibility):
    assert repeated(draft).undecided == []


def test_two_batches_that_decide_differently_are_named_with_the_number(
    plausibility, bob, dora, study, alice
):
    later = judge_and_settle(
        launched(plausibility.pool, name="again"), bob, dora, label="malformed"
    )
    n = plausibility.items.count()

    assert differing_from(later) == [Differing("plausibility", plausibility.name, "again", n)]
    assert differing_from(plausibility) == differing_from(later)
    page = client_of(alice).get(reverse("release_changes", args=[study.slug])).text
    assert f"{n} answers have one verdict for plausibility in “{plausibility.name}”" in page


def test_who_settles_is_told_that_another_batch_decided_differently(
    plausibility, bob, dora, study, alice
):
    later = judge_and_settle(
        launched(plausibility.pool, name="again"), bob, dora, label="malformed"
    )
    address = reverse("batch_settle", args=[study.slug, later.pk])

    page = client_of(alice).post(address, {"rule": "unanimous"}, follow=True).text

    assert "and another in “again”, made later" in page


def test_batches_that_agree_are_not_told(plausibility, bob, dora):
    agreeing = judge_and_settle(launched(plausibility.pool, name="agreeing"), bob, dora)

    assert differing_from(agreeing) == []


def test_a_withdrawn_batch_differs_from_none(plausibility, bob, dora, alice):
    later = judge_and_settle(
        launched(plausibility.pool, name="again"), bob, dora, label="malformed"
    )
    withdrawn_batches.withdraw(batch=later, reason="The wrong guideline.", by=alice)

    assert differing_from(plausibility) == []
