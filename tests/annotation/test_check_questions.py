"""What is promised of reading questions on a guideline: annotation/check_questions.py."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.check_questions import CheckTextError, Question, as_text, read
from tests.cases import all_cases

LINE = (
    st.text("abc é?(x)", min_size=1, max_size=20)
    .map(str.strip)
    .filter(lambda text: text and not text.startswith(("(", ">")))
)


@st.composite
def questions(draw):
    choices = draw(st.lists(LINE, min_size=2, max_size=9, unique=True))
    return Question(
        text="\n".join(draw(st.lists(LINE, min_size=1, max_size=3))),
        choices=tuple(choices),
        right=draw(st.integers(0, len(choices) - 1)),
        explanation="\n".join(draw(st.lists(LINE, max_size=2))),
    )


@given(st.lists(questions(), max_size=4))
def test_what_is_written_is_read_again(given_questions):
    assert read(as_text(given_questions)) == given_questions
    assert [Question.from_dict(each.to_dict()) for each in given_questions] == given_questions


@all_cases(
    ("text", "says"),
    [
        ("(x) a", "line 1: a choice has no question"),
        ("Q?\n> Why", "line 2: an explanation comes after the choices"),
        ("Q?\n( ) a\n(x) b\n> Why\n( ) c", "line 5: a choice comes before the explanation"),
        ("Q?\n( ) a\nb", "line 3: expected was a choice"),
        ("Q?\n( ) a\n(x) a", "line 3: the choice stands there twice"),
        ("Q?\n( )\n(x) a", "line 2: a choice has 1 to 300 characters"),
        ("\n\nQ?\n(x) a", "the question in line 3 has 1 choices"),
        ("Q?\n( ) a\n( ) b", "the question in line 1 marks 0 choices as right"),
        ("Q?\n(x) a\n(x) b", "the question in line 1 marks 2 choices as right"),
        (f"{'q' * 1001}\n(x) a\n( ) b", "the question in line 1 has more than 1000"),
        ("\n\n".join(["Q?\n(x) a\n( ) b"] * 21), "at most 20 questions, not 21"),
        ("Q?\0\n(x) a\n( ) b", "NUL"),
    ],
)
def test_what_is_wrong_is_named_with_its_line(text, says):
    with pytest.raises(CheckTextError, match=re.escape(says)):
        read(text)


def test_an_empty_text_has_no_questions():
    assert read(" \n\n") == []
