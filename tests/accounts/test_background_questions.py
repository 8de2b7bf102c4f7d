"""What is promised of reading background questions: accounts/background_questions.py."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from accounts.background_questions import BackgroundTextError, Question, as_text, read
from tests.cases import all_cases

LINE = (
    st.text("abc é?(x)_", min_size=1, max_size=20)
    .map(str.strip)
    .filter(lambda text: text and not text.startswith("(") and not re.fullmatch("_{3,}", text))
)


@st.composite
def questions(draw):
    return Question(
        text="\n".join(draw(st.lists(LINE, min_size=1, max_size=3))),
        choices=tuple(
            draw(st.one_of(st.just([]), st.lists(LINE, min_size=2, max_size=9, unique=True)))
        ),
    )


@given(st.lists(questions(), max_size=4, unique_by=lambda each: each.text))
def test_what_is_written_is_read_again(given_questions):
    assert read(as_text(given_questions)) == given_questions


@all_cases(
    ("text", "says"),
    [
        ("( ) a", "line 1: a choice has no question"),
        ("___", "line 1: a line for an answer in words has no question"),
        ("Q?\n( ) a\n( ) b\n___", "line 4: a question has choices, or one line ___"),
        ("Q?\n___\n( ) a", "line 3: a question has choices, or one line ___"),
        ("Q?\n___\n___", "line 3: a question has choices, or one line ___"),
        ("Q?\n( ) a\nb", "line 3: expected was a choice"),
        ("Q?\n___\nb", "line 3: expected was a choice"),
        ("Q?\n( ) a\n(x) b", "line 3: no choice is right here"),
        ("Q?\n( ) a\n( ) a", "line 3: the choice stands there twice"),
        ("Q?\n( )\n( ) a", "line 2: a choice has 1 to 300 characters"),
        (f"Q?\n( ) {'a' * 301}\n( ) a", "line 2: a choice has 1 to 300 characters"),
        ("\n\nQ?\n( ) a", "the question in line 3 has 1 choice; it needs 2 to 20"),
        ("Q?", "the question in line 1 has 0 choices; it needs 2 to 20"),
        (f"{'q' * 1001}\n___", "the question in line 1 has more than 1000"),
        ("Q?\n___\n\nQ?\n( ) a\n( ) b", "the question in line 4 stands there twice"),
        ("\n\n".join(f"Q{n}?\n___" for n in range(21)), "at most 20 questions, not 21"),
        ("Q?\0\n___", "NUL"),
    ],
)
def test_what_is_wrong_is_named_with_its_line(text, says):
    with pytest.raises(BackgroundTextError, match=re.escape(says)):
        read(text)


def test_an_empty_text_has_no_questions():
    assert read(" \n\n") == []


def test_another_wording_and_other_choices_are_another_question():
    asked = Question("Do you sail?", ("yes", "no"))

    assert len({asked.sha256, Question("Do you sail?").sha256, Question("Do you row?").sha256}) == 3
    assert asked.sha256 == Question("Do you sail?", ("yes", "no")).sha256
