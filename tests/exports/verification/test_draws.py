"""Draws and quantiles without numpy and scipy are those of numpy and scipy."""

import numpy as np
import pytest
from scipy.stats import t as student_t

from exports.verification.draws import Generator
from exports.verification.intervals import t_quantile
from tests.cases import all_cases
from tests.seeds import first_of

SHARES = {
    "one pattern": [1.0],
    "few": [0.25, 0.5, 0.25],
    "a large one": [0.9, 0.1],
    "many": [n / 820 for n in range(1, 41)],
}


@pytest.mark.parametrize("seed", [0, 1, 11, 2**31, 2**40 + 3, 2**140 + 5])
def test_a_seed_gives_the_numbers_that_it_gives_in_numpy(seed):
    ours, theirs = Generator(seed), np.random.default_rng(seed)

    assert [ours.share() for _ in range(20)] == [theirs.random() for _ in range(20)]


@pytest.mark.parametrize("n", [1, 2, 7, 777, 3 * 2**30])
def test_whole_numbers_are_those_of_numpy(n):
    ours, theirs = Generator(5), np.random.default_rng(5)

    for size in (3, 8):
        assert ours.integers(n, size) == theirs.integers(n, size=size).tolist()


@pytest.mark.parametrize("seed", first_of(3, *range(3), *range(4, 10)))
@all_cases("shares", SHARES.values(), ids=SHARES)
@all_cases("n", [1, 12, 61, 800, 60_000])
def test_counts_of_patterns_are_those_of_numpy(seed, shares, n):
    """Of 12 they are drawn by inversion, of 800 and more by rejection."""
    theirs = np.random.default_rng(seed).multinomial(n, shares, size=200).tolist()

    assert list(Generator(seed).multinomials(n, shares, 200)) == theirs


@pytest.mark.parametrize("df", [1, 2, 3, 4, 5, 30, 99, 100, 5000])
def test_quantiles_of_t_are_those_of_scipy(df):
    assert t_quantile(df) == pytest.approx(student_t.ppf(0.975, df), rel=1e-11)
