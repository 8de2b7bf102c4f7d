"""A kept reason belongs to one batch, one label and one sitting; a settled item is changed on purpose only."""

from datetime import timedelta

import pytest
from django.utils import timezone

from annotation.actions import batches, reviews, settlement, verdicts
from annotation.models import Adjudication
from annotation.views.adjudication import kept_reasons
from tests.annotation import judged_batches
from tests.annotation.desk import judge
from tests.annotation.desk_pages import client_of, text_of
from tests.annotation.views.adjudication.test_double_adjudication import address_of, main
from tests.factories import BatchFactory, ItemFactory
from tests.parts import part

KEPT = {"label": "plausible", "reason": "right as I know", "keep": "1"}
REUSE = 'id="reuse"'


@part
def judged_batch(study, alice, bob, dora):
    """Settled by the strictest rule: items 3 to 8 are in dispute."""
    found = judged_batches.create_judged_batch(study, alice, bob, dora)
    settlement.settle(batch=found.batch, rule="unanimous", by=alice)
    return found


@pytest.fixture
def client(carol):
    return client_of(carol)


def settle(client, item, **said):
    return client.post(address_of("item_adjudicate", item), said)


def test_a_kept_reason_is_offered_with_its_label_at_the_next_dispute_of_the_batch(
    judged_batch, client
):
    following = settle(client, judged_batch.item(3), **KEPT).url

    page = main(client.get(following))

    assert REUSE in page
    assert "Save as plausible" in page
    assert page.count('value="right as I know"') == 1  # with that label alone, not in the open form


def test_a_kept_reason_is_not_offered_in_another_batch(
    judged_batch, study, alice, bob, dora, client
):
    other = BatchFactory(pool__dataset__study=study)
    item = ItemFactory(batch=other)
    judge(other, bob, "plausible")
    judge(other, dora, "malformed")
    batches.close(batch=other, by=alice)
    settlement.settle(batch=other, rule="unanimous", by=alice)

    settle(client, judged_batch.item(3), **KEPT)

    assert "right as I know" not in main(client.get(address_of("item", item)))


def test_a_kept_reason_ends_with_the_sitting(judged_batch, client, monkeypatch):
    following = settle(client, judged_batch.item(3), **KEPT).url
    later = timezone.now() + kept_reasons.SITTING + timedelta(minutes=1)
    monkeypatch.setattr(kept_reasons, "now", lambda: later)

    assert REUSE not in main(client.get(following))


def test_a_decision_with_another_label_leaves_the_kept_reason(judged_batch, client):
    settle(client, judged_batch.item(3), **KEPT)
    following = settle(client, judged_batch.item(4), label="malformed", reason="garbled").url

    assert "Save as plausible" in main(client.get(following))


def test_a_kept_reason_can_be_dropped(judged_batch, client):
    following = settle(client, judged_batch.item(3), **KEPT).url

    dropped = client.post(following + "adjudicate/", {"drop": "1"})

    assert dropped.url == following
    assert REUSE not in main(client.get(following))
    assert Adjudication.objects.count() == 1


@pytest.fixture
def settled(judged_batch, carol):
    item = judged_batch.item(4)
    reviews.adjudicate(item=item, label="implausible", reason="it does not", by=carol)
    return item


def test_at_a_settled_item_no_reason_is_offered_to_save_at_once(judged_batch, settled, client):
    settle(client, judged_batch.item(3), **KEPT)

    page = main(client.get(address_of("item", settled)))

    assert REUSE not in page
    assert "right as I know" not in page
    assert 'name="keep"' not in page


def test_a_settled_item_is_not_changed_without_a_confirmation(settled, client):
    seen = str(verdicts.current_verdict(settled).pk)

    refused = settle(client, settled, label="plausible", reason="a second thought", seen=seen)

    assert refused.status_code == 400
    assert "Tick this to change a settled item." in text_of(refused)
    assert verdicts.current_verdict(settled).label == "implausible"


def test_a_settled_item_is_changed_with_a_fresh_reason_and_a_confirmation(settled, client):
    seen = str(verdicts.current_verdict(settled).pk)

    settle(client, settled, label="plausible", reason="I misread it", seen=seen, confirm="1")

    verdict = verdicts.current_verdict(settled)
    assert (verdict.label, verdict.adjudication.reason) == ("plausible", "I misread it")


def test_a_decision_that_is_sent_twice_from_one_page_asks_for_no_confirmation(judged_batch, client):
    item = judged_batch.item(3)
    seen = {"seen": str(verdicts.current_verdict(item).pk)}

    first = settle(client, item, label="plausible", reason="right as I know", **seen)
    second = settle(client, item, label="plausible", reason="right as I know", **seen)

    assert (first.status_code, second.status_code) == (302, 302)
    assert Adjudication.objects.count() == 1


def test_what_is_missing_is_said_by_the_page_in_words(judged_batch, client):
    item = judged_batch.item(3)

    page = main(client.get(address_of("item", item)))
    refused = text_of(settle(client, item))

    assert "novalidate" in page
    assert "Choose a label." in refused
    assert "Write the reason: it is kept with the decision." in refused


def test_there_is_one_way_to_say_a_label(judged_batch, client):
    assert "Mark as correct" not in main(client.get(address_of("item", judged_batch.item(5))))
