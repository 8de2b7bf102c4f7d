"""Disputes one after the other: how many are left, the guideline at hand, and who can settle them."""

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import Role
from annotation.actions import batches, reviews, settlement
from annotation.queries import dispute_queue
from tests.annotation.desk import judge
from tests.factories import BatchFactory, ItemFactory


@pytest.fixture
def disputed(study, alice, bob, dora):
    """Three items in dispute and one that is plausible."""
    batch = BatchFactory(pool__dataset__study=study, guideline__text="Be *kind* to the answer.")
    for position in range(1, 5):
        ItemFactory(batch=batch, position=position)
    for person, labels in (
        (bob, ["plausible"] * 4),
        (dora, ["malformed"] * 3 + ["plausible"]),
    ):
        for label in labels:
            judge(batch, person, label)
    batches.close(batch=batch, by=alice)
    settlement.settle(batch=batch, rule="unanimous", by=alice)
    return batch


def page(user, name, batch, position=0):
    client = Client()
    client.force_login(user, backend="accounts.backends.RealPeopleBackend")
    parts = [batch.study.slug]
    if position:
        parts.append(batch.items.get(position=position).public_id)
    return client.get(reverse(name, args=parts)).text.split("<main")[1]


def test_a_dispute_says_which_of_how_many_it_is(disputed, carol):
    assert "1 of 3, 3 left" in page(carol, "item", disputed, 1)

    reviews.adjudicate(
        item=disputed.items.get(position=1), label="plausible", reason="It answers.", by=carol
    )

    assert "2 of 3, 2 left" in page(carol, "item", disputed, 2)
    assert "2 disputes left" in page(carol, "item", disputed, 1)
    assert "1 of 3 are decided" in page(carol, "disputes", disputed)


def test_a_dispute_is_counted_among_those_of_its_batch(disputed, study, alice, bob, dora, carol):
    other = BatchFactory(pool__dataset__study=study)
    ItemFactory(batch=other, position=1)
    for person, label in ((bob, "plausible"), (dora, "malformed")):
        judge(other, person, label)
    batches.close(batch=other, by=alice)
    settlement.settle(batch=other, rule="unanimous", by=alice)

    assert "1 of 3, 3 left" in page(carol, "item", disputed, 1)
    assert "1 of 1, 1 left" in page(carol, "item", other, 1)
    assert "4 items on which" in page(carol, "disputes", disputed)


def test_settling_anew_counts_no_dispute_twice(disputed, alice, study):
    settlement.settle(batch=disputed, rule="majority", by=alice)

    assert dispute_queue.dispute_progress(study) == dispute_queue.DisputeProgress(n_left=3, n_all=3)


def test_the_guideline_is_at_hand(disputed, carol):
    assert "Be <em>kind</em> to the answer." in page(carol, "item", disputed, 1)


@pytest.mark.parametrize("name", ["disputes", "item"])
def test_a_requester_is_led_to_where_the_role_is_given(disputed, alice, study, name):
    shown = page(alice, name, disputed, 1 if name == "item" else 0)

    assert "there is none in this study" in shown
    assert reverse("people", args=[study.slug]) in shown


def test_where_there_is_an_adjudicator_it_leads_to_who_that_is(disputed, alice, carol, study):
    shown = page(alice, "disputes", disputed)

    assert "you are not one in this study" in shown
    assert f"{reverse('people', args=[study.slug])}?role=adjudicator" in shown


def test_a_requester_who_settles_reads_nothing_of_it(disputed, alice, study):
    study.memberships.get(user=alice).grants.create(role=Role.ADJUDICATOR, granted_by=alice)

    for shown in (page(alice, "disputes", disputed), page(alice, "item", disputed, 1)):
        assert "Adjudicators settle items" not in shown
