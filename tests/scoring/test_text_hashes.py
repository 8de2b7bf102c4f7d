"""What a computed score belongs to: equal texts have equal keys, and no others."""

import hashlib
from itertools import permutations

from hypothesis import given
from hypothesis import strategies as st

from scoring.text_hashes import references_sha256, stripped, text_sha256

TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)


def test_a_text_is_hashed_as_utf_8_without_outer_white_space():
    expected = hashlib.sha256("Zürich liegt\nhier".encode()).hexdigest()

    assert text_sha256(" \n\u00a0Zürich liegt\nhier\t") == expected


def test_the_key_of_a_text_is_that_of_sha256sum():
    # printf 'a stone' | sha256sum
    expected = "463c18f6cf744593b610f0fee7624307707e7b73983b5a0197f829fa46b1eba0"

    assert text_sha256("a stone") == expected


@given(TEXTS, TEXTS)
def test_texts_have_one_key_exactly_where_they_are_one_text(one, other):
    assert (text_sha256(one) == text_sha256(other)) == (stripped(one) == stripped(other))


@given(st.lists(TEXTS, max_size=4))
def test_neither_order_nor_repetition_of_references_counts(references):
    keys = {references_sha256(each) for each in permutations(references)}

    assert keys == {references_sha256([*references, *references])}


@given(st.sets(TEXTS, max_size=3), st.sets(TEXTS, max_size=3))
def test_sets_of_references_have_one_key_exactly_where_they_are_one_set(one, other):
    same = {stripped(text) for text in one} == {stripped(text) for text in other}

    assert (references_sha256(one) == references_sha256(other)) == same


def test_two_references_are_not_the_one_that_joins_them():
    assert references_sha256(["a", "b"]) != references_sha256(["a\nb"])
    assert references_sha256(["a"]) != text_sha256("a")
