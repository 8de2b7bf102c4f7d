"""What is promised of the order of disputes: annotation/queries/dispute_order.py."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.queries.dispute_order import Dispute, entropy, in_order
from tests.cases import all_cases


@all_cases(
    ("votes", "bits"),
    [
        ({}, 0),
        ({"a": 3}, 0),
        ({"a": 1, "b": 0}, 0),
        ({"a": 1, "b": 1}, 1),
        ({"a": 2, "b": 1}, 0.9182958),  # log2 3 - 2/3
        ({"a": 3, "b": 1}, 0.8112781),  # 2 - 3/4 · log2 3
        ({"a": 1, "b": 1, "c": 1}, 1.5849625),
    ],
)
def test_the_measure_is_shannons_entropy_of_the_votes_in_bits(votes, bits):
    assert entropy(votes) == pytest.approx(bits, abs=1e-7)


def ordered(*disputes: tuple[str, str, dict[str, int]]) -> str:
    return "".join(
        in_order(
            Dispute(name, question, votes, place)
            for place, (name, question, votes) in enumerate(disputes)
        )
    )


def test_the_more_spread_come_first_then_those_with_more_votes_then_the_first():
    assert (
        ordered(
            ("d", "1", {"x": 2, "y": 1}),
            ("b", "2", {"x": 1, "y": 1}),
            ("c", "3", {"y": 1, "x": 1}),
            ("a", "4", {"x": 2, "y": 2}),
        )
        == "abcd"
    )


def test_the_names_of_labels_make_no_difference():
    assert ordered(("a", "1", {"x": 1, "y": 2}), ("b", "2", {"z": 2, "x": 1})) == "ab"


def test_items_of_one_question_come_in_a_row_by_its_most_disputed_one():
    assert (
        ordered(
            ("c", "calm", {"x": 2, "y": 1}),
            ("b", "hot", {"x": 3, "y": 1}),
            ("a", "hot", {"x": 1, "y": 1}),
        )
        == "abc"
    )


@given(
    st.lists(
        st.tuples(
            st.integers(0, 3),
            st.dictionaries(st.sampled_from("xyz"), st.integers(1, 4), min_size=1),
        )
    )
)
def test_every_dispute_is_there_once_and_no_question_is_torn_apart(found):
    things = in_order(
        Dispute(place, question, votes, place) for place, (question, votes) in enumerate(found)
    )

    assert sorted(things) == list(range(len(found)))
    questions = [found[thing][0] for thing in things]
    runs = [q for n, q in enumerate(questions) if n == 0 or questions[n - 1] != q]
    assert len(runs) == len(set(runs))
