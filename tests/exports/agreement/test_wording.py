"""The sentences about agreement on pages."""

import pytest

from exports.agreement.wording import report_sentence


@pytest.mark.parametrize(
    ("released", "shown"),
    [
        (
            "Quote Cohen's κ = 1.000, without an interval (all replicates are equal):"
            " it was always the same two people.",
            "Report Cohen's κ = 1.000 (no interval: all replicates are equal)."
            " The same two annotators judged all items.",
        ),
        (
            "Quote raw agreement = 1.000, without an interval (a single question):"
            " a coefficient corrected for chance is undefined (only one label was given).",
            "Report raw agreement = 1.000 (no interval: a single question)."
            " A coefficient corrected for chance is undefined: only one label was given.",
        ),
    ],
)
def test_a_sentence_without_an_interval_has_one_bracket(released, shown):
    assert report_sentence(released) == shown


def test_numbers_below_0_have_a_minus_sign():
    released = (
        "Quote Cohen's κ = -0.047, 95 % interval -0.200 to 0.310 over 30 questions:"
        " it was always the same two people."
    )

    assert report_sentence(released) == (
        "Report Cohen's κ = \N{MINUS SIGN}0.047, 95 % interval \N{MINUS SIGN}0.200 to 0.310 over 30 questions"
        " (the same two annotators judged all items)."
    )


def test_whom_an_interval_is_about_is_said_of_annotators():
    stored = (
        "Quote Krippendorff's alpha = 0.265, 95 % interval 0.239 to 0.286 over 246 questions for these"
        " 7 people and -0.087 to 0.438 for other people like them: not everybody judged every item,"
        " which it allows for."
    )

    assert report_sentence(stored) == (
        "Report Krippendorff's alpha = 0.265, 95 % interval 0.239 to 0.286 over 246 questions for these"
        " 7 annotators and \N{MINUS SIGN}0.087 to 0.438 for other annotators like them (it allows for"
        " items that not every annotator judged)."
    )
