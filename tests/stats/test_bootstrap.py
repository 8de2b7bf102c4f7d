"""Which clusters a replicate draws, and the interval that replicates give."""

import numpy as np
import pytest

from stats import bootstrap
from stats.bootstrap import percentile_interval, replicate_totals, times_drawn


def drawn_weights(n, *, replicates=1_000, seed=1):
    return np.concatenate(list(times_drawn(n, replicates=replicates, seed=seed)))


def test_a_replicate_draws_as_many_clusters_as_there_are():
    weights = drawn_weights(7)

    assert weights.shape == (1_000, 7)
    assert set(weights.sum(axis=1)) == {7.0}


def test_every_cluster_is_drawn_once_on_average():
    assert drawn_weights(5, replicates=20_000).mean(axis=0) == pytest.approx(np.ones(5), abs=0.03)


def test_the_draws_are_those_that_the_docstring_names():
    expected = np.random.default_rng(4).multinomial(6, [1 / 6] * 6, size=1_000)

    assert (drawn_weights(6, seed=4) == expected).all()


def test_rows_that_are_all_different_are_drawn_as_clusters_are():
    weights = drawn_weights(5, seed=4)

    totals = replicate_totals(np.arange(5)[:, None] ** 2, replicates=1_000, seed=4)

    assert (totals[:, 0] == weights @ np.arange(5) ** 2).all()


@pytest.mark.parametrize("at_once", [1, 20, 777, 10**9])
def test_how_many_are_drawn_at_once_changes_nothing(monkeypatch, at_once):
    expected = drawn_weights(11)
    monkeypatch.setattr(bootstrap, "WEIGHTS_AT_ONCE", at_once)

    assert (drawn_weights(11) == expected).all()


def test_fewer_than_a_thousand_replicates_are_refused():
    with pytest.raises(ValueError, match="at least 1000 replicates"):
        next(times_drawn(3, replicates=999, seed=1))


def test_the_interval_is_the_middle_95_per_cent():
    found = percentile_interval(np.arange(1_001.0))

    assert (found.low, found.high, found.reason) == (25.0, 975.0, None)
    assert (found.n_replicates, found.n_undefined) == (1_001, 0)


def test_undefined_replicates_are_left_out_and_counted():
    found = percentile_interval(np.array([np.nan, *range(1_001), np.nan]))

    assert (found.low, found.high, found.n_undefined) == (25.0, 975.0, 2)


@pytest.mark.parametrize(
    ("replicates", "reason"),
    [
        (np.full(1_000, np.nan), "no replicate has a value"),
        (np.full(1_000, 0.3), "all replicates are equal"),
        (np.array([np.nan, 0.3, 0.3]), "all replicates are equal"),
    ],
)
def test_where_nothing_varies_there_is_no_interval_but_a_reason(replicates, reason):
    found = percentile_interval(replicates)

    assert (found.low, found.high, found.reason) == (None, None, reason)
