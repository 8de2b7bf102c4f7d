"""What is promised of messages to the organisers and of replies to refused pay."""

import pytest

from accounts.actions import members
from accounts.models import Role
from accounts.permissions import NotAllowedError
from annotation.actions import messages, reviews
from annotation.actions.messages import MessageError
from annotation.models import Message
from annotation.models.limits import LONGEST_REASON
from annotation.review_decisions import ReviewError
from tests.annotation.desk import judge


def refuse(judgement, by, words="one key throughout"):
    """The act of a review that refuses pay."""
    return reviews.review(
        judgement=judgement,
        is_paid=False,
        paid_code="random answers",
        paid_reason=words,
        is_counted=True,
        counted_code="good",
        counted_reason="",
        by=by,
    ).act


def test_a_question_reaches_the_organisers_and_its_answer_comes_back(study, batch, alice, bob):
    asked = messages.send(study=study, batch=batch, text=" When is it paid? ", by=bob)

    messages.answer(message=asked, text="On Friday.", by=alice)

    asked.refresh_from_db()
    assert (asked.text, asked.batch, asked.read_by) == ("When is it paid?", batch, alice)
    assert [each.text for each in asked.answers.all()] == ["On Friday."]


@pytest.mark.parametrize("text", ["", "  ", "x" * (LONGEST_REASON + 1), "a\0b"])
def test_a_message_says_something_and_is_not_too_long(study, bob, text):
    with pytest.raises(ReviewError):
        messages.send(study=study, text=text, by=bob)


def test_only_annotators_of_the_study_ask(study, alice, carol):
    for person in (alice, carol):
        with pytest.raises(NotAllowedError):
            messages.send(study=study, text="Anybody there?", by=person)


def test_the_same_unread_message_twice_is_one(study, bob):
    for _ in range(2):
        messages.send(study=study, text="When?", by=bob)

    assert Message.objects.count() == 1


def test_nobody_sends_more_than_the_organisers_can_read(study, alice, bob, monkeypatch):
    monkeypatch.setattr(messages, "MOST_UNREAD", 2)
    first = messages.send(study=study, text="one", by=bob)
    messages.send(study=study, text="two", by=bob)

    with pytest.raises(MessageError, match="not read yet"):
        messages.send(study=study, text="three", by=bob)

    messages.mark_read(message=first, by=alice)
    messages.send(study=study, text="three", by=bob)


def test_who_reads_a_message_first_is_kept(study, alice, carol, bob):
    asked = messages.send(study=study, text="When?", by=bob)

    messages.mark_read(message=asked, by=carol)
    messages.mark_read(message=asked, by=alice)

    asked.refresh_from_db()
    assert asked.read_by == carol


def test_the_same_answer_twice_in_a_row_is_one(study, alice, bob):
    asked = messages.send(study=study, text="When?", by=bob)

    for _ in range(2):
        messages.answer(message=asked, text="On Friday.", by=alice)

    assert asked.answers.count() == 1


def test_annotators_answer_nothing(study, bob):
    asked = messages.send(study=study, text="When?", by=bob)

    with pytest.raises(NotAllowedError):
        messages.answer(message=asked, text="Now.", by=bob)
    with pytest.raises(NotAllowedError):
        messages.mark_read(message=asked, by=bob)


def test_a_refusal_has_one_reply_of_each_person(batch, items, alice, bob):
    refusal = refuse(judge(batch, bob), alice)

    messages.reply_to_refusal(refusal=refusal, text="I read every one.", by=bob)

    with pytest.raises(MessageError, match="replied already"):
        messages.reply_to_refusal(refusal=refusal, text="And again.", by=bob)
    assert Message.objects.get().refusal == refusal


def test_nobody_replies_to_the_refusal_of_somebody_else_s_work(batch, items, alice, bob, dora):
    refusal = refuse(judge(batch, bob), alice)

    with pytest.raises(MessageError, match="nothing of your work"):
        messages.reply_to_refusal(refusal=refusal, text="Not fair.", by=dora)


def test_who_left_the_study_can_still_reply(study, batch, items, alice, bob):
    refusal = refuse(judge(batch, bob), alice)
    membership = study.memberships.get(user=bob)
    members.withdraw(membership=membership, roles=[Role.ANNOTATOR], by=alice)

    messages.reply_to_refusal(refusal=refusal, text="I read every one.", by=bob)

    assert Message.objects.get().sent_by == bob
