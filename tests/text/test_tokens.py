import re
import string
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from tests.cases import all_cases
from text.tokens import Token, located_words, normalise, tokens, words, words_and_places

TRICKY = st.text(
    st.sampled_from("aAnTthHeE İıßΣς—'.,_-/ \t\n\x00\x1c\x85\xa0\u2028\u3000\u0307é漢1٣\ud800"),
    max_size=30,
)
TEXTS = st.one_of(TRICKY, st.text(max_size=40))


def official_normal_form(text: str) -> str:
    """Written after SQuAD's evaluate-v1.1.py, step by step."""
    lower = text.lower()
    unpunctuated = "".join(ch for ch in lower if ch not in set(string.punctuation))
    return " ".join(re.sub(r"\b(a|an|the)\b", " ", unpunctuated).split())


@all_cases(
    ("text", "expected"),
    [
        ("The Cat's  mat.", "cats mat"),
        ("an apple a day", "apple day"),
        ("U.S.-based", "usbased"),
        ("t.h.e end", "end"),
        ("theatre", "theatre"),
        ("cat—the—dog", "cat— —dog"),
        ("cat—an—dog—a", "cat— —dog—"),
        ("", ""),
        ("a, the!", ""),
        ("...", ""),
    ],
)
def test_the_normal_form_is_that_of_squad(text, expected):
    assert normalise(text) == expected


@given(TEXTS)
def test_the_normal_form_of_any_text_is_the_official_one(text):
    assert normalise(text) == official_normal_form(text)


@given(TEXTS)
def test_tokens_are_the_words_of_the_normal_form(text):
    assert [token.text for token in tokens(text)] == words(text) == normalise(text).split()


@given(TEXTS)
def test_token_ranges_follow_one_another_and_hold_their_words(text):
    found = tokens(text)

    assert all(0 <= token.start < token.end <= len(text) for token in found)
    assert all(left.end <= right.start for left, right in pairwise(found))


@given(st.text(st.sampled_from("aAtThHeEc.,'— İ\n"), max_size=30))
def test_what_a_range_holds_has_the_token_as_its_normal_form(text):
    for token in tokens(text):
        held = text[token.start : token.end]
        assert official_normal_form(held) == token.text
        assert held == held.strip()


def test_a_token_keeps_the_range_of_its_raw_token_with_punctuation():
    assert tokens("He (may) go...") == [
        Token("he", 0, 2),
        Token("may", 3, 8),
        Token("go", 9, 14),
    ]


def test_a_raw_token_divided_by_an_article_gives_tokens_with_their_own_ranges():
    assert tokens("cat—the—dog") == [Token("cat—", 0, 4), Token("—dog", 7, 11)]


def test_punctuation_beside_a_dividing_article_stays_with_the_part_it_touches():
    assert tokens("\"cat—'the'—dog.\"") == [Token("cat—", 0, 6), Token("—dog", 9, 16)]


def test_ranges_count_the_raw_text_where_lower_casing_makes_it_longer():
    assert tokens("İİ is İa, b") == [
        Token("i̇i̇", 0, 2),
        Token("is", 3, 5),
        Token("i̇", 6, 7),
        Token("b", 10, 11),
    ]


def test_a_final_sigma_is_lower_cased_as_in_the_whole_text():
    assert tokens("ΟΔΟΣ.")[0].text == "οδος" == normalise("ΟΔΟΣ.")


def test_words_of_punctuation_and_articles_give_no_token():
    assert tokens(" -- The , a ! ") == []


@given(st.one_of(TEXTS, st.text(st.sampled_from("ab the. "), max_size=12)))
def test_a_place_that_is_asked_for_alone_is_that_among_all(text):
    """Also where words are parted by one sign each, and where the text begins or ends with white space."""
    expected = located_words(text)

    found, places = words_and_places(text)

    assert (found, len(places)) == (expected[0], len(expected[1]))
    assert [places[index] for index in range(len(places))] == expected[1]
    assert places[1:] == expected[1][1:]
    assert [text[start:end].split() for start, end in places] == [
        [text[start:end]] for start, end in places
    ]
