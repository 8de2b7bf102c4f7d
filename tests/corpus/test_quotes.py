import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus import quotes
from corpus.quotes import QuoteStatus
from tests.cases import all_cases

PASSAGE = "She was born in 1999. In 1999, then."


@all_cases(
    ("quote", "status"),
    [
        ("born in 1999", "usable"),
        (" born in 1999\n", "usable"),
        ("", "empty"),
        (" \n", "empty"),
        ("Born in 1999", "not in passage"),
        ("born  in 1999", "not in passage"),
        ("was born in 1999", "too long"),
        ("was never born in 1999", "not in passage"),
    ],
)
def test_a_quote_is_usable_only_verbatim_and_within_the_word_limit(quote, status):
    assert quotes.check(quote, PASSAGE, most_words=3).status == status


def test_a_quote_from_a_passage_without_text_says_so():
    assert quotes.check("born", None, most_words=3).status is QuoteStatus.NOT_HELD


def test_an_empty_quote_is_empty_even_if_the_passage_is_not_held():
    assert quotes.check(" ", None, most_words=3).status is QuoteStatus.EMPTY


def test_no_quote_is_in_an_empty_passage():
    assert quotes.check("born", "", most_words=3).status is QuoteStatus.NOT_IN_PASSAGE


def test_the_offsets_are_those_of_the_first_place_without_outer_white_space():
    found = quotes.check(" 1999 ", PASSAGE, most_words=3)

    assert (found.start, found.end, found.n_words) == (16, 20, 1)


def test_what_is_not_in_the_passage_has_no_offsets():
    found = quotes.check("2000", PASSAGE, most_words=3)

    assert (found.start, found.end) == (None, None)


@given(st.text(), st.text(), st.text())
def test_what_is_cut_out_of_a_passage_is_found_in_it(before, quote, after):
    passage = before + quote + after

    found = quotes.check(quote, passage, most_words=len(quote))

    if found.status is QuoteStatus.USABLE:
        assert passage[found.start : found.end] == quote.strip()
    else:
        assert (found.status, quote.strip()) == (QuoteStatus.EMPTY, "")


@pytest.mark.parametrize(
    ("quote", "status", "found"),
    [
        (" in 1999. In", "found", "in 1999. In"),
        ("in  1999.\nIn", "found after folding white space", "in 1999. In"),
        ("In 1998", "not there", None),
        (" ", "not there", None),
    ],
)
def test_a_quote_is_placed_as_it_is_or_with_its_white_space_folded(quote, status, found):
    place = quotes.place(quote, PASSAGE)

    assert place.status == status
    assert (None if place.start is None else PASSAGE[place.start : place.end]) == found
