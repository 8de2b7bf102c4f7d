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
