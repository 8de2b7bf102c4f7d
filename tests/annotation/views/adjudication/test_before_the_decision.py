"""What an adjudicator does not read before the decision: reviews, and on request what annotators said."""

import pytest
from django.urls import reverse

from annotation.actions import reviews, settlement
from tests.annotation import judged_batches
from tests.annotation.desk_pages import client_of
from tests.annotation.views.adjudication.test_double_adjudication import address_of, main
from tests.parts import part


@part
def judged_batch(study, alice, bob, dora):
    """Item 6 is in dispute, and of its three judgements one was reviewed: random, neither paid nor counted."""
    found = judged_batches.create_judged_batch(study, alice, bob, dora)
    settlement.settle(batch=found.batch, rule="unanimous", by=alice)
    reviews.review(
        judgement=found.judgement(3, bob),
        is_paid=False,
        paid_code="random answers",
        paid_reason="",
        is_counted=False,
        counted_code="random answer",
        counted_reason="",
        by=alice,
    )
    return found


@pytest.fixture
def client(carol):
    return client_of(carol)


def hide_votes(client, hides: bool):
    href = reverse("votes_preference", args=["lighthouses"])
    return client.post(href, {"hides": "1"} if hides else {})


def test_reviews_are_not_shown_before_the_decision(judged_batch, client):
    page = main(client.get(address_of("item", judged_batch.item(3))))

    assert "random answer" not in page
    assert "not paid" not in page
    assert "Not counted" in page  # that a label has no vote is a fact of the dispute


def test_reviews_are_shown_after_the_decision(judged_batch, carol, client):
    item = judged_batch.item(3)
    reviews.adjudicate(item=item, label="plausible", reason="it answers", by=carol)

    page = main(client.get(address_of("item", item)))

    assert "random answer" in page


def test_a_requester_who_adjudicates_nothing_reads_the_reviews(judged_batch, alice):
    page = main(client_of(alice).get(address_of("item", judged_batch.item(3))))

    assert "random answer" in page


def test_votes_are_hidden_on_request_and_stay_so(judged_batch, carol, client):
    item, other = judged_batch.item(4), judged_batch.item(5)
    assert "Labels of the annotators" in main(client.get(address_of("item", item)))

    hide_votes(client, True)

    for fresh in (client, client_of(carol)):  # kept with the person, not with a session
        page = main(fresh.get(address_of("item", other)))
        assert "<strong>A</strong>" not in page
        assert "1 implausible" not in page
        assert "said plausible" not in page
    assert "1 implausible" not in main(client.get(address_of("disputes")))


def test_hidden_votes_are_shown_after_the_decision(judged_batch, carol, client):
    hide_votes(client, True)
    item = judged_batch.item(4)
    reviews.adjudicate(item=item, label="plausible", reason="it answers", by=carol)

    assert "<strong>A</strong>" in main(client.get(address_of("item", item)))


def test_votes_are_shown_again_on_request(judged_batch, client):
    hide_votes(client, True)
    hide_votes(client, False)

    assert "<strong>A</strong>" in main(client.get(address_of("item", judged_batch.item(4))))


def test_a_preference_of_one_person_is_nobody_elses(judged_batch, client, alice):
    hide_votes(client, True)

    assert "<strong>A</strong>" in main(
        client_of(alice).get(address_of("item", judged_batch.item(4)))
    )
