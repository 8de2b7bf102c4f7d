"""What one screen shows: annotation/schemes/payloads.py."""

import inspect
import json

from hypothesis import given
from hypothesis import strategies as st

from annotation.schemes import payloads

json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


def test_a_payload_is_question_context_and_numbered_answers():
    made = payloads.payload(
        question="Who built it?", context=["Where is it?"], answers=["A", "B"], evidence=None
    )

    assert made == {
        "question": "Who built it?",
        "context": ["Where is it?"],
        "answers": [{"number": 1, "text": "A"}, {"number": 2, "text": "B"}],
    }


def test_evidence_is_shown_where_the_scheme_shows_it_even_if_there_is_none():
    shown = {"question": "q", "context": (), "answers": ("a",)}

    assert "evidence" not in payloads.payload(**shown, evidence=None)
    assert payloads.payload(**shown, evidence=())["evidence"] == []
    assert payloads.payload(**shown, evidence=("e",))["evidence"] == ["e"]


def test_a_payload_is_given_nothing_that_could_tell_where_an_answer_came_from():
    assert set(inspect.signature(payloads.payload).parameters) == {
        "question",
        "context",
        "answers",
        "evidence",
        "passages",  # their text only: where one was retrieved, and by whom, stays in its record
    }


def test_the_hash_is_that_of_the_canonical_json():
    """printf '{"a":"é","b":[1,null]}' | sha256sum"""
    golden = "3d92f6368f93f3cb36a4e7a721098054dfbfd705e31fa50409f2d99e0727a08c"

    assert payloads.sha256({"b": [1, None], "a": "é"}) == golden


def test_a_texts_hash_is_that_of_its_utf_8():
    """printf é | sha256sum"""
    assert payloads.text_sha256("é") == (
        "4a99557e4033c3539de2eb65472017cad5f9557f7a0625a09f1c3f6e2ba69c4c"
    )


@given(json_values)
def test_the_hash_survives_the_way_through_a_json_column(content):
    assert payloads.sha256(json.loads(json.dumps(content))) == payloads.sha256(content)


@given(st.dictionaries(st.text(), st.integers(), min_size=2, max_size=5))
def test_the_order_of_keys_changes_no_hash(content):
    assert payloads.sha256(dict(reversed(content.items()))) == payloads.sha256(content)


@given(st.lists(st.text(), min_size=2, max_size=4, unique=True))
def test_the_order_of_answers_and_what_they_say_changes_the_hash(answers):
    def of(texts: list[str]) -> str:
        made = payloads.payload(question="q", context=[], answers=texts, evidence=None)
        return payloads.sha256(made)

    assert of(answers) != of(list(reversed(answers)))
