"""Which words of a text are marked for a question: text/question_words.py and the desk's filter."""

from hypothesis import given
from hypothesis import strategies as st

from annotation.templatetags.desk import highlight
from text import question_words


def marked(text, question):
    return [
        piece for piece, is_marked in question_words.highlighted_pieces(text, question) if is_marked
    ]


def test_words_with_the_stem_of_a_word_of_the_question_are_marked_and_stop_words_are_not():
    text = "The towers stood; who was building a Tower?"

    assert marked(text, "Who built a tower, and was it the tallest of the buildings?") == [
        "towers",
        "building",
        "Tower",
    ]


def test_a_letter_goes_with_its_marks():
    assert marked("दिन दीन", "दीन कहाँ है") == ["दीन"]
    assert marked("cafe\u0301 cafe", "Which café?") == ["cafe\u0301"]


def test_a_question_of_stop_words_marks_nothing():
    assert question_words.highlighted_pieces("It is what it is.", "What is it?") == [
        ("It is what it is.", False)
    ]


@given(st.text(), st.text())
def test_the_pieces_make_the_text_again(text, question):
    pieces = question_words.highlighted_pieces(text, question)

    assert "".join(piece for piece, _ in pieces) == text
    assert all(piece for piece, _ in pieces)


def test_what_is_marked_is_escaped_as_all_else():
    said = highlight('<b>tower</b> & "x"', "Which tower <b>?")

    assert said == (
        "&lt;<mark>b</mark>&gt;<mark>tower</mark>&lt;/<mark>b</mark>&gt; &amp; &quot;x&quot;"
    )
