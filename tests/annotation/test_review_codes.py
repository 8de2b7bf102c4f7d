"""The codes with which the shared task's organisers reviewed a campaign, on one that has each of them.

Step by step from judgements to verdicts, as their notebooks went; and what two defects of theirs did, each
named and shown beside what ours does: **keyed by text** (a code on an answer's text took hold of every turn
with that text) and **keyed by question** (a malformed verdict on one answer marked all answers of the
question). Theirs is told again here, in this module only.
"""

from collections import Counter

import pytest

from accounts.permissions import NotAllowedError
from annotation.actions import bulk_reviews, reviews, scai_review_codes, settlement
from annotation.models import Item, Judgement, SetAside, Verdict
from annotation.review_decisions import Decision, ReviewError
from tests.annotation.desk import assert_counts_match
from tests.annotation.judged_batches import DO_NOT_KNOW, JudgedBatch


def review_all(judged_batch, alice, carol, dora) -> None:
    for number in (6, 7):
        scai_review_codes.random_answer(
            judgement=judged_batch.judgement(number, judged_batch.fay), is_paid=False, by=alice
        )
    scai_review_codes.confusing_answer(item=judged_batch.item(4), by=alice)
    scai_review_codes.correct_answer(judgement=judged_batch.judgement(5, dora), by=carol)
    scai_review_codes.malformed_answer(item=judged_batch.item(3), by=carol)


def endings(judged_batch: JudgedBatch) -> dict[int, str]:
    current = (
        Verdict.objects.current().filter(item__batch=judged_batch.batch).select_related("item")
    )
    return {
        each.item.position: each.label or each.set_aside_reason or each.state for each in current
    }


# Step by step


def test_the_rows_of_each_step_are_as_counted_by_hand(judged_batch, alice, carol, dora):
    """17 → 15 (random removed) → 14 (only the correct where one is marked) → 12 (confusing removed)
    → 9 distinct (item, label), of which 5 are alone with their item: those settle, but for what is
    too few, and with what was adjudicated.
    """
    judgements = Judgement.objects.filter(assignment__item__batch=judged_batch.batch)
    assert judgements.count() == 17

    review_all(judged_batch, alice, carol, dora)
    counted = judgements.counted()
    assert counted.count() == 15

    marked = Item.objects.filter(adjudications__reason=reviews.MARKED_CORRECT)
    rows = [
        (row.assignment.item.position, row.response["plausibility"])
        for row in counted.select_related("assignment__item")
        if row.assignment.item not in marked
        or row.response["plausibility"] == row.assignment.item.adjudications.get().label
    ]
    assert len(rows) == 14
    rows = [row for row in rows if row[0] != 4]
    assert len(rows) == 12
    assert len(set(rows)) == 9
    assert sum(n == 1 for n in Counter(position for position, _ in set(rows)).values()) == 5


def test_every_code_leads_to_the_verdict_that_is_meant(judged_batch, alice, carol, dora):
    review_all(judged_batch, alice, carol, dora)

    settlement.settle(batch=judged_batch.batch, rule="unanimous", by=alice)

    assert endings(judged_batch) == {
        1: "plausible",
        2: "implausible",
        3: "malformed",  # malformed answer
        4: SetAside.EXCLUDED,  # confusing answer
        5: "plausible",  # correct answer
        6: "plausible",  # random answer: the other two agree
        7: SetAside.TOO_FEW,  # random answer: one judgement is left, and one is not agreed
        8: "disputed",
    }
    assert_counts_match(judged_batch.batch)


def test_without_review_the_rule_is_all_there_is(judged_batch, alice):
    settlement.settle(batch=judged_batch.batch, rule="unanimous", by=alice)

    assert Counter(endings(judged_batch).values()) == {
        "plausible": 1,
        "implausible": 1,
        "disputed": 6,
    }


@pytest.mark.parametrize("is_paid", [True, False])
def test_a_random_answer_does_not_count_and_its_pay_is_a_decision_of_its_own(
    judged_batch, alice, is_paid
):
    review = scai_review_codes.random_answer(
        judgement=judged_batch.judgement(6, judged_batch.fay), is_paid=is_paid, by=alice
    )

    assert (review.is_counted, review.counted_because) == (False, "random answer")
    assert review.is_paid == is_paid
    assert review.paid_because == ("in good faith" if is_paid else "random answers")


def test_malformed_and_correct_are_for_adjudicators(judged_batch, alice, dora):
    with pytest.raises(NotAllowedError):
        scai_review_codes.malformed_answer(item=judged_batch.item(3), by=alice)
    with pytest.raises(NotAllowedError):
        scai_review_codes.correct_answer(judgement=judged_batch.judgement(5, dora), by=alice)


def test_a_scheme_without_malformed_answers_refuses_the_code(judged_batch, carol):
    judged_batch.batch.scheme = "faithfulness"
    judged_batch.batch.save(update_fields=["scheme"])

    with pytest.raises(ReviewError, match="has no label malformed"):
        scai_review_codes.malformed_answer(item=judged_batch.item(3), by=carol)


# Their two defects


def theirs_keyed_by_text(judged_batch: JudgedBatch, confusing: str) -> set[int]:
    """The items that a notebook leaves out when it drops every row whose answer is that text."""
    return {item.position for item in judged_batch.items if text_of(item) == confusing}


def theirs_keyed_by_question(judged_batch: JudgedBatch, malformed: Item) -> set[int]:
    """The items that a notebook takes for malformed when it marks the question of the answer."""
    return {item.position for item in judged_batch.items if item.turn_id == malformed.turn_id}


def text_of(item: Item) -> str:
    return item.payload["answers"][0]["text"]


def test_keyed_by_text_a_confusing_answer_takes_another_turns_answer_with_it_ours_does_not(
    judged_batch, alice, carol, dora
):
    """Item 4 is confusing. Its text answers turn 1 too, where two people agreed on it (item 2)."""
    assert text_of(judged_batch.item(4)) == text_of(judged_batch.item(2)) == DO_NOT_KNOW
    assert theirs_keyed_by_text(judged_batch, DO_NOT_KNOW) == {2, 4}

    review_all(judged_batch, alice, carol, dora)
    settlement.settle(batch=judged_batch.batch, rule="unanimous", by=alice)

    ours = {position for position, end in endings(judged_batch).items() if end == SetAside.EXCLUDED}
    assert ours == {4}
    assert endings(judged_batch)[2] == "implausible"


def test_keyed_by_question_a_malformed_answer_takes_its_neighbours_with_it_ours_does_not(
    judged_batch, alice, carol, dora
):
    """Item 3 is malformed. Two more answers were given to its question, both well-formed (1 and 2)."""
    assert theirs_keyed_by_question(judged_batch, judged_batch.item(3)) == {1, 2, 3}

    review_all(judged_batch, alice, carol, dora)
    settlement.settle(batch=judged_batch.batch, rule="unanimous", by=alice)

    ours = {position for position, end in endings(judged_batch).items() if end == "malformed"}
    assert ours == {3}
    assert (endings(judged_batch)[1], endings(judged_batch)[2]) == ("plausible", "implausible")


def test_in_bulk_the_codes_act_on_these_judgements_alone(judged_batch, alice):
    spam = Decision(False, "random answers", "", False, "random answer", "")
    decisions = {judgement.pk: spam for judgement in judged_batch.of(judged_batch.fay)}

    bulk_reviews.decide(batch=judged_batch.batch, decisions=decisions, by=alice)

    counted = Judgement.objects.counted().filter(assignment__item__batch=judged_batch.batch)
    assert counted.count() == 15
    assert not counted.filter(assignment__annotator=judged_batch.fay).exists()
