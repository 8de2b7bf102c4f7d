"""What is promised of the questions on the guideline: annotation/views/desk/check.py."""

import json

import pytest
from django.test import Client
from django.urls import reverse

from annotation.actions import batches, checks, guideline_readings, guideline_versions
from annotation.models import Batch, CheckAttempt, Judgement
from tests.annotation.actions.test_checks import RIGHT, TEXT, WRONG, take
from tests.annotation.desk import claim_one
from tests.annotation.desk_pages import address, client_of, open_desk, text_of
from tests.annotation.pools import pool_of
from tests.annotation.views.desk.test_sync import sync_desk


@pytest.fixture
def batch(study, alice) -> Batch:
    return batches.create_and_launch(
        study=study,
        name="full",
        scheme="plausibility",
        pool=pool_of(study),
        by=alice,
        guideline="Read it.",
        check=TEXT.replace("a wrong answer", "<b>wrong</b>"),
    )


@pytest.fixture
def desk(bob, batch) -> Client:
    guideline_readings.confirm(batch=batch, by=bob)
    return client_of(bob)


def send(client, batch, answers, number=1):
    data = {f"question-{at}": str(answer) for at, answer in enumerate(answers)}
    return client.post(address("desk_check", batch), data | {"number": number}, follow=True)


def test_its_questions_are_not_shown_before_consent_and_guideline(batch, bob):
    client = client_of(bob)

    for reply in (
        client.get(address("desk_check", batch)),
        client.post(
            address("desk_check", batch), {"question-0": "1", "question-1": "0", "number": 1}
        ),
    ):
        assert (reply.status_code, reply["Location"]) == (302, address("desk", batch))
    assert not CheckAttempt.objects.exists()


def test_it_comes_after_the_guideline_and_before_the_first_item(batch, bob):
    client = client_of(bob)
    assert client.get(address("desk", batch))["Location"] == address("desk_guidelines", batch)
    client.post(address("desk_guidelines", batch))
    assert client.get(address("desk", batch))["Location"] == address("desk_check", batch)

    page = send(client, batch, RIGHT)

    assert "All right" in text_of(page)
    open_desk(client, batch)


def test_the_page_says_nothing_of_what_is_right_before_an_attempt(desk, batch):
    page = text_of(desk.get(address("desk_check", batch)))

    assert "Which is malformed?" in page
    assert "&lt;b&gt;wrong&lt;/b&gt;" in page
    for secret in ("It cannot be read.", "(x)", "checked"):
        assert secret not in page


def test_after_a_wrong_attempt_one_reads_why_and_answers_once_more(desk, batch):
    page = text_of(send(desk, batch, WRONG))

    assert "Not all of it was right" in page
    assert "✗ Not right:" in page
    assert "It cannot be read." in page
    assert "Right is:" not in page
    assert "All right" in text_of(send(desk, batch, RIGHT, number=2))


def test_who_fails_twice_reads_plainly_that_it_ends_here_and_whom_to_ask(desk, batch, bob):
    send(desk, batch, WRONG)
    page = text_of(send(desk, batch, WRONG, number=2))

    assert "You cannot work in this batch" in page
    assert f"{reverse('ask', args=[batch.study.slug])}?batch={batch.pk}" in page
    assert desk.get(address("desk", batch))["Location"] == address("desk_check", batch)
    work = text_of(desk.get(reverse("work")))
    assert "questions on the guideline not passed" in work
    assert "Start<span" not in work


def test_an_incomplete_page_is_no_attempt_and_keeps_what_was_chosen(desk, batch):
    page = desk.post(address("desk_check", batch), {"number": "1", "question-0": "1"})

    assert page.status_code == 400
    assert "Answer every question: nothing is saved yet." in text_of(page)
    assert 'value="1" checked' in text_of(page)
    assert not CheckAttempt.objects.exists()


def test_the_data_request_hands_out_nothing_before_it_is_passed(desk, batch, bob):
    reply = sync_desk(desk, batch, [], wanted=3)

    assert reply["is_due"]
    assert reply["items"] == []
    take(batch, bob, RIGHT)
    assert len(sync_desk(desk, batch, [], wanted=3)["items"]) == 3


def test_a_new_version_of_the_guideline_does_not_ask_again(desk, batch, bob, alice):
    take(batch, bob, RIGHT)
    held = claim_one(batch, bob)
    guideline_versions.change(batch=batch, text="Another one.", by=alice)
    guideline_readings.confirm(batch=Batch.objects.get(pk=batch.pk), by=bob)

    assert open_desk(desk, batch).context["assignment"] == held
    assert not Judgement.objects.exists()


def test_organisers_read_the_results_and_other_annotators_do_not(batch, alice, bob, dora):
    checks.take(batch=batch, number=1, answers=WRONG, by=bob)
    where = [batch.study.slug, batch.pk]
    organiser = client_of(alice)

    page = text_of(organiser.get(reverse("batch_check", args=where)))
    people = text_of(organiser.get(reverse("people", args=where[:1])))

    assert "Right at the first attempt: 0 of 1 person." in page
    assert "1 of 2" in page
    assert "not passed" in people
    assert client_of(dora).get(reverse("batch_check", args=where)).status_code == 403
    assert "bob" not in text_of(client_of(dora).get(address("desk_check", batch), follow=True))


def test_a_persons_own_data_has_their_answers(batch, bob):
    take(batch, bob, WRONG)

    reply = client_of(bob).get(reverse("own_data"))

    (row,) = json.loads(reply.getvalue())["checks_of_guidelines"]
    assert (row["attempt"], row["is_passed"]) == (1, False)
    assert row["answers"][1] == {"question": "Is it lit?", "answer": "yes"}
