"""What is promised of the closed lists of reasons: annotation/review_reasons.py."""

import pytest

from annotation import review_reasons
from annotation.review_reasons import COUNTED, PAID, ReasonError
from tests.cases import all_cases


def test_a_code_that_fits_needs_no_words():
    for reasons in review_reasons.LISTS.values():
        for outcome in (True, False):
            for reason in reasons.fitting(outcome):
                words = "because" if reason.code == review_reasons.OTHER else ""
                review_reasons.require_fits(reason.code, words, reasons, outcome)


@pytest.mark.parametrize(
    ("code", "words", "reasons", "outcome", "said"),
    [
        ("random answer", "", COUNTED, True, "random answer is no reason for counted: good, other"),
        ("in good faith", "", PAID, False, "no reason for not paid: random answers"),
        ("lazy", "", PAID, False, "lazy is no reason of the list for paid: in good faith, "),
        ("other", " ", COUNTED, False, "the reason for the count is empty: it must say something"),
    ],
)
def test_what_does_not_fit_is_refused_with_what_would(code, words, reasons, outcome, said):
    with pytest.raises(ReasonError, match=said):
        review_reasons.require_fits(code, words, reasons, outcome)


def test_undone_is_kept_and_never_offered():
    for reasons in review_reasons.LISTS.values():
        assert review_reasons.UNDONE in reasons.codes
        review_reasons.require_fits(review_reasons.UNDONE, "", reasons, True, is_undoing=True)
        with pytest.raises(ReasonError, match="undone cannot be chosen: take"):
            review_reasons.require_fits(review_reasons.UNDONE, "", reasons, True)
        for outcome in (True, False):
            assert review_reasons.UNDONE not in [each.code for each in reasons.fitting(outcome)]


@all_cases(
    ("text", "outcome", "read"),
    [
        ("random answer", False, ("random answer", "")),
        ("random answer: one key throughout", False, ("random answer", "one key throughout")),
        ("random answer", True, ("other", "random answer")),  # no reason for counted
        ("she was asleep: twice", False, ("other", "she was asleep: twice")),
        ("other: asleep", False, ("other", "asleep")),
        ("undone", False, ("other", "undone")),
    ],
)
def test_a_reason_in_one_line_is_a_code_with_words_or_words_alone(text, outcome, read):
    assert review_reasons.parse_reason(text, COUNTED, outcome) == read


def test_a_reason_in_words_can_be_read_again():
    for reason in COUNTED.fitting(False):
        said = review_reasons.in_words(reason.code, "asleep")
        assert review_reasons.parse_reason(said, COUNTED, False) == (reason.code, "asleep")
