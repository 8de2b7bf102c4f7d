"""Letters of things that no test tells apart: insert and absorb, after Piepho (2004)."""

from itertools import combinations
from string import ascii_lowercase

from hypothesis import given
from hypothesis import strategies as st

from stats.compact_letters import MOST_LETTERS, letters


def test_without_a_significant_pair_all_have_one_letter():
    assert letters(["x", "y", "z"], []) == {"x": "a", "y": "a", "z": "a"}


def test_where_all_differ_each_has_its_own():
    names = ["x", "y", "z"]

    assert letters(names, combinations(names, 2)) == {"x": "a", "y": "b", "z": "c"}


def test_one_between_two_that_differ_shares_a_letter_with_each():
    assert letters(["x", "y", "z"], [("z", "x")]) == {"x": "a", "y": "ab", "z": "b"}


def test_significance_need_not_follow_the_order():
    """Neighbours in the order that differ while the outer ones do not: a line could not show it."""
    assert letters(["x", "y", "z"], [("x", "y")]) == {"x": "a", "y": "b", "z": "ab"}


def test_of_eight_with_five_significant_pairs_every_largest_group_has_a_letter():
    """By hand: of 1 against 7 and 8 there are two ways, of the path 4-2-5-3 three, and 6 is free."""
    names = [str(n) for n in range(1, 9)]
    pairs = [("1", "7"), ("1", "8"), ("2", "4"), ("2", "5"), ("3", "5")]

    found = letters(names, pairs)

    assert found is not None
    groups = {"".join(name for name in names if letter in found[name]) for letter in "abcdef"}
    assert groups == {"1236", "1346", "1456", "23678", "34678", "45678"}
    assert found["6"] == "abcdef"


def test_nobody_and_one_alone_are_no_trouble():
    assert letters([], []) == {}
    assert letters(["x"], []) == {"x": "a"}


def test_a_pair_with_somebody_unknown_is_passed_over():
    assert letters(["x", "y"], [("x", "gone")]) == {"x": "a", "y": "a"}


def test_more_groups_than_letters_have_none():
    """Seven pairs that are apart in themselves only: 2 to the 7th groups."""
    names = [f"{letter}{n}" for letter in ascii_lowercase[:7] for n in (1, 2)]
    pairs = [(f"{letter}1", f"{letter}2") for letter in ascii_lowercase[:7]]

    assert MOST_LETTERS < 2**7
    assert letters(names, pairs) is None


NAMES = list("tuvwxyz")
PAIRS = list(combinations(NAMES, 2))


@given(st.lists(st.sampled_from(PAIRS), unique=True))
def test_two_share_a_letter_if_and_only_if_they_do_not_differ(significant):
    found = letters(NAMES, significant)

    assert found is not None
    assert {pair for pair in PAIRS if not set(found[pair[0]]) & set(found[pair[1]])} == set(
        significant
    )


@given(st.lists(st.sampled_from(PAIRS), unique=True), st.randoms())
def test_the_order_of_the_pairs_does_not_matter(significant, random):
    before = letters(NAMES, significant)
    random.shuffle(significant)

    assert letters(NAMES, significant) == before
