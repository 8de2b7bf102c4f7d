"""What else the desk's data request tells: whose the desk is, and what was answered to flags."""

from urllib.parse import quote

import pytest

from annotation.actions import flags, judgements
from annotation.models import Assignment, GuidelineReading, Judgement
from tests.annotation.desk_pages import address, client_of, open_desk
from tests.annotation.views.desk.test_sync import sent_judgement, sync_desk
from tests.factories import UserFactory


@pytest.fixture
def desk(bob, batch):
    GuidelineReading.objects.create(guideline=batch.guideline, read_by=bob)
    return client_of(bob)


def send(client, batch, *submissions, of):
    return client.post(
        address("desk_feed", batch),
        {"submissions": list(submissions)},
        content_type="application/json",
        headers={"X-Desk-User": quote(of)},
    )


def test_nothing_is_taken_from_who_signed_in_on_the_desk_of_another(desk, batch, items):
    held = open_desk(desk, batch).context["assignment"]

    reply = send(desk, batch, sent_judgement(held), of="dora")

    assert reply.status_code == 401
    assert reply.json() == {"error": "somebody else is signed in", "user": "bob"}
    assert not Judgement.objects.exists()


def test_who_is_not_even_in_the_study_is_told_so_too(batch):
    reply = send(client_of(UserFactory(username="mallory")), batch, of="bob")

    assert reply.status_code == 401


@pytest.mark.parametrize("name", ["bob", "Zoë", "李"])
def test_a_name_is_known_in_any_script(desk, batch, bob, name):
    bob.username = name
    bob.save()

    assert send(desk, batch, of=name).status_code == 200


def test_the_latest_answers_to_own_flags_come_with_the_progress(desk, batch, items, bob, alice):
    open_desk(desk, batch)
    flag = judgements.flag(assignment=Assignment.objects.get(), message="Cut off?", by=bob)
    texts = [f"Answer {number}" for number in range(6)]
    for text in texts:
        flags.answer(flag=flag, text=text, by=alice)

    told = sync_desk(desk, batch, progress=True)["answers"]

    assert [each["text"] for each in told] == texts[1:]
    assert told[0]["question"] == items[0].payload["question"]
    assert sync_desk(desk, batch)["answers"] == []


def test_what_was_answered_to_others_does_not_come(desk, batch, items, bob, dora, alice):
    open_desk(desk, batch)
    flag = judgements.flag(assignment=Assignment.objects.get(), message="Cut off?", by=bob)
    flags.answer(flag=flag, text="Judge what is there.", by=alice)

    assert sync_desk(client_of(dora), batch, progress=True)["answers"] == []
