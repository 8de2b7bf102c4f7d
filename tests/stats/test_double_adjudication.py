"""What is promised of second looks at adjudications: stats/double_adjudication.py."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stats import double_adjudication

SHARES = st.sampled_from([0.05, 0.1, 0.25, 0.5, 1.0])


@pytest.mark.parametrize(
    ("n", "share", "drawn"), [(10, 0.1, 1), (12, 0.1, 2), (3, 0.01, 1), (100, 0.07, 7), (4, 1, 4)]
)
def test_the_share_is_read_as_it_is_written_and_rounded_up(n, share, drawn):
    assert len(double_adjudication.random_draw(range(n), share, 7)) == drawn


@given(st.sets(st.integers(1, 500), max_size=40), SHARES, st.integers(0, 99), st.randoms())
def test_the_same_seed_draws_the_same_ones_in_whatever_order(positions, share, seed, random):
    shuffled = sorted(positions)
    random.shuffle(shuffled)

    assert double_adjudication.random_draw(
        shuffled, share, seed
    ) == double_adjudication.random_draw(sorted(positions), share, seed)


def test_another_seed_draws_others():
    assert (
        len({tuple(double_adjudication.random_draw(range(50), 0.1, seed)) for seed in range(20)})
        > 15
    )


def test_every_position_is_as_likely_to_be_drawn():
    n_drawn = [0] * 10
    for seed in range(3_000):
        for position in double_adjudication.random_draw(range(10), 0.2, seed):
            n_drawn[position] += 1

    # 600 each are expected; the standard deviation is 22
    assert all(abs(n - 600) < 100 for n in n_drawn)


def test_the_agreement_is_the_share_of_equal_labels_with_wilsons_interval():
    found = double_adjudication.agreement([("a", "a")] * 81 + [("a", "b")] * 182)

    assert (found.n, found.n_equal) == (263, 81)
    assert found.share == pytest.approx(81 / 263)
    # Newcombe 1998, Statistics in Medicine 17, table I: 81/263 → .2553 to .3662
    assert found.low == pytest.approx(0.2553, abs=5e-5)
    assert found.high == pytest.approx(0.3662, abs=5e-5)


def test_all_and_none_equal_end_at_one_and_at_nought():
    assert double_adjudication.agreement([("a", "a")] * 4).high == 1.0
    assert double_adjudication.agreement([("a", "b")] * 4).low == 0.0


def test_of_no_pair_there_is_no_agreement_and_a_reason():
    found = double_adjudication.agreement([])

    assert (found.share, found.low, found.high) == (None, None, None)
    assert found.reason == "no item was settled a second time yet"
