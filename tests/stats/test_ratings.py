"""Ratings: faithful, appropriate, F+A of each rating, and the shares of flags."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stats.ratings import NO_ANSWERABLE, NO_UNANSWERABLE, NOT_RATED, NOTHING, both, rating_scales
from tests.stats.pairwise.preferences import rating

# (question, faithful, appropriate), as in the docstring
WORKED = (("1", 4, 4), ("1", 4, 2), ("1", 1, 4), ("2", 2, 4), ("2", 4, 4), ("2", 3, 3))


def of_one(rows):
    (found,) = rating_scales(rows, runs=["A"])
    return found


def worked_example():
    return [rating(*each, annotator=str(number)) for number, each in enumerate(WORKED)]


def test_the_worked_example_takes_the_harmonic_mean_of_each_rating():
    found = of_one(worked_example())

    assert found.faithful.value == 3.0
    assert found.appropriate.value == 3.5
    assert found.both.value == pytest.approx(269 / 90)
    assert (found.both.n_values, found.both.n_questions) == (6, 2)


def test_that_is_not_the_harmonic_mean_of_the_means():
    """The row of the paper, 3.0 and 3.5 and 3.0, is possible so and only so."""
    found = of_one(worked_example())

    of_means = 2 * found.faithful.value * found.appropriate.value
    of_means /= found.faithful.value + found.appropriate.value
    assert round(of_means, 1) == 3.2
    assert round(found.both.value, 1) == 3.0


def test_unanswerable_questions_count_for_no_scale():
    found = of_one([*worked_example(), rating("3", 1, 1, is_answerable=False)])

    assert found.faithful.value == 3.0
    assert found.both.value == pytest.approx(269 / 90)


def test_a_rating_that_lacks_one_of_the_two_counts_for_the_other():
    found = of_one([rating("1", 4, None), rating("2", 2, 3)])

    assert (found.faithful.value, found.faithful.n_values) == (3, 2)
    assert (found.appropriate.value, found.appropriate.n_values) == (3, 1)
    assert (found.both.value, found.both.n_values) == (pytest.approx(2.4), 1)


def test_who_does_not_know_is_counted_on_answerable_and_on_unanswerable_questions_apart():
    found = of_one(
        [
            rating("1", 4, 1, unknown=True),
            rating("1", 4, 1, annotator="1"),
            rating("2", 4, 4),
            rating("2", 4, 4, annotator="1"),
            rating("3", 4, None, unknown=True, incoherent=True, is_answerable=False),
        ]
    )

    assert found.unknown_answerable.value == 0.25
    assert found.unknown_unanswerable.value == 1
    assert found.incoherent.value == 0.2


def test_without_ratings_there_are_reasons():
    found = of_one([])

    assert [found.faithful.reason, found.appropriate.reason, found.both.reason] == [NOT_RATED] * 3
    assert found.unknown_answerable.reason == NO_ANSWERABLE
    assert found.unknown_unanswerable.reason == NO_UNANSWERABLE
    assert found.incoherent.reason == found.incoherent.interval.reason == NOTHING
    assert found.incoherent.value is None


def test_where_all_ratings_are_alike_there_is_no_interval_of_no_width():
    found = of_one([rating(f"{n}", 3, 4, annotator=f"{i}") for n in range(5) for i in range(n + 1)])

    assert found.both.value == pytest.approx(24 / 7)
    assert found.both.interval.reason == "all questions have the same mean"


def test_the_interval_draws_all_ratings_of_a_question_together():
    """Ratings that are alike within a question say less than as many of other questions."""
    alone = [rating(f"{n}", n % 4 + 1, 4) for n in range(40)]
    together = [rating(f"{n // 4}", n // 4 % 4 + 1, 4, annotator=f"{n}") for n in range(40)]

    def width(rows):
        interval = of_one(rows).faithful.interval
        return interval.high - interval.low

    assert width(together) > 1.4 * width(alone)


@pytest.mark.parametrize("value", [0, 5, 0.5])
def test_a_rating_beyond_the_scale_is_refused(value):
    with pytest.raises(ValueError, match="from 1 to 4"):
        of_one([rating("1", value, 4)])


def test_a_run_that_is_not_among_them_is_refused():
    with pytest.raises(ValueError, match="'B' is not among"):
        of_one([rating("1", 4, 4, run="B")])


@given(st.integers(1, 4), st.integers(1, 4))
def test_both_lies_between_the_smaller_and_the_mean_and_minds_no_order(f, a):
    found = both(rating("1", f, a))

    assert min(f, a) <= found <= (f + a) / 2
    assert found == both(rating("1", a, f))
    assert both(rating("1", f, f)) == f


@given(st.lists(st.tuples(st.sampled_from("123"), st.integers(1, 4), st.integers(1, 4))))
def test_neither_order_nor_the_name_of_a_run_changes_a_figure(said):
    rows = [rating(*each, annotator=f"{n}") for n, each in enumerate(said)]
    other = [rating(*each, run="Z", annotator=f"{n}") for n, each in enumerate(said)]

    there = of_one(rows)
    (renamed,) = rating_scales(other, runs=["Z"])

    assert of_one(rows[::-1]) == there
    assert (renamed.both, renamed.faithful) == (there.both, there.faithful)
