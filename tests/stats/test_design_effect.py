"""What is promised of how exactly a share will be known: stats/design_effect.py."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stats.design_effect import Group, design_effect, intraclass_correlation
from stats.proportion_intervals import wilson, wilson_half_width
from tests.cases import all_cases

groups = st.lists(
    st.integers(1, 9).flatmap(lambda n: st.builds(Group, st.just(n), st.integers(0, n))),
    max_size=20,
)


@pytest.mark.parametrize(("share", "n", "wide"), [(0.5, 100, 0.0962), (0.5, 400, 0.0488)])
def test_half_widths_are_wilsons(share, n, wide):
    assert wilson_half_width(share, n) == pytest.approx(wide, abs=5e-5)


@given(st.integers(1, 5000), st.data())
def test_it_is_half_of_the_interval_that_agreement_is_given_with(n, data):
    successes = data.draw(st.integers(0, n))
    interval = wilson(successes, n)

    assert wilson_half_width(successes / n, n) == pytest.approx((interval.high - interval.low) / 2)


def test_of_no_items_nothing_will_be_known():
    assert wilson_half_width(0.5, 0) is None
    assert design_effect([], 0.2) is None


def test_also_at_a_share_of_one_something_stays_unknown():
    assert wilson_half_width(1.0, 10) > 0.1


@given(st.floats(0, 1), st.integers(1, 1000))
def test_more_items_are_never_less_exact(share, n):
    assert wilson_half_width(share, n + 1) <= wilson_half_width(share, n)


def test_items_of_a_question_that_end_alike_tell_as_much_as_one():
    alike = [Group(4, 4), Group(4, 0)]

    assert intraclass_correlation(alike) == 1.0
    assert design_effect([4, 4], 1.0) == 4


def test_questions_that_differ_no_more_than_their_items_have_no_likeness():
    assert intraclass_correlation([Group(2, 1), Group(2, 1)]) == 0.0


def test_a_likeness_by_hand():
    between, within = 0.5, 1 / 6  # mean squares: 1 over 2, and 0.5 over 3

    assert intraclass_correlation([Group(2, 2), Group(2, 0), Group(2, 1)]) == pytest.approx(
        (between - within) / (between + within)
    )


@all_cases(
    "unknowable",
    [
        [],
        [Group(3, 1)],
        [Group(1, 1), Group(1, 0)],
        [Group(2, 2), Group(3, 3)],
        [Group(2, 0), Group(3, 0)],
        [Group(0, 0), Group(3, 1)],
    ],
    ids=["nothing", "one question", "one item each", "all", "none", "an empty question"],
)
def test_where_nothing_can_be_said_of_likeness_it_is_undefined(unknowable):
    assert intraclass_correlation(unknowable) is None


@given(groups)
def test_a_likeness_is_a_share_or_undefined_and_the_order_changes_nothing(found):
    value = intraclass_correlation(found)

    assert value is None or 0 <= value <= 1 + 1e-9
    assert (
        intraclass_correlation(found[::-1]) == pytest.approx(value) if value is not None else True
    )


@given(st.lists(st.integers(1, 20), min_size=1), st.floats(0, 1))
def test_items_of_many_questions_never_tell_more_than_independent_ones(sizes, icc):
    assert design_effect(sizes, icc) >= 1
