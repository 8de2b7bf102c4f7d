"""Who is asked to work is told what it pays, how long it takes, and whom they can reach."""

import pytest
from django.test import Client
from django.urls import reverse

from accounts.actions import studies
from annotation.actions import batches, messages, notices, settlement, study_copies
from annotation.models import Message, NoticeDismissal
from tests.accounts.invitations import create_invitation
from tests.annotation.actions.test_messages import refuse
from tests.annotation.desk import judge
from tests.annotation.desk_pages import address, client_of, open_desk, text_of
from tests.factories import BatchFactory, ItemFactory

TERMS = "£0.06 a judgement · about 30 s an item (£7.20 an hour at that pace)"


@pytest.fixture
def paid(batch, study, alice):
    studies.describe_study(
        study=study, by=alice, contact_name="Ruth Stevenson", contact_address="ruth@example.org"
    )
    made = BatchFactory(
        pool=batch.pool, name="paid", reward="0.06", currency="GBP", gives_feedback=True
    )
    for position in (1, 2):
        ItemFactory(batch=made, position=position)
    return made


def pages_of(batch, person, token):
    client = client_of(person)
    yield Client().get(reverse("join", args=[token]))
    yield client.get(reverse("work"))
    yield client.get(address("desk_guidelines", batch))
    client.post(address("desk_guidelines", batch))
    yield open_desk(client, batch)


def test_pay_time_and_contact_stand_from_the_invitation_to_the_desk(study, paid, bob):
    token = create_invitation(study)[1]

    for page in pages_of(paid, bob, token):
        assert TERMS in text_of(page)
        assert '<a href="mailto:ruth@example.org"' in text_of(page)


def test_an_unpaid_batch_says_so_and_names_who_made_it(batch, items, bob):
    shown = text_of(client_of(bob).get(reverse("work")))

    assert "unpaid · about 30 s an item" in shown
    assert f"asked by <bdi>{batch.created_by.username}</bdi>" in shown


def test_an_address_that_is_no_link_stays_words(study, batch, items, alice, bob):
    studies.describe_study(study=study, by=alice, contact_address="javascript:alert(1)")

    shown = text_of(client_of(bob).get(reverse("work")))

    assert "<bdi>javascript:alert(1)</bdi>" in shown


def test_the_earnings_say_why_and_take_one_reply(paid, alice, bob):
    act = refuse(judge(paid, bob), alice, words="one key <throughout>")
    client = client_of(bob)

    shown = text_of(client.get(reverse("earnings")))
    client.post(reverse("refusal_reply", args=[act.public_id]), {"text": "I read it."})
    again = text_of(client.get(reverse("earnings")))

    assert "answers were given without reading: one key &lt;throughout&gt;" in shown
    assert "Your reply" in shown
    assert "I read it." in again
    assert 'name="text"' not in again
    assert Message.objects.get().refusal == act


def test_the_refusal_of_others_is_not_there_for_a_reply(paid, alice, bob, dora):
    act = refuse(judge(paid, bob), alice)

    sent = client_of(dora).post(reverse("refusal_reply", args=[act.public_id]), {"text": "No."})

    assert sent.status_code == 404


def test_a_question_is_answered_in_my_work(study, paid, alice, bob):
    asking = reverse("ask", args=[study.slug])
    client_of(bob).post(f"{asking}?batch={paid.pk}", {"text": "When is it <paid>?"})
    listed = text_of(client_of(alice).get(reverse("messages", args=[study.slug])))
    message = Message.objects.get()
    answer = reverse("message_answer", args=[study.slug, message.pk])
    client_of(alice).post(answer, {"text": "On Friday."})

    assert "When is it &lt;paid&gt;?" in listed
    assert "<bdi>bob</bdi>" in listed
    for page in (reverse("work"), asking):
        assert "On Friday." in text_of(client_of(bob).get(page))


def test_an_adjudicator_reads_messages_without_names(study, paid, bob, carol):
    messages.send(study=study, text="When?", by=bob)

    shown = text_of(client_of(carol).get(reverse("messages", args=[study.slug])))

    assert study.memberships.get(user=bob).pseudonym in shown
    assert "bob" not in shown


def test_a_read_message_is_marked(study, paid, alice, bob):
    message = messages.send(study=study, text="When?", by=bob)
    before = text_of(client_of(alice).get(reverse("study", args=[study.slug])))

    client_of(alice).post(reverse("message_read", args=[study.slug, message.pk]))

    after = text_of(client_of(alice).get(reverse("study", args=[study.slug])))
    assert "1 message to read" in before
    assert "to read" not in after
    assert "Read by the organisers" in text_of(client_of(bob).get(reverse("work")))


def test_a_notice_stands_in_my_work_and_at_the_desk_until_it_is_dismissed(paid, alice, bob):
    client = client_of(bob)
    url = reverse("batch_notices", args=[paid.study.slug, paid.pk])
    client_of(alice).post(url, {"text": "No <work> on Friday."})
    client.post(address("desk_guidelines", paid))
    pages = (reverse("work"), address("desk", paid))
    before = [text_of(client.get(page)) for page in pages]

    notice = paid.notices.get()
    dismissing = reverse("notice_dismiss", args=[paid.study.slug, paid.pk, notice.pk])
    client.post(dismissing, {"to": "work"})

    assert all("No &lt;work&gt; on Friday." in shown for shown in before)
    assert all("on Friday" not in text_of(client.get(page)) for page in pages)
    assert NoticeDismissal.objects.get().dismissed_by == bob


def test_the_desk_is_sent_a_new_notice_as_it_stands_on_the_page(paid, alice, bob):
    notices.write(batch=paid, text="No work on Friday.", by=alice)

    feed = client_of(bob).get(address("desk_feed", paid)).json()

    (sent,) = feed["notices"]
    assert "No work on Friday." in sent["html"]
    assert "Dismiss" in sent["html"]


def test_feedback_is_reached_from_my_work_once_it_is_settled(paid, alice, bob, dora):
    for person in (bob, dora):
        judge(paid, person)
    client, where = client_of(bob), address("desk_feedback", paid)
    assert client.get(where).status_code == 404

    batches.close(batch=paid, by=alice)
    settlement.settle(batch=paid, rule="unanimous", by=alice)

    assert where in text_of(client.get(reverse("work")))
    assert "1 of your 1 label matches the final label" in text_of(client.get(where))


def test_a_copied_study_keeps_contact_and_feedback(study, paid, alice):
    copy = study_copies.copy_study(study=study, slug="copy", title="Copy", by=alice)

    assert copy.contact_name == "Ruth Stevenson"
    presets = copy.batch_presets.values_list("settings__gives_feedback", flat=True)
    assert list(presets) == [True]
