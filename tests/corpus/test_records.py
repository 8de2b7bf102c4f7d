import dataclasses

import pytest

from corpus.records import (
    AnswerRecord,
    DatasetRecords,
    PassageRecord,
    QuestionRecord,
    TurnRecord,
    turn_id,
    with_questions,
)


def turn(number: int, conversation: str = "1") -> TurnRecord:
    return TurnRecord(conversation, number, "", "rewrite", "reference", (), {"Turn_no": number})


def test_a_turn_id_joins_conversation_and_number():
    assert turn_id("12", 3) == "12_3"
    assert turn(3, "12").turn_id == "12_3"
    assert QuestionRecord("12", 3, "Why?").turn_id == "12_3"


def test_records_cannot_be_changed():
    with pytest.raises(dataclasses.FrozenInstanceError):
        AnswerRecord("1_1", "text", "", (), 1).text = "other"


def test_a_turn_can_stand_in_a_set_although_its_source_is_a_dict():
    assert len({turn(1), turn(1), turn(2)}) == 2


def test_records_of_a_dataset_are_its_turns_and_its_passages():
    passage = PassageRecord("p1", "text", "", "1_1")

    assert DatasetRecords((turn(1),), (passage,)).records == (turn(1), passage)


def test_a_question_is_given_to_its_turn_and_the_rest_of_the_turn_stays():
    (told,) = with_questions([turn(1)], [QuestionRecord("1", 1, "Why?")])

    assert told == dataclasses.replace(turn(1), question="Why?")


def test_a_turn_whose_question_is_not_told_keeps_none():
    assert with_questions([turn(1)], []) == (turn(1),)


def test_a_question_without_truth_becomes_a_turn_without_truth():
    turns = with_questions([turn(2)], [QuestionRecord("1", 1, "Why?")])

    assert turns == (turn(2), TurnRecord("1", 1, "Why?", "", "", ()))
    assert turns[1].source == {}
