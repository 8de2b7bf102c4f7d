"""What people make of a rate of verdicts."""

import random
from fractions import Fraction
from math import sqrt

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from stats.distributions import student_t_quantile
from stats.people_of_rates import (
    Vote,
    Votes,
    difference_interval,
    difference_variance,
    rate_interval,
    rate_variance,
)
from stats.proportion_intervals import Z, wilson
from stats.two_way_clustering import p_value, two_way, with_variance_of_questions
from stats.variance_components import FEW_PEOPLE

ONE = {"plausible": 1.0}


def said(run="r", step="plausible", **by_annotator):
    """Votes of people on the questions 0, 1, …: a="110" accepts the first two."""
    return [
        Vote(run, step, str(question), annotator, vote == "1")
        for annotator, votes in by_annotator.items()
        for question, vote in enumerate(votes)
        if vote != "."
    ]


def variance(votes, weights=ONE, *, own=0.01, n=2):
    table = Votes.of(votes)
    return table.variance(table.scores("r", weights, table.on(set(table.questions))), own, n)


def test_the_parts_of_a_small_table():
    """Scores of a and c are 1/18, of b -1/9: sums 1/9, -2/9 and 1/9."""
    of = variance(said(a="11", b="00", c="11"))

    assert of.of_annotators == pytest.approx(3 / 2 * (1 + 4 + 1) / 81)
    assert of.of_cells == pytest.approx(4 / 324 + 2 / 81)
    assert of.variance == pytest.approx(0.01 + 1 / 9 - 1 / 27)
    assert (of.n_questions, of.n_annotators) == (2, 3)


def test_the_parts_are_those_of_two_way_clustering():
    rng = random.Random(1)
    votes = said(**{who: "".join(rng.choice("01.") for _ in range(30)) for who in "abcd"})
    n, n_accepted = len(votes), sum(each.is_accepted for each in votes)
    scores = [Fraction(n * each.is_accepted - n_accepted, n * n) for each in votes]

    of = variance(votes)

    exact = two_way(scores, [each.question for each in votes], [each.annotator for each in votes])
    assert of.of_annotators == pytest.approx(exact.of_annotators)
    assert of.of_cells == pytest.approx(exact.of_cells)
    assert of.n_annotators == exact.n_annotators


def test_the_order_of_votes_changes_nothing():
    votes = said(a="1101", b="0010", c="1111")

    assert variance(votes) == variance(votes[::-1])


def test_steps_add_up_by_their_weights():
    """People whose leniency in one step is the contrary of that in the other make nothing of the sum."""
    votes = said(a="11", b="00", c="10") + said(step="faithful", a="00", b="11", c="01")

    of = variance(votes, {"plausible": 0.5, "faithful": 0.5})

    assert of.of_annotators == of.of_cells == 0


def test_people_who_all_say_the_same_widen_nothing_but_t():
    of = variance(said(a="1" * 50, b="1" * 50, c="1" * 50), own=rate_variance(45, 50, 1.0), n=50)

    interval, alone = rate_interval(45, 50, 1.0, of), wilson(45, 50)

    assert of.share_of_annotators == 0
    assert interval.low == pytest.approx(alone.low, abs=0.01)


def test_unlike_people_widen_the_interval():
    unlike = said(a="1" * 50, b="0" * 50, c="1" * 25 + "0" * 25)

    interval = rate_interval(45, 50, 1.0, variance(unlike, own=rate_variance(45, 50, 1.0), n=50))

    assert interval.low < wilson(45, 50).low
    assert interval.high > wilson(45, 50).high


def test_of_two_people_nothing_can_be_said():
    of = variance(said(a="11", b="10"))

    assert rate_interval(1, 2, 1.0, of).reason == FEW_PEOPLE
    assert difference_interval(1, 0, 2, 1.0, of).reason == FEW_PEOPLE


def test_a_rate_without_votes_has_no_interval_for_others():
    assert rate_interval(1, 2, 1.0, variance(said())).reason == FEW_PEOPLE


def test_a_rate_of_one_has_a_variance_over_questions():
    assert rate_variance(30, 30, 1.0) > 0
    assert rate_variance(50, 100, 2.0) == pytest.approx(2 * 0.25 / 100)
    middle = (9 + Z * Z / 2) / (10 + Z * Z)
    assert rate_variance(9, 10, 1.0) == pytest.approx(middle * (1 - middle) / 10)


@pytest.mark.parametrize("n_clusters", [5, 50])
def test_it_is_never_shorter_than_the_one_for_these_people(n_clusters):
    alike = said(a="1" * 50, b="1" * 50, c="1" * 50)
    deff = 1.0 if n_clusters == 50 else 1.5
    of = variance(alike, own=rate_variance(45, 50, deff), n=n_clusters)
    z = Z if n_clusters == 50 else student_t_quantile(0.975, 4) * sqrt(1.5)

    interval, these = rate_interval(45, 50, deff, of), wilson(45, 50, z)

    assert interval.low <= these.low
    assert interval.high >= these.high


@given(
    n_one=st.integers(0, 20),
    n_other=st.integers(0, 20),
    excess=st.floats(0, 0.05),
    deff=st.just(1.0),
    n_annotators=st.integers(3, 8),
)
def test_the_interval_is_without_0_exactly_where_p_is_small(
    n_one, n_other, excess, deff, n_annotators
):
    assume(n_one + n_other)
    of = with_variance_of_questions(
        difference_variance(n_one, n_other, 50, deff),
        of_annotators=excess,
        of_cells=0.0,
        n_questions=50,
        n_annotators=n_annotators,
    )
    interval = difference_interval(n_one, n_other, 50, deff, of)
    p = p_value((n_one - n_other) / 50, of)
    assume(abs(p - 0.05) > 1e-9)

    these = abs(n_one - n_other) / sqrt((n_one + n_other) * deff)
    assume(abs(these - Z) > 1e-9)
    is_significant = p < 0.05 and these > Z
    assert is_significant == (interval.low > 0 or interval.high < 0)
