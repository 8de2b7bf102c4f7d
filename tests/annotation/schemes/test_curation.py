"""What is asked of who curates a question, and what is refused: annotation/schemes/curation.py."""

import pytest

from annotation import curating, schemes
from annotation.schemes import ResponseError, payloads, sheet_layout
from tests.cases import all_cases

curation = schemes.get("curation")
KEPT = {"question": "keep", "answer": "keep", "proof": "keep", "type": "open"}


def content(*, answer="Oil.", proof="It burns  oil.", types=("closed", "open")):
    passage = {"title": "Lamps", "text": "It burns oil. It is old.", "sentences": []}
    payload = payloads.payload(
        question="What does it burn?", context=[], answers=[], evidence=None, passages=[passage]
    )
    own = types[0] if types else ""
    made = {"answer": answer, "proof": proof, "section": "", "type": own, "types": list(types)}
    return payload | {"made": made}


PAYLOAD = content()


@all_cases(
    ("response", "vote"),
    [
        (KEPT, "kept"),
        (KEPT | {"promote": "yes"}, "kept"),
        ({"question": "reject", "why.unclear": "yes"}, "rejected"),
        ({"question": "keep", "answer": "reject"}, "rejected"),
        (KEPT | {"question": "edit", "question_text": "What does the lamp burn?"}, "edited"),
        (KEPT | {"proof": "none"}, "edited"),
    ],
)
def test_a_whole_response_is_stored_as_it_is_and_is_a_vote(response, vote):
    cleaned = curation.clean(response, PAYLOAD)

    assert cleaned == response
    assert curation.label_of_vote(curation.label(cleaned)) == vote


@all_cases(
    ("response", "why"),
    [
        ({}, "question: choose one"),
        (KEPT | {"question": "edit"}, "question_text: write something"),
        (KEPT | {"question": "edit", "question_text": "What does  it burn? "}, "choose keep"),
        (KEPT | {"proof": "edit", "proof_text": "It burns oil."}, "choose keep"),
        (KEPT | {"answer": "edit", "answer_text": "Oil.\n"}, "choose keep"),
        (KEPT | {"answer_text": "Whale oil."}, "answer is edit, and something is written there"),
        ({"question": "reject", "answer": "keep"}, "nothing called answer"),
        (KEPT | {"answer": "reject"}, "nothing called proof"),
        (KEPT | {"type": "rhetorical"}, "type: choose one"),
        (KEPT | {"proof": "reject"}, "proof: choose one"),
    ],
)
def test_what_is_no_whole_response_is_refused_in_words(response, why):
    with pytest.raises(ResponseError, match=why):
        curation.clean(response, PAYLOAD)


def test_a_form_without_a_script_sends_every_box_and_only_what_is_asked_is_taken():
    boxes = {
        "question_text": "What does it burn?",
        "answer_text": "Oil.",
        "proof_text": "It burns\noil.",
    }
    sent = KEPT | boxes | {"question": "reject", "answer": "edit"}

    left = curation.without_unasked_answers(PAYLOAD, sent)

    assert curation.clean(left, PAYLOAD) == {"question": "reject"}


def test_only_what_a_question_has_is_asked_about():
    payload = content(answer="", proof="", types=())

    assert [each.name for each in curation.questions(payload)] == [
        *("question", "question_text", "question_why", "promote")
    ]


def test_the_type_and_the_texts_stand_on_the_screen_before_anything_is_said():
    shown = payloads.content_by_number(PAYLOAD)
    asked = sheet_layout.content_with_questions(curation, shown, {}, shows_all=True)["questions"]
    by_name = {each.question.name: each for each in asked}

    assert [is_set for _, is_set in by_name["type"].marks] == [True, False]
    assert by_name["proof_text"].written == "It burns  oil."
    assert not by_name["proof_text"].is_asked


@pytest.mark.parametrize(
    ("n", "most"), [(10, 4_000), (3_000, 6_000), (10_000, 20_000), (15_000, 20_000)]
)
def test_an_edit_may_be_twice_as_long_as_the_text_was_but_no_longer_than_what_the_desk_sends(
    n, most
):
    questions = curation.questions(content(proof="x" * n))

    assert next(each for each in questions if each.name == "proof_text").most == most


def test_edits_agree_but_for_white_space_and_normal_form():
    one = KEPT | {"question": "edit", "question_text": "Which oil  does a café burn?"}
    same = one | {"question_text": "Which oil does a cafe\u0301 burn?\n"}
    other = one | {"question_text": "Which oil does a bar burn?"}

    assert curating.vote(one) == curating.vote(same) != curating.vote(other)


def test_of_several_people_the_text_that_most_wrote_is_decided():
    first = {"question": "edit", "question_text": "A?"}
    others = [{"question": "edit", "question_text": text} for text in ("B?", " B?")]
    original = {"question": "C?", "answer": "D."}

    decided = curating.decided_texts(original, "edited", [first, *others])

    assert decided == {"question": "B?", "answer": "D."}
