"""What is promised of a requester's pages of a training."""

import pytest
from django.test import Client
from django.urls import reverse

from annotation.models import Batch, Standing
from tests.annotation.batches_with_controls import settled_batch
from tests.annotation.desk_pages import address, client_of, text_of
from tests.annotation.trainings import train, training_batch
from tests.annotation.trust import qualification


@pytest.fixture
def asked(study):
    return qualification(study, min_answers=4, accuracy=0.6, acts=True)


@pytest.fixture
def desk(alice) -> Client:
    return client_of(alice)


def test_a_training_is_made_filled_from_a_settled_batch_and_opened(
    desk, study, alice, bob, dora, asked
):
    source = settled_batch(study, [bob, dora], alice)
    form = desk.get(reverse("batch_new", args=[study.slug])).context["form"]
    data = {name: "" if form[name].value() is None else form[name].value() for name in form.fields}
    data |= {"name": "training", "pool": source.pool_id, "reward": "0.06", "currency": "USD"}
    data |= {"purpose": "training", "trains_for": asked.pk}
    desk.post(reverse("batch_new", args=[study.slug]), data)
    batch = Batch.objects.get(name="training")
    added = {"source": source.pk, "n": 6, "seed": 1}
    desk.post(address("batch_controls", batch), added)

    before = text_of(desk.get(address("batch_open", batch)))
    desk.post(address("batch_open", batch))

    assert "Everybody judges the same 6 items in the same order" in before
    assert "$0.36 to who finishes it" in before
    assert "its rule decides at the end" in before
    batch.refresh_from_db()
    assert (batch.state, batch.trains_for) == ("open", asked)


def test_a_training_without_items_says_so_when_it_is_to_open(desk, study, alice):
    batch = training_batch(study, "p")
    batch.items.first().key.delete()
    batch.items.all().delete()
    Batch.objects.update(state="draft")

    page = desk.post(address("batch_open", batch), follow=True)

    assert "the training training has no items" in text_of(page)


def test_its_page_says_who_finished_and_offers_no_verdicts(desk, study, bob, dora, asked):
    batch = training_batch(study, "pimp", asked=asked, reward="0.06", currency="USD")
    train(batch, bob, "rrrr")
    train(batch, dora, "r")

    page = text_of(desk.get(address("batch", batch)))
    desk.post(address("batch_close", batch))
    closed = text_of(desk.get(address("batch", batch)))

    assert "1 of 2</div>" in page
    assert "$0.30 for 5 payable judgements" in page
    assert "all that are asked for" not in page
    for each in (page, closed):
        assert address("batch_settle", batch) not in each
        assert address("batch_rules", batch) not in each


def test_its_answers_are_looked_at_and_the_rule_applied_on_the_page_of_the_qualification(
    desk, study, bob, asked
):
    batch = training_batch(study, "pimp", asked=asked)
    train(batch, bob, "rrrr")
    where = reverse("qualification", args=[study.slug, asked.pk])

    assert "4 of 4" in text_of(desk.get(where, {"from": batch.pk}))
    desk.post(reverse("qualification_apply", args=[study.slug, asked.pk]), {"from": batch.pk})

    assert Standing.objects.get().state == "granted"
