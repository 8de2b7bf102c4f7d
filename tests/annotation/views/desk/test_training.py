"""What is promised of the desk in training: annotation/views/desk/training.py."""

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from annotation.actions import judgements
from annotation.models import Batch, Judgement, Standing
from tests.annotation.desk import claim_one, submit
from tests.annotation.desk_pages import address, client_of, open_desk, send_form, text_of
from tests.annotation.trainings import train, training_batch
from tests.annotation.trust import qualification
from tests.annotation.views.desk.test_sync import sent_judgement, sync_desk

HOSTILE = "<script>alert(1)</script> & [a](javascript:b)"


@pytest.fixture
def acting(study):
    return qualification(study, min_answers=4, accuracy=0.6, attempts=2, acts=True)


@pytest.fixture
def batch(study, acting) -> Batch:
    return training_batch(study, "pimp", asked=acting)


@pytest.fixture
def desk(bob) -> Client:
    return client_of(bob)


def test_without_a_script_what_was_expected_comes_before_the_next_item(desk, batch):
    page = open_desk(desk, batch)
    assert "Because of 1." not in text_of(page)

    told = desk.get(send_form(desk, page, "malformed")["Location"])

    assert "Expected was plausible; you chose malformed." in text_of(told)
    assert "Because of 1." in text_of(told)
    assert "Keeper 1." in text_of(told)
    assert "Keeper 2." in text_of(open_desk(desk, batch))


def test_with_a_script_it_is_in_the_reply(desk, batch):
    held = open_desk(desk, batch).context["assignment"]

    first = sync_desk(desk, batch, [sent_judgement(held)], wanted=2)
    again = sync_desk(desk, batch, [sent_judgement(held)])

    assert "As expected: plausible." in first["results"][0]["expected"]
    assert again["results"][0]["expected"] == first["results"][0]["expected"]
    assert "Because of 2." not in str(first)


def test_explanations_are_shown_as_they_were_written(desk, study, bob):
    batch = training_batch(study, "p")
    item = batch.items.get()
    item.key.__class__.objects.filter(item=item).update(explanation=HOSTILE)

    told = desk.get(send_form(desk, open_desk(desk, batch))["Location"])

    assert "<script>alert" not in told.content.decode()
    assert "&lt;script&gt;alert(1)&lt;/script&gt; &amp; [a](javascript:b)" in text_of(told)


def test_nothing_is_told_of_an_item_that_is_not_judged_or_of_somebody_elses(desk, batch, dora):
    held = open_desk(desk, batch).context["assignment"]
    other = claim_one(batch, dora)
    submit(other)

    for each in (held, other):
        page = desk.get(address("desk", batch), {"judged": str(each.public_id)})
        assert "Because of" not in text_of(page)


@pytest.mark.parametrize("purpose", ["work", "pilot"])
def test_other_batches_tell_nothing_and_their_replies_are_alike(desk, batch, bob, purpose):
    """The same items in a batch that hides them: neither the page nor the reply differs from any other's."""
    Batch.objects.filter(pk=batch.pk).update(purpose=purpose, trains_for=None)
    hidden = Batch.objects.get(pk=batch.pk)
    held = batch.items.first().assignments.create(
        annotator=bob, claimed_at="2026-05-12T10:00Z", expires_at="2036-05-12T10:00Z"
    )

    reply = sync_desk(desk, hidden, [sent_judgement(held)], wanted=1, progress=True)
    page = desk.get(address("desk", hidden), {"judged": str(held.public_id)})
    history = desk.get(address("desk_recent", hidden))

    assert set(reply["results"][0]) == {
        "client_id",
        "assignment",
        "outcome",
        "said",
        "is_same",
        "words",
    }
    for each in (str(reply), text_of(page), text_of(history)):
        assert "Because of" not in each
        assert "xpected:" not in each


def test_it_stands_in_the_history_and_cannot_be_undone(desk, batch, bob):
    train(batch, bob, "w")
    (stored,) = Judgement.objects.all()

    history = text_of(desk.get(address("desk_recent", batch)))
    desk.post(address("desk_take_back", batch, stored.assignment))

    assert "Expected: <strong>plausible</strong>" in history
    assert "Stays: you were told what was expected." in history
    assert not hasattr(Judgement.objects.get(), "withdrawal")


def test_nothing_is_skipped(desk, batch):
    page = open_desk(desk, batch)
    assert address("desk_skip", batch, page.context["assignment"]) not in text_of(page)

    held = page.context["assignment"]
    desk.post(address("desk_skip", batch, held), {"reason": "hard"}, follow=True)

    held.refresh_from_db()
    assert held.state == "claimed"


def test_after_the_last_item_the_rule_decides_and_the_person_reads_it(desk, batch, bob):
    train(batch, bob, "rrr")
    held = open_desk(desk, batch).context["assignment"]
    sync_desk(desk, batch, [sent_judgement(held)])

    assert Standing.objects.get().state == "granted"
    end = text_of(desk.get(address("desk", batch)))
    assert "You answered 4 of 4 items as expected." in end
    assert "You passed." in end
    assert "trusted" not in end


def test_who_fails_is_led_to_the_next_training(desk, batch, study, acting, bob):
    second = training_batch(study, "mpip", asked=acting, name="second")
    work = reverse("work")
    assert "second" not in text_of(desk.get(work))
    train(batch, bob, "wwww")

    end = text_of(desk.get(address("desk", batch)))

    assert "You answered 0 of 4 items as expected." in end
    assert f'href="{address("desk", second)}"' in end
    assert Standing.objects.get().state == "failed"
    assert "second" in text_of(desk.get(work))
    train(second, bob, "wwww")
    assert "there is no further attempt" in text_of(desk.get(address("desk", second)))


def test_who_may_not_begin_reads_why(desk, batch, study, acting):
    second = training_batch(study, "mpip", asked=acting, name="second")

    assert "not open to you now" in text_of(desk.get(address("desk", second)))


def test_the_number_of_queries_does_not_grow_with_the_training(desk, study, bob):
    counts = []
    for name, n in (("short", 4), ("long", 16)):
        batch = training_batch(study, "p" * n, name=name)
        held = open_desk(desk, batch).context["assignment"]
        with CaptureQueriesContext(connection) as queries:
            sync_desk(desk, batch, [sent_judgement(held)], wanted=1)
        counts.append(len(queries))

    assert counts[0] == counts[1]


def test_take_back_is_refused_by_the_action_too(batch, bob):
    train(batch, bob, "r")

    with pytest.raises(judgements.NotEditableError):
        judgements.take_back(judgement=Judgement.objects.get(), by=bob)
