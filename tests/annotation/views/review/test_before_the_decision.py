"""The list of judgements shows an adjudicator no review of what they are to decide, and on request no labels."""

import pytest
from django.urls import reverse

from annotation.actions import adjudicator_preferences, bulk_reviews, reviews, settlement
from annotation.models import Judgement
from annotation.review_decisions import Decision
from tests.annotation import judged_batches
from tests.annotation.desk_pages import client_of, text_of
from tests.parts import part

RANDOM = Decision(False, "random answers", "", False, "random answer", "")
HIDDEN = "hidden until you decide the item"


@part
def judged_batch(study, alice, bob, dora):
    """Items 3 to 8 are in dispute; fay's work, on items 6 and 7, was refused."""
    found = judged_batches.create_judged_batch(study, alice, bob, dora)
    settlement.settle(batch=found.batch, rule="unanimous", by=alice)
    refused = dict.fromkeys((each.pk for each in found.of(found.fay)), RANDOM)
    bulk_reviews.decide(batch=found.batch, decisions=refused, by=alice)
    return found


@pytest.fixture
def client(carol):
    return client_of(carol)


def listed(client, judged_batch, **narrowed):
    href = reverse("review_work", args=["lighthouses", judged_batch.batch.pk])
    return client.get(href, narrowed)


def listed_keys(client, judged_batch, **narrowed) -> set[int]:
    lines = listed(client, judged_batch, **narrowed).context["lines"]
    return {each.judgement.pk for each in lines}


def of_item(judged_batch, number, client) -> str:
    public_id = str(judged_batch.item(number).public_id)
    return text_of(listed(client, judged_batch, item=public_id)).split("<tbody>")[1]


def test_reviews_of_what_one_is_to_decide_are_hidden(judged_batch, client):
    page = of_item(judged_batch, 6, client)

    assert "random answer" not in page.split("</tbody>")[0]
    assert page.count(HIDDEN) == 3  # whether or not there is a review


def test_reviews_of_what_is_decided_are_shown(judged_batch, carol, client):
    item = judged_batch.item(6)
    reviews.adjudicate(item=item, label="plausible", reason="it answers", by=carol)

    page = of_item(judged_batch, 6, client).split("</tbody>")[0]

    assert "random answer" in page
    assert HIDDEN not in page


def test_ones_own_reviews_are_shown(judged_batch, carol, client):
    own = judged_batch.of(judged_batch.fay)[0]
    other = Decision(True, "in good faith", "", True, "good", "")
    bulk_reviews.decide(batch=judged_batch.batch, decisions={own.pk: other}, by=carol)

    page = of_item(judged_batch, 6, client).split("</tbody>")[0]

    assert "in good faith" in page
    assert page.count(HIDDEN) == 2
    assert own.pk not in listed_keys(client, judged_batch, decided="none")


def test_no_filter_tells_a_hidden_review(judged_batch, carol, client, alice):
    refused = {each.pk for each in judged_batch.of(judged_batch.fay)}
    in_dispute = judged_batch.of(judged_batch.fay)[0].pk  # of item 6
    reviews.adjudicate(item=judged_batch.item(7), label="plausible", reason="it answers", by=carol)

    assert listed_keys(client, judged_batch, decided="unpaid") == refused - {in_dispute}
    assert in_dispute in listed_keys(client, judged_batch, decided="none")
    assert listed_keys(client_of(alice), judged_batch, decided="unpaid") == refused


def test_a_requester_who_adjudicates_nothing_reads_all_reviews(judged_batch, alice):
    page = of_item(judged_batch, 6, client_of(alice)).split("</tbody>")[0]

    assert "random answer" in page
    assert HIDDEN not in page


def test_labels_of_what_one_is_to_decide_are_left_out_on_request(judged_batch, carol, client):
    everything = listed_keys(client, judged_batch)
    adjudicator_preferences.hide_votes(hides=True, by=carol)

    left = listed_keys(client, judged_batch)

    in_dispute = Judgement.objects.filter(
        assignment__item__in=[judged_batch.item(n) for n in (3, 4, 5, 6, 7, 8)]
    )
    assert left == everything - {each.pk for each in in_dispute}
    assert "because you hide labels until you decide" in text_of(listed(client, judged_batch))
    item = judged_batch.item(6)
    reviews.adjudicate(item=item, label="plausible", reason="it answers", by=carol)
    assert judged_batch.of(judged_batch.fay)[0].pk in listed_keys(client, judged_batch)
