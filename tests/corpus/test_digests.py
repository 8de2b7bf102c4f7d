import dataclasses
import hashlib
import json
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus.digests import answers_digest, difference, digest
from corpus.records import AnswerRecord, CitationRecord, PassageRecord, ScoreRecord, TurnRecord
from tests.cases import all_cases

TURN = TurnRecord("1", 1, "Why?", "Why gold?", "Because.", ("p1", "p2"), {"Turn_no": 1})
CITED = (CitationRecord("p1", 1, 2.5, "gold"), CitationRecord("p2", None, None, "stone"))
ANSWER = AnswerRecord("1_1", " Because.", "Why gold?", CITED, 1)
PASSAGE = PassageRecord("p1", "All about gold.", "https://example.org", "1_1")
SCORE = ScoreRecord("1_1", "gpt3", 0.8)


def turns(n: int) -> list[TurnRecord]:
    return [dataclasses.replace(TURN, number=number) for number in range(1, n + 1)]


def test_the_digest_is_the_sha256_of_the_sorted_hashes_of_canonical_json():
    canonical = b'["score","1_1","gpt3",{"value":0.8}]'

    expected = hashlib.sha256(hashlib.sha256(canonical).digest()).hexdigest()
    assert digest([SCORE]) == expected


def test_a_digest_forgets_the_order_of_records():
    records = [*turns(9), ANSWER, PASSAGE, SCORE]
    shuffled = random.Random(4).sample(records, len(records))

    assert digest(shuffled) == digest(records)


@pytest.mark.parametrize(
    "same",
    [
        dataclasses.replace(TURN, truth_passages=("p2", "p1")),
        dataclasses.replace(TURN, source={"Turn_no": "1"}),
        dataclasses.replace(ANSWER, index=7),
        dataclasses.replace(ANSWER, citations=CITED[::-1]),
        dataclasses.replace(SCORE, value=0.8000000000000000),
    ],
)
def test_what_carries_no_meaning_changes_neither_digest_nor_difference(same):
    original = {TurnRecord: TURN, AnswerRecord: ANSWER, ScoreRecord: SCORE}[type(same)]

    assert digest([same]) == digest([original])
    assert not difference([original], [same])


@pytest.mark.parametrize(("one", "other"), [(1, 1.0), (0.0, -0.0)])
def test_equal_numbers_have_equal_digests(one, other):
    assert digest([ScoreRecord("1_1", "a", one)]) == digest([ScoreRecord("1_1", "a", other)])


CHANGES = [
    (TURN, "question", "How?"),
    (TURN, "rewrite", "How gold?"),
    (TURN, "reference", ""),
    (TURN, "truth_passages", ()),
    (ANSWER, "text", "Because."),
    (ANSWER, "rewrite", ""),
    (ANSWER, "citations", CITED[:1]),
    (ANSWER, "citations", (dataclasses.replace(CITED[0], quote=""), CITED[1])),
    (ANSWER, "citations", (dataclasses.replace(CITED[0], score=2.25), CITED[1])),
    (ANSWER, "citations", (dataclasses.replace(CITED[0], rank=2), CITED[1])),
    (PASSAGE, "text", ""),
    (PASSAGE, "url", ""),
    (SCORE, "value", 0.9),
]


@all_cases(("record", "field", "value"), CHANGES)
def test_every_field_with_meaning_changes_the_digest_and_is_named(record, field, value):
    changed = dataclasses.replace(record, **{field: value})

    assert digest([changed]) != digest([record])
    assert difference([record], [changed]).fields == ((field, 1),)


def test_a_record_of_another_kind_has_another_digest():
    answer = AnswerRecord("1_1", "", "", (), 1)
    turn = TurnRecord("1", 1, "", "", "", ())

    assert digest([answer]) != digest([turn])


texts = st.text(max_size=3)
records = st.lists(
    st.builds(PassageRecord, docid=st.sampled_from("abc"), text=texts, url=texts, turn_id=st.none())
    | st.builds(ScoreRecord, st.sampled_from(["1_1", "2_1"]), st.just("r"), st.integers(0, 2)),
    unique_by=lambda record: getattr(record, "docid", "") or record.turn_id,
    max_size=4,
)


@given(records, records)
def test_digests_are_equal_exactly_where_the_difference_is_empty(old, new):
    assert (digest(old) == digest(new)) == (not difference(old, new))


def test_a_difference_in_a_sentence():
    old = turns(10)
    new = [dataclasses.replace(turn, reference="So.") for turn in old[1:8]] + old[8:]
    new[0] = dataclasses.replace(new[0], rewrite="How?")
    new.append(dataclasses.replace(TURN, conversation="10"))
    new.append(dataclasses.replace(TURN, conversation="2"))

    assert str(difference(old, new)) == (
        "2 added (turn 2_1, turn 10_1); 1 removed (turn 1_1); 7 changed (turn 1_2, turn 1_3, "
        "turn 1_4, turn 1_5, turn 1_6 and 2 more: reference in 7, rewrite in 1)"
    )


def test_a_difference_names_passages_by_turn_and_id_and_scores_by_turn_and_run():
    assert (
        str(difference([SCORE], [PASSAGE]))
        == "1 added (passage 1_1 p1); 1 removed (score 1_1 gpt3)"
    )


def test_no_difference_says_so():
    same = difference([TURN], [TURN])

    assert not same
    assert str(same) == "no difference"


def test_a_difference_does_not_depend_on_the_order_of_records():
    old, new = turns(20), [ANSWER, *turns(3)]

    assert difference(old[::-1], new[::-1]) == difference(old, new)


def test_two_runs_with_the_same_answers_have_the_same_answers_digest():
    other = dataclasses.replace(ANSWER, text="Because.\n", rewrite="", citations=(), index=9)
    silent = AnswerRecord("1_2", " ", "", (), 10)

    assert answers_digest([ANSWER]) == answers_digest([silent, other])


def test_runs_that_answer_otherwise_have_another_answers_digest():
    elsewhere = dataclasses.replace(ANSWER, turn_id="1_2")
    otherwise = dataclasses.replace(ANSWER, text="because.")

    assert len({answers_digest([each]) for each in (ANSWER, elsewhere, otherwise)}) == 3


def test_the_answers_digest_is_the_sha256_of_turns_and_texts():
    expected = hashlib.sha256(json.dumps([["1_1", "Because."]], separators=(",", ":")).encode())

    assert answers_digest([ANSWER]) == expected.hexdigest()
