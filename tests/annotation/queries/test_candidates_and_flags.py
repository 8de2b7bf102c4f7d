"""What is read of batches and items: annotation/queries/candidates_and_flags.py."""

from dataclasses import fields

import pytest

from accounts.models import Role, User
from annotation.actions import batches, flags, judgements, reviews, settlement
from annotation.models import Batch, Flag, Item, Judgement
from annotation.queries import candidates_and_flags
from annotation.queries.candidates_and_flags import DisputeSummary, FlagSummary
from tests.annotation.desk import NOW, after, claim_one, submission
from tests.annotation.pools import launched, pool_of
from tests.conftest import member


@pytest.fixture
def panel(study, alice, bob, dora) -> list[User]:
    return [bob, dora, member(study, "eve", Role.ANNOTATOR, by=alice)]


def settled(batch: Batch, panel: list[User], *said: list[str], rule: str = "unanimous") -> Batch:
    """A closed batch in whose n-th item the panel said the n-th of the lists."""
    for labels in said:
        for person, label in zip(panel, labels, strict=True):
            words = submission(label, comment=f"{person.username} thinks {label}")
            judgements.submit(assignment=claim_one(batch, person), submission=words, by=person)
    batch = batches.close(batch=batch, by=batch.created_by)
    settlement.settle(batch=batch, rule=rule, by=batch.created_by)
    return batch


@pytest.fixture
def batch(study) -> Batch:
    return launched(pool_of(study), judgements_per_item=3)


def accepted(batch: Batch) -> set[str]:
    return {candidate.text for candidate in candidates_and_flags.accepted_candidates(batch)}


def text_of(item: Item) -> str:
    return item.payload["answers"][0]["text"]


AGREED, AGAINST = ["plausible"] * 3, ["malformed"] * 3
TWO_TO_ONE = ["plausible", "plausible", "malformed"]
ALL_APART = ["plausible", "implausible", "malformed"]


def test_answers_go_on_that_were_decided_to_be_what_the_scheme_accepts(batch, panel):
    settled(batch, panel, AGREED, AGAINST, TWO_TO_ONE)

    assert accepted(batch) == {text_of(batch.items.get(position=1))}


def test_an_adjudicated_answer_goes_on_and_one_adjudicated_away_does_not(batch, panel, carol):
    settled(batch, panel, AGREED, TWO_TO_ONE)
    first, second = batch.items.all()[:2]

    reviews.adjudicate(item=first, label="malformed", reason="because", by=carol)
    reviews.adjudicate(item=second, label="plausible", reason="because", by=carol)

    assert accepted(batch) == {text_of(second)}


def test_an_excluded_answer_does_not_go_on(batch, panel, alice):
    settled(batch, panel, AGREED)
    reviews.exclude(item=batch.items.first(), reason="because", by=alice)

    assert accepted(batch) == set()


def test_answers_of_other_batches_do_not_go_on(study, batch, panel):
    settled(batch, panel, AGREED)
    other = launched(pool_of(study), name="other")

    assert accepted(other) == set()


def test_the_most_disputed_items_come_first(batch, panel):
    settled(batch, panel, AGREED, TWO_TO_ONE, ALL_APART, TWO_TO_ONE)

    disputes = candidates_and_flags.disputes(batch)

    found = [batch.items.get(public_id=each.item).position for each in disputes]
    assert found == [3, 4, 2]  # 4 is of the same question as 3


def test_an_item_that_was_decided_is_no_longer_in_dispute(batch, panel, carol):
    settled(batch, panel, ALL_APART)
    reviews.adjudicate(item=batch.items.first(), label="malformed", reason="because", by=carol)

    assert candidates_and_flags.disputes(batch) == []


def test_a_dispute_shows_the_question_the_answer_the_votes_and_what_was_remarked(batch, panel):
    settled(batch, panel, TWO_TO_ONE)
    item = batch.items.first()

    (dispute,) = candidates_and_flags.disputes(batch)

    assert dispute.item == str(item.public_id)
    assert dispute.turn == item.turn.key
    assert dispute.question == item.payload["question"]
    assert dispute.answer == text_of(item)
    assert dispute.votes == {"malformed": 1, "plausible": 2}
    assert len(dispute.comments) == 3


def test_a_dispute_has_no_place_for_names_runs_scores_or_references():
    assert [field.name for field in fields(DisputeSummary)] == [
        "item",
        "turn",
        "question",
        "answer",
        "votes",
        "comments",
    ]


def test_remarks_on_judgements_that_do_not_count_are_not_shown(batch, panel, alice):
    settled(batch, panel, TWO_TO_ONE)
    reviews.review(
        judgement=Judgement.objects.get(assignment__annotator__username="eve"),
        is_paid=False,
        paid_reason="hasty",
        is_counted=False,
        counted_reason="hasty",
        by=alice,
    )

    (dispute,) = candidates_and_flags.disputes(batch)

    assert sorted(dispute.comments) == ["bob thinks plausible", "dora thinks plausible"]


def test_a_quiet_judgement_leaves_no_empty_remark(batch, panel):
    for person, label in zip(panel, TWO_TO_ONE, strict=True):
        said = submission(label)
        judgements.submit(assignment=claim_one(batch, person), submission=said, by=person)
    settled(batch, panel)

    assert candidates_and_flags.disputes(batch)[0].comments == ()


# Flags


def flagged(batch: Batch, by: User, message: str, seconds: int = 0) -> Flag:
    return judgements.flag(
        assignment=claim_one(batch, by), message=message, by=by, now=after(seconds)
    )


def test_flags_nobody_answered_come_first_and_within_both_the_oldest(batch, panel, alice):
    bob, dora, eve = panel
    for person, message, at in [(bob, "b", 3), (dora, "d", 1), (eve, "e", 2)]:
        flagged(batch, person, message, at)
    flags.answer(flag=Flag.objects.get(message="d"), text="Skip it", by=alice)

    assert [flag.message for flag in candidates_and_flags.flags(batch)] == ["e", "b", "d"]


def test_a_flag_shows_the_item_the_message_and_every_answer(batch, panel, alice, carol):
    flag = flagged(batch, panel[0], "two answers in one")
    flags.answer(flag=flag, text="Judge the first", by=alice)
    flags.answer(flag=flag, text="Or skip it", by=carol)

    (found,) = candidates_and_flags.flags(batch)

    item = flag.assignment.item
    assert (found.flag, found.assignment) == (str(flag.public_id), str(flag.assignment.public_id))
    assert (found.item, found.turn) == (str(item.public_id), item.turn.key)
    assert (found.question, found.answer) == (item.payload["question"], text_of(item))
    assert (found.message, found.flagged_at) == ("two answers in one", NOW.isoformat())
    assert found.answers == ("Judge the first", "Or skip it")


def test_flags_of_other_batches_are_not_shown(study, batch, panel):
    flagged(batch, panel[0], "?")

    assert candidates_and_flags.flags(launched(pool_of(study), name="other")) == []


def test_a_flag_that_is_read_has_no_place_for_names_runs_scores_or_references():
    assert {field.name for field in fields(FlagSummary)} == {
        "flag",
        "assignment",
        "item",
        "turn",
        "question",
        "answer",
        "message",
        "flagged_at",
        "answers",
    }
