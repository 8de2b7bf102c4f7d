"""The bench of people computes what `stats` does, and small studies can be had."""

from fractions import Fraction

import numpy as np
import pytest

from bench.people_coverage import SPREADS, parts, simulated, study, true_values
from stats.two_way_clustering import two_way


def test_the_bench_has_the_variances_of_the_results():
    of = study(np.random.default_rng(0), 6, 10, SPREADS["as in SummEval"])
    known = [(q, a) for a in range(6) for q in range(10) if of.judged[a, q]]
    values = [Fraction(of.ratings[0, a, q]) for q, a in known]
    middle = sum(values) / len(values)

    mean, found = parts(of.ratings[0], of.judged)

    expected = two_way(
        [(each - middle) / len(values) for each in values], *zip(*known, strict=True)
    )
    assert mean == pytest.approx(float(middle))
    for name in ("of_questions", "of_annotators", "of_cells"):
        assert getattr(found, name) == pytest.approx(getattr(expected, name))


def test_true_values_are_those_of_very_many_people_and_questions():
    spread = SPREADS["one run .6, others .1"]
    of = study(np.random.default_rng(1), 3_000, 300, spread)

    truth = true_values(spread)

    assert of.ratings.mean(axis=(1, 2)) == pytest.approx(truth.means, abs=0.06)


def test_a_row_has_every_column():
    assert len(simulated(SPREADS["none"], 3, 40, 2).row().split("|")) == 10
