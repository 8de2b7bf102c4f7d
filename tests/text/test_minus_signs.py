import pytest

from text.near_duplicates import nearness

MINUS = "\N{MINUS SIGN}"


def test_a_number_with_a_minus_sign_of_typography_is_not_the_number_without():
    assert nearness(f"It falls to {MINUS}5 degrees.", "It falls to 5 degrees.") == 0


def test_both_signs_of_a_negative_number_are_one():
    assert nearness(f"It falls to {MINUS}5 degrees.", "It falls to -5 degrees.") == pytest.approx(
        1, abs=0.1
    )
