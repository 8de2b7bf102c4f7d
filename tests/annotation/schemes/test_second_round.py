"""What a second round of written answers asks, and what it refuses: annotation/schemes/writing.py."""

import pytest

from annotation import schemes
from annotation.schemes import ResponseError, payloads
from annotation.schemes.routing import Written
from tests.cases import all_cases

writing = schemes.get("writing")
CONFIRMED = {"makes_sense": "yes", "concise": "yes", "grammatical": "yes"}
WRITTEN = Written("answered", "It rises.\nIt rises.", (0, 1, 3))
KEPT = {
    "outcome": "answered",
    **{f"s.1.{n}": "yes" for n in WRITTEN.ticked},
    "answer": WRITTEN.answer,
    "kept": "keep",
    **CONFIRMED,
}
MODIFIED = KEPT | {"kept": "modify"}
SENTENCES = ["It rises.", "It falls.", "It rises."]


def content(written: Written = WRITTEN) -> dict:
    passage = {"title": "Tide", "text": " ".join(SENTENCES), "sentences": SENTENCES}
    shown = payloads.payload(
        question="what is a tide", context=[], answers=[], evidence=None, passages=[passage]
    )
    return shown | {"written": written.to_payload()}


UNANSWERABLE = content(Written("unanswerable", "", ()))


def without(response: dict, *names: str) -> dict:
    return {name: value for name, value in response.items() if name not in names}


def test_it_asks_whether_the_answer_is_kept_and_begins_with_what_was_written():
    names = [question.name for question in writing.questions(content())]

    assert names == ["outcome", "kept", "s.1", "answer", "minimal", "reason", "confirm"]
    assert writing.given_response(content()) == without(KEPT, "kept", *CONFIRMED)
    assert writing.given_response(without(content(), "written")) == {}


@all_cases(
    ("payload", "response"),
    [
        (content(), KEPT),
        (content(), KEPT | {"minimal": "yes"}),
        (content(), without(MODIFIED, "s.1.0") | {"answer": "It falls."}),
        (content(), {"outcome": "unanswerable", "kept": "modify"}),
        (content(), {"outcome": "skip", "reason": "other"}),
        (UNANSWERABLE, {"outcome": "unanswerable", "kept": "keep"}),
        (UNANSWERABLE, MODIFIED),
    ],
)
def test_what_is_kept_modified_or_skipped_is_stored_as_it_is(payload, response):
    assert writing.clean(response, payload) == response


@all_cases(
    ("payload", "response", "why"),
    [
        (content(), KEPT | {"answer": "It rises. It rises."}, "the text differ"),
        (content(), without(KEPT, "s.1.0"), "the ticked sentences differ"),
        (content(), KEPT | {"s.1.2": "yes", "answer": "No."}, "text and the ticked sentences"),
        (content(), {"outcome": "unanswerable", "kept": "keep"}, "outcome and the text and"),
        (UNANSWERABLE, KEPT, "the outcome"),
        (content(), without(KEPT, "kept"), "kept: choose one of keep, modify"),
        (content(), KEPT | {"kept": "maybe"}, "kept: choose one of keep, modify"),
        (content(), {"outcome": "skip", "reason": "other", "kept": "keep"}, "called kept"),
        (content(), without(KEPT, "concise"), "“concise” is not"),
    ],
)
def test_what_says_two_things_at_once_is_refused_in_words(payload, response, why):
    with pytest.raises(ResponseError, match=why):
        writing.clean(response, payload)


def test_a_first_round_does_not_ask_whether_something_is_kept():
    with pytest.raises(ResponseError, match="nothing called kept"):
        writing.clean(KEPT, without(content(), "written"))


def test_line_ends_of_a_form_do_not_make_a_kept_answer_another():
    sent = KEPT | {"answer": WRITTEN.answer.replace("\n", "\r\n")}

    assert writing.clean(sent, content()) == KEPT


@pytest.mark.parametrize("outcome", ["unanswerable", "skip"])
def test_a_text_of_somebody_else_is_in_nobodys_way_and_ones_own_is_not_dropped(outcome):
    sent = MODIFIED | {"outcome": outcome, "reason": "other"}

    left = writing.without_unasked_answers(content(), sent)
    own = writing.without_unasked_answers(content(), sent | {"answer": "It falls."})

    assert "answer" not in left
    assert own["answer"] == "It falls."


def test_simulated_people_who_modify_tick_one_sentence_more():
    given = content()["written"]["ticked"]
    said = [
        writing.simulated_response(content(), [], seed=1, annotator=n, item="i", accuracy=0.1)
        for n in range(40)
    ]

    modified = [Written.of_response(each) for each in said if each.get("kept") == "modify"]
    ticks = {each.ticked for each in modified if each.outcome == "answered"}
    assert len(ticks) == 1
    body = {n for n in given if n}
    (found,) = ticks
    assert body < set(found)
    assert len(found) == len(body) + 1


@pytest.mark.parametrize("payload", [content(), UNANSWERABLE])
def test_simulated_people_keep_and_modify_and_all_of_it_is_valid(payload):
    said = [
        writing.simulated_response(payload, [], seed=1, annotator=n, item="i", accuracy=0.1)
        for n in range(40)
    ]

    assert {each.get("kept") for each in said} == {"keep", "modify", None}
    for each in said:
        assert writing.clean(each, payload) == each
