"""Measures against people: by hand, against scikit-learn, and where nothing can be said."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from exports.meta_evaluation import figures as meta_evaluation_figures
from stats.correlation import kendall_tau_b
from stats.roc import ALL_ACCEPTED, NONE_ACCEPTED, NOTHING, Unit, area, precision_at_thresholds
from tests.late_imports import ImportedLate

sklearn = ImportedLate("sklearn.metrics")


def units(*rows):
    """(question, value, is accepted[, weight]), each."""
    return [Unit(*row) for row in rows]


THREE = units((1, 0.9, True), (2, 0.8, False), (3, 0.3, True))


def test_of_the_pairs_of_a_plausible_and_another_so_many_are_in_order():
    """.9 beats .8 and .3 does not."""
    assert area(THREE).value == 0.5


def test_an_equal_pair_counts_half():
    assert area(units((1, 0.8, True), (2, 0.8, False), (3, 0.1, False))).value == 0.75


def test_a_weight_is_as_good_as_so_many_equal_answers():
    """.9 for one, .4 for five; others .8 twice: 1 · 2 of 6 · 2 pairs."""
    weighed = units((1, 0.9, True, 1.0), (2, 0.4, True, 5.0), (3, 0.8, False, 2.0))

    assert area(weighed).value == pytest.approx(2 / 12)


@given(
    st.lists(
        st.tuples(
            st.integers(1, 6),
            st.sampled_from([-1.0, 0.0, 0.1, 0.5, 0.50001, 0.9, 40.0]),
            st.booleans(),
            st.sampled_from([1.0, 2.5, 40.0]),
        ),
        min_size=2,
        max_size=40,
    ).filter(lambda rows: len({row[2] for row in rows}) == 2)
)
def test_the_area_is_scikit_learn_s(rows):
    expected = sklearn.roc_auc_score(
        [row[2] for row in rows], [row[1] for row in rows], sample_weight=[row[3] for row in rows]
    )

    assert area(units(*rows)).value == pytest.approx(expected)


def test_the_area_is_that_under_the_points():
    rng = np.random.default_rng(1)
    rows = [
        (i % 9, float(value), bool(rng.random() < value)) for i, value in enumerate(rng.random(60))
    ]

    found = area(units(*rows))

    false, true = np.array(found.points).T
    assert found.points[0] == (0, 0)
    assert found.points[-1] == (1, 1)
    assert np.trapezoid(true, false) == pytest.approx(found.value)


def test_the_order_of_the_answers_changes_nothing():
    rows = [(i % 5, (i * 7 % 11) / 10, i % 3 == 0, 1.0 + i % 2) for i in range(30)]

    assert area(units(*rows)) == area(units(*reversed(rows)))


def test_the_interval_is_a_bootstrap_over_questions():
    """Twice the same answers to each question say no more than once: the interval stays as wide."""
    rng = np.random.default_rng(3)
    rows = [(i, float(rng.normal(y)), bool(y)) for i, y in enumerate(rng.integers(0, 2, 80))]

    once, twice = area(units(*rows)).interval, area(units(*rows, *rows)).interval

    assert (twice.low, twice.high) == pytest.approx((once.low, once.high))
    assert 0.02 < once.high - once.low < 0.4


@pytest.mark.parametrize(
    ("given", "reason"),
    [
        ([], NOTHING),
        (units((1, 0.9, True), (2, 0.1, True)), ALL_ACCEPTED),
        (units((1, 0.9, False)), NONE_ACCEPTED),
    ],
)
def test_where_there_is_one_kind_only_the_area_is_undefined(given, reason):
    found = area(given)

    assert (found.value, found.reason, found.points) == (None, reason, ())
    assert (found.interval.low, found.interval.reason) == (None, reason)


def test_precision_is_of_what_lies_strictly_above():
    rows = precision_at_thresholds(
        units((1, 0.9, True), (1, 0.8, False), (2, 0.8, True)), [0.7, 0.8, 0.9]
    )

    assert [row.precision for row in rows] == [pytest.approx(2 / 3), 1.0, None]
    assert [row.n_units for row in rows] == [3, 1, 0]
    assert rows[2].interval.reason == "no replicate has a value"


def test_precision_weighs_what_an_answer_stands_for():
    """Above .2: 1 of 1 and 0 of 9 that one audited answer stands for."""
    (row,) = precision_at_thresholds(units((1, 0.9, True, 1.0), (2, 0.3, False, 9.0)), [0.2])

    assert (row.precision, row.n_about, row.n_accepted_about) == (0.1, 10, 1)


def test_nothing_settled_has_no_thresholds():
    found = meta_evaluation_figures.answer_figures([])

    assert found["thresholds"] == []
    assert found["area"]["reason"] == NOTHING


def test_questions_of_a_cluster_are_drawn_together():
    rows = [(n, 0.1 * (n % 7), n % 3 == 0, 1.0) for n in range(30)]

    of_clusters = area(units(*((*row, row[0] // 3) for row in rows)))

    merged = area(units(*((n // 3, *rest) for n, *rest in rows)))
    assert of_clusters.interval == merged.interval
    assert (of_clusters.n_questions, of_clusters.n_clusters, merged.n_questions) == (30, 10, 10)
    assert of_clusters.interval != area(units(*rows)).interval


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ([0.63, 0.97], [0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95]),
        ([0.65], [0.6]),
        ([0.0, 0.04], [-0.05, 0.0]),
    ],
)
def test_thresholds_begin_below_the_lowest_and_end_below_the_highest(values, expected):
    found = meta_evaluation_figures.thresholds(units(*((1, value, True) for value in values)))

    assert found == expected


def test_the_runs_are_ranked_by_mean_and_by_weighed_rate():
    """Means .9 .5 .1; rates 1, 1/3 (one plausible, one not that stands for two), 1: τ-b by hand."""
    values = np.array([[0.9, 0.6, 0.1], [0.9, 0.4, 0.1]])
    accepted = np.array([[1.0, 1.0, 1.0], [1.0, 0.0, 0.0]])
    weights = np.array([[1.0, 1.0, 1.0], [1.0, 2.0, 0.0]])

    found = meta_evaluation_figures.run_correlations(
        "sas", values, np.ones((2, 3)), accepted, weights
    )

    by_name = {each["coefficient"]: each["value"] for each in found}
    rates, means = np.array([[1, 1 / 3, 1]]), np.array([[0.9, 0.5, 0.1]])
    assert by_name["kendall_tau_b"] == pytest.approx(kendall_tau_b(means, rates)[0])
    assert by_name["pearson"] == pytest.approx(np.corrcoef(means[0], rates[0])[0, 1])


def test_a_run_of_which_nothing_is_settled_is_not_ranked():
    values = np.array([[0.9, 0.6, 0.1]])
    accepted, weights = np.array([[1.0, 0.0, 0.0]]), np.array([[1.0, 1.0, 0.0]])

    found = meta_evaluation_figures.run_correlations(
        "sas", values, np.ones((1, 3)), accepted, weights
    )

    assert {each["n_runs"] for each in found} == {2}
