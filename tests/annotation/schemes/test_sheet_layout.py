"""A sheet as it stands on a screen: annotation/schemes/sheet_layout.py, and what its scheme makes of odd screens."""

import pytest
from django.template.loader import render_to_string

from annotation import schemes
from annotation.schemes import ResponseError, Row, payloads, sheet_layout
from tests.annotation.sheets import ANSWERS, PASSAGES, content, ratings

rating, relevance = schemes.get("rating"), schemes.get("relevance")


def screen(payload, said=None, order=None, scheme=rating, **more):
    shown = payloads.content_in_order(
        payload, order or [each["number"] for each in payload["answers"]]
    )
    return sheet_layout.content_with_questions(
        scheme, shown, said or {}, **({"shows_all": False} | more)
    )


def asked_of(shown):
    """All questions of the screen, in the order of reading."""
    lines = list(shown["questions"])
    for each in [*shown["passages"], *shown["answers"]]:
        lines += each["questions"]
    return lines


def names(lines):
    return [each.question.name for each in lines]


def test_nothing_is_set_before_something_was_said():
    for scheme in (rating, relevance):
        shown = screen(content(3, 3), scheme=scheme)

        assert not any(is_set for each in asked_of(shown) for _, is_set in each.marks)


def test_each_answer_and_passage_has_its_own_questions_wherever_it_stands():
    shown = screen(content(3, 2), order=[3, 1, 2], shows_all=True)

    assert names(shown["questions"]) == ["confidence"]
    assert [each["letter"] for each in shown["answers"]] == ["A", "B", "C"]
    assert names(shown["answers"][0]["questions"]) == [
        "appropriate.3",
        "is.3",
        "faithful.3",
        "supports.3",
    ]
    assert names(shown["passages"][1]["questions"]) == ["relevant.2"]


def test_a_first_part_has_no_passage_and_once_it_is_over_what_was_said_in_it_is_shut():
    first, second = screen(content(1, 1)), screen(content(1, 1), ratings(1), shows_all=True)

    assert first["passages"] == []
    assert not first["sheet"].is_last
    assert {each.question.part for each in asked_of(first)} == {1}
    assert len(second["passages"]) == 1
    assert second["sheet"].is_last
    assert {each.question.part for each in asked_of(second)} == {1, 2}
    assert {each.question.part for each in asked_of(second) if each.is_closed} == {1}


def test_every_point_of_a_scale_has_its_words():
    (confidence,) = screen(content(1, 1))["questions"]

    words = [mark.words for mark, _ in confidence.marks]
    assert words == ["not at all", "a little", "mostly", "completely"]


def test_what_depends_on_another_answer_is_asked_where_that_was_said():
    def asked(faithful):
        lines = asked_of(screen(content(1, 2), {"faithful.1": faithful}, shows_all=True))
        return {each.question.name: each.is_asked for each in lines}["supports.1"]

    assert [asked(value) for value in "1234"] == [False, False, True, True]


def test_what_is_missing_is_marked_in_the_open_part_alone():
    shown = screen(content(1, 1), {"confidence": "1"}, marks_missing=True)

    assert names(each for each in asked_of(shown) if each.is_missing) == ["appropriate.1"]
    assert shown["sheet"].n_missing == 1


def test_without_a_passage_a_rating_has_one_part():
    shown = screen(content(2, 0))

    assert shown["sheet"].is_last
    assert (shown["sheet"].part, shown["sheet"].n_parts) == (1, 1)
    assert not [name for name in names(asked_of(shown)) if name.startswith("faithful")]
    said = {"confidence": "1", "appropriate.1": "1", "appropriate.2": "1"}
    assert rating.clean(said, content(2, 0)) == said


def test_of_a_single_passage_nobody_is_asked_whether_it_is_relevant_or_supports():
    found = names(asked_of(screen(content(1, 1), shows_all=True)))

    assert found == ["confidence", "appropriate.1", "is.1", "faithful.1"]


def test_from_the_tenth_passage_on_a_tick_has_no_key():
    """As "10" it would say to press 1 and 0, and 1 sets the first."""
    payload = payloads.payload(
        question="Who?", context=[], answers=["They."], evidence=None, passages=[PASSAGES[0]] * 11
    )

    supports = screen(payload, shows_all=True)["answers"][0]["questions"][-1]
    drawn = render_to_string("annotation/schemes/_asked.html", {"asked": supports})

    assert [mark.key for mark, _ in supports.marks] == [*"123456789", "", ""]
    assert [drawn.count(each) for each in ("<input", "aria-keyshortcuts", "<kbd")] == [11, 9, 9]


def test_twelve_answers_are_called_by_twelve_letters():
    many = payloads.payload(
        question="Who?",
        context=[],
        answers=[f"Answer {n}." for n in range(1, 13)],
        evidence=None,
        passages=PASSAGES[:1],
    )
    order = list(range(12, 0, -1))

    shown = screen(many, order=order)

    assert "".join(each["letter"] for each in shown["answers"]) == "ABCDEFGHIJKL"
    lines = rating.response_lines(ratings(12), order, many, payloads.letters(order))
    assert lines[:3] == ["confidence 3", "L: appropriate 2", "K: appropriate 3"]


def test_relevance_asks_of_each_passage_and_of_nothing_else():
    shown = screen(content(0, 3), scheme=relevance)

    assert names(asked_of(shown)) == ["relevant.1", "relevant.2", "relevant.3"]
    assert len(shown["passages"]) == 3
    said = {"relevant.1": "relevant", "relevant.2": "irrelevant", "relevant.3": "irrelevant"}
    assert relevance.rows(said, [], content(0, 3))[1] == Row(
        question="relevant", label="irrelevant", passage_number=2
    )


def test_ticks_of_a_question_that_is_not_asked_are_left_out_and_all_else_is_kept():
    said = ratings(1, 2) | {"faithful.1": "2", "unknown.1": "yes", "odd": "yes"}

    kept = rating.without_unasked_answers(content(1, 2), said)

    assert kept == {name: value for name, value in said.items() if name != "supports.1.1"}
    with pytest.raises(ResponseError, match="nothing called odd is asked here"):
        rating.clean(kept, content(1, 2))


def test_a_content_without_its_sheet_is_as_it_was():
    payload = content(2, 2)

    screen(payload, ratings(2, 2), shows_all=True)

    assert payload == content(2, 2)
    assert [each["text"] for each in payload["answers"]] == list(ANSWERS[:2])
