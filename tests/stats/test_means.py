"""Means over turns by run and measure, with intervals; original and rewritten questions apart."""

import random
from statistics import fmean

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from stats.means import Row, means, means_by_setup

SEED = 1


def row(run="alder", turn="1_1", *, setup="original", cluster=None, **values):
    return Row(run, setup, turn, cluster or turn, values)


def many_rows(seed=1, *, n_turns=60, runs=("alder", "birch"), setup="original"):
    rng = random.Random(seed)
    return [
        row(run, f"{turn // 3}_{turn}", setup=setup, cluster=str(turn // 3), f1=rng.random())
        for turn in range(n_turns)
        for run in runs
    ]


def table(rows, *measures, **options):
    (found,) = means_by_setup(rows, measures=measures or ("f1",), seed=SEED, **options).values()
    return found


def test_the_mean_is_over_the_turns_that_have_a_value():
    rows = [row(turn="1", f1=1.0), row(turn="2", f1=0.5), row(turn="3", f1=None), row(turn="4")]

    found = table(rows).figure("alder", "f1")

    assert (found.value, found.reason) == (0.75, None)
    assert (found.n_turns, found.n_left_out, found.n_clusters) == (2, 2, 2)


def test_a_measure_without_a_value_is_undefined_with_the_reason():
    found = table([row(turn="1", em=1.0), row(turn="2", em=0.0)], "em", "f1").figure("alder", "f1")

    assert (found.value, found.reason) == (None, "no turn has a value")
    assert (found.interval.low, found.interval.high) == (None, None)
    assert found.interval.reason == "no replicate has a value"
    assert found.interval.n_undefined == found.interval.n_replicates == 1_000


def test_a_single_cluster_gives_a_mean_and_no_interval():
    rows = [row(turn="1_1", cluster="1", f1=1.0), row(turn="1_2", cluster="1", f1=0.0)]

    found = table(rows).figure("alder", "f1")

    assert found.value == 0.5
    assert (found.interval.low, found.interval.reason) == (None, "all replicates are equal")


def test_replicates_that_draw_no_turn_with_a_value_are_counted_as_undefined():
    rows = [row(turn=str(turn)) for turn in range(3)] + [row(turn="x", f1=1.0), row(turn="y", f1=0)]

    found = table(rows).figure("alder", "f1").interval

    # Each of five clusters drawn misses both with 3/5: (3/5)^5 = .078.
    assert 50 < found.n_undefined < 110
    assert (found.low, found.high) == (0, 1)


def test_the_replicates_are_the_means_of_the_turns_drawn_one_by_one():
    rows = [row(turn=str(turn), cluster=str(turn % 4), f1=float(turn**2)) for turn in range(10)]
    clusters = [[turn**2 for turn in range(10) if turn % 4 == cluster] for cluster in range(4)]
    drawn = np.random.default_rng(SEED).multinomial(4, [1 / 4] * 4, size=1_000)

    expected = [
        fmean(value for cluster, n in zip(clusters, times, strict=True) for value in cluster * n)
        for times in drawn
    ]

    assert table(rows).replicates[:, 0, 0] == pytest.approx(expected, abs=1e-8)


def test_the_interval_covers_the_true_mean_as_often_as_it_says():
    rng = np.random.default_rng(0)
    covered = 0
    for _ in range(200):
        values = rng.exponential(size=(100, 1))
        (found,), _ = means(values, [str(i) for i in range(100)], replicates=1_000, seed=SEED)
        covered += found.interval.low <= 1.0 <= found.interval.high

    assert 175 <= covered <= 200  # 95 in 100 are meant; a skewed sample of 100 gives about 93


def test_turns_of_one_conversation_are_drawn_together_and_widen_the_interval():
    values = [1.0] * 50 + [0.0] * 50
    alike = [row(turn=str(t), cluster=str(t // 10), f1=value) for t, value in enumerate(values)]
    apart = [row(turn=str(t), f1=value) for t, value in enumerate(values)]

    widths = [
        found.high - found.low
        for rows in (alike, apart)
        for found in [table(rows).figure("alder", "f1").interval]
    ]

    assert widths[0] > 2 * widths[1]


def test_all_runs_are_drawn_on_the_same_questions():
    rows = [
        row(run, str(turn), f1=turn + shift)
        for turn in range(20)
        for run, shift in (("alder", 0.0), ("birch", 0.25))
    ]

    found = table(rows).replicates

    assert found[:, 1, 0] - found[:, 0, 0] == pytest.approx(0.25, abs=1e-8)


def test_original_and_rewritten_questions_are_apart():
    rows = [row(turn="1", f1=1.0), row(turn="1", setup="rewritten", f1=0.0)]

    found = means_by_setup(rows, measures=["f1"], seed=SEED)

    assert {setup: of.figure("alder", "f1").value for setup, of in found.items()} == {
        "original": 1.0,
        "rewritten": 0.0,
    }


def test_the_order_of_the_rows_changes_no_digit():
    rows = many_rows()
    shuffled = random.Random(2).sample(rows, len(rows))

    one, other = table(rows), table(shuffled)

    assert one.figures == other.figures
    assert (one.replicates == other.replicates).all()


def test_another_seed_draws_other_replicates_and_the_same_mean():
    one, other = (means_by_setup(many_rows(), measures=["f1"], seed=s)["original"] for s in (1, 2))

    assert (one.values == other.values).all()
    assert (one.replicates != other.replicates).any()


def test_runs_with_equal_values_tie_in_every_replicate():
    rows = [
        row(run, each.turn, cluster=each.cluster, **each.values)
        for each in many_rows(runs=["x"])
        for run in ("alder", "birch", "cedar")
    ]

    found = table(rows).replicates

    assert (found == found[:, :1]).all()


def test_replicates_are_rounded_so_that_sums_in_another_order_tie():
    found = table(many_rows()).replicates

    assert (found == found.round(9)).all()


def test_two_rows_of_a_run_for_one_turn_are_refused():
    with pytest.raises(ValueError, match="the run alder has two rows for the turn 1"):
        table([row(turn="1", f1=1.0), row(turn="1", f1=0.0)])


def test_a_turn_in_two_clusters_is_refused():
    with pytest.raises(ValueError, match="the turn 1 is in two clusters"):
        table([row(turn="1", cluster="a"), row("birch", turn="1", cluster="b")])


def test_without_a_row_there_is_no_table():
    assert means_by_setup([], measures=["f1"], seed=SEED) == {}


def test_means_over_no_turn_are_refused():
    with pytest.raises(ValueError, match="no turn"):
        means(np.empty((0, 1)), [], replicates=1_000, seed=SEED)


@given(st.lists(st.floats(0, 1) | st.none(), min_size=1, max_size=8))
def test_a_mean_and_its_interval_lie_within_the_values(values):
    rows = [row(turn=str(turn), f1=value) for turn, value in enumerate(values)]
    defined = [value for value in values if value is not None]

    found = table(rows).figure("alder", "f1")

    assert found.n_turns == len(defined)
    if found.interval.low is not None:
        assert min(defined) - 1e-9 <= found.interval.low <= found.interval.high
        assert found.interval.high <= max(defined) + 1e-9
    if defined:
        assert found.value == pytest.approx(fmean(defined))
