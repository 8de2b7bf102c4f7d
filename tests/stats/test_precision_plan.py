"""A plan's variance is that of simulated studies, and its half-width that of their intervals."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from stats.power import detectable_mean_difference, detectable_t_difference
from stats.precision_plan import (
    FEW_PEOPLE,
    NO_VARIANCE,
    Design,
    options,
    precision,
    variance,
)
from stats.two_way_clustering import interval, two_way
from stats.variance_components import Components

SPREAD = Components(0.49, 0.09, 1.0)
variances = st.floats(0, 4)
components = st.builds(Components, variances, variances, st.floats(0.01, 4))


@st.composite
def designs(draw) -> Design:
    n_people = draw(st.integers(3, 30))
    return Design(draw(st.integers(2, 2000)), n_people, draw(st.integers(1, n_people)))


def assignment(design: Design, rng) -> tuple[np.ndarray, np.ndarray]:
    """Questions and people of the judgements: each person judges equally many."""
    n = design.n_questions * design.per_question
    turns = np.arange(n) % design.n_people
    shuffled = rng.permutation(design.n_people)[turns]
    return np.repeat(np.arange(design.n_questions), design.per_question), shuffled


def simulated(of: Components, design: Design, rng) -> np.ndarray:
    questions, people = assignment(design, rng)
    return (
        rng.normal(0, of.questions**0.5, design.n_questions)[questions]
        + rng.normal(0, of.people**0.5, design.n_people)[people]
        + rng.normal(0, of.rest**0.5, len(questions))
    )


def test_the_variance_is_that_of_the_formula():
    """By hand: .49 / 100 + .09 / 6 + 1 / 300."""
    found = variance(SPREAD, Design(100, 6, 3))

    assert found.total == pytest.approx(0.0049 + 0.015 + 1 / 300)
    assert found.of_questions == pytest.approx((0.49 + 0.09 / 6 + 1 / 3) / 100)
    assert found.of_people == pytest.approx((0.09 + 0.49 / 100 + 0.02) / 6)


def test_the_variance_is_that_of_the_means_of_simulated_studies():
    rng, design = np.random.default_rng(5), Design(40, 8, 3)

    means = [simulated(SPREAD, design, rng).mean() for _ in range(3000)]

    # The standard error of a variance from 3,000 means is 2.6 %.
    assert np.var(means) == pytest.approx(variance(SPREAD, design).total, rel=0.08)


@pytest.mark.parametrize("design", [Design(60, 6, 3), Design(60, 4, 4), Design(120, 12, 2)])
def test_the_half_width_is_about_the_mean_of_simulated_intervals(design):
    rng, widths = np.random.default_rng(7), []
    questions, people = assignment(design, np.random.default_rng(0))
    for _ in range(120):
        values = simulated(SPREAD, design, np.random.default_rng(rng.integers(1 << 40)))
        scores = [*map(Fraction, ((values - values.mean()) / len(values)).tolist())]
        of = two_way(scores, questions.tolist(), people.tolist())
        limits = interval(0.0, of, within=(-9, 9))
        widths.append(limits.high)

    assert np.mean(widths) == pytest.approx(precision(SPREAD, design).half_width, rel=0.1)


@given(components, designs())
def test_more_questions_people_or_judgements_never_raise_the_variance(of, design):
    q, a, k = design.n_questions, design.n_people, design.per_question
    now = variance(of, design).total * (1 + 1e-12)

    assert variance(of, Design(q + 1, a, k)).total <= now
    assert variance(of, Design(q, a + 1, k)).total <= now
    assert variance(of, Design(q, a + 1, k + 1)).total <= now


@given(components, designs())
def test_degrees_of_freedom_are_within_those_of_the_interval(of, design):
    df = variance(of, design).df

    assert df is not None
    assert design.n_people - 1 <= df <= design.n_questions + design.n_people - 2


@given(components, designs(), st.integers(3, 12))
def test_all_pairs_take_a_larger_difference_than_one_pair(of, design, n_runs):
    found = precision(of, design, n_runs=n_runs)

    assert found.half_width < found.detectable < found.detectable_of_pairs


def test_a_single_pair_needs_no_correction():
    found = precision(SPREAD, Design(100, 6, 3), n_runs=2)

    assert found.detectable == found.detectable_of_pairs


def test_questions_do_not_help_against_what_is_particular_to_people():
    many = precision(SPREAD, Design(100_000, 3, 3))

    assert many.share_of_people == pytest.approx(1, abs=0.001)
    assert many.half_width > 4.3 * (0.09 / 3) ** 0.5 * 0.99


def test_fewer_than_three_people_say_nothing_of_others_but_something_of_these():
    found = precision(SPREAD, Design(100, 2, 2))

    assert (found.half_width, found.detectable, found.reason) == (None, None, FEW_PEOPLE)
    assert found.these_people == pytest.approx(1.984 * (0.0049 + 0.005) ** 0.5, rel=1e-3)


def test_no_variance_shows_nothing():
    found = precision(Components(0, 0, 0), Design(100, 3, 3))

    assert (found.half_width, found.these_people, found.reason) == (None, None, NO_VARIANCE)


@pytest.mark.parametrize("numbers", [(1, 3, 3), (10, 3, 4), (10, 3, 0)])
def test_a_design_that_cannot_be_is_refused(numbers):
    with pytest.raises(ValueError, match=r"at least (two|one)"):
        Design(*numbers)


def test_the_options_add_an_annotator_a_judgement_or_twenty_questions():
    found = {each.name: each.design for each in options(Design(100, 6, 3))}

    assert found == {
        "as planned": Design(100, 6, 3),
        "one more annotator": Design(100, 7, 3),
        "one more annotator and judgement per question": Design(100, 7, 4),
        "20 more questions": Design(120, 6, 3),
    }


def test_many_degrees_of_freedom_need_the_difference_of_the_normal():
    wanted, _ = detectable_mean_difference(100, 1.0)

    assert detectable_t_difference(0.01, 1e6) == pytest.approx(wanted, rel=1e-5)


@pytest.mark.parametrize(("df", "exact"), [(2, 5.6535), (3, 4.2559), (10, 3.1100), (30, 2.8954)])
def test_a_difference_is_at_most_some_per_cent_below_that_of_the_non_central_t(df, exact):
    """Exact: the shift at which scipy.stats.nct is beyond its .05 limit with the probability .8."""
    assert detectable_t_difference(1, df) == pytest.approx(exact, rel=0.055 if df < 3 else 0.025)


def test_a_variance_below_0_shows_no_difference():
    with pytest.raises(ValueError, match="a variance is not below 0"):
        detectable_t_difference(-1, 5)


def test_the_variance_of_people_is_better_known_from_all_pairs_of_more_runs():
    of, design = Components(0.49, 0.07, 1.0), Design(200, 3, 3)

    two, four = (precision(of, design, n_runs=n) for n in (2, 4))

    assert variance(of, design, n_free=3).total == variance(of, design).total
    assert two.df < four.df
    assert four.half_width < two.half_width
