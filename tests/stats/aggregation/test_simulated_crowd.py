"""Crowds of known truth: stats/aggregation/simulated_crowd.py."""

import numpy as np
import pytest

from stats.aggregation import simulated_crowd
from stats.aggregation.simulated_crowd import Crowd, Design, mixed_crowd, random_design, simulate

SHARES = (0.9, 0.05, 0.05)


def rng(seed=0):
    return np.random.default_rng(seed)


def test_every_item_goes_to_as_many_different_workers():
    design = random_design(rng(), n_items=200, each=3, n_workers=5, n_each_question=4)

    pairs = set(zip(design.task.tolist(), design.worker.tolist(), strict=True))
    assert len(pairs) == len(design.task) == 600
    assert np.bincount(design.task).tolist() == [3] * 200
    assert np.bincount(design.worker).min() > 90
    assert np.bincount(design.question).tolist() == [4] * 50


def test_more_judgements_of_an_item_than_workers_are_refused():
    with pytest.raises(ValueError, match="2 workers cannot give 3"):
        random_design(rng(), n_items=1, each=3, n_workers=2)


def test_a_crowd_has_its_kinds_and_every_row_is_a_distribution():
    crowd = mixed_crowd(rng(), shares=SHARES, n_skilled=20, n_hasty=2, n_spammers=2)

    assert crowd.kinds[-4:] == (
        simulated_crowd.HASTY,
        simulated_crowd.HASTY,
        simulated_crowd.SAYS_ONE,
        simulated_crowd.SAYS_ANY,
    )
    np.testing.assert_allclose(crowd.confusion.sum(axis=2), 1)
    skilled = np.diagonal(crowd.confusion[:20], axis1=1, axis2=2)
    assert skilled.mean() == pytest.approx(0.9, abs=0.03)
    assert crowd.confusion[22, :, 0].tolist() == [1, 1, 1]
    assert np.unique(crowd.confusion[23]).tolist() == [pytest.approx(1 / 3)]


def test_who_is_in_haste_misses_what_is_rare():
    crowd = mixed_crowd(rng(), shares=SHARES, n_skilled=0, n_hasty=30)

    right = np.diagonal(crowd.confusion, axis1=1, axis2=2).mean(axis=0)
    assert right[0] > 0.9
    assert right[1:].max() < 0.6


def test_what_is_drawn_has_the_shares_and_the_confusions():
    crowd = mixed_crowd(rng(1), shares=SHARES, n_skilled=3)
    design = random_design(rng(2), n_items=40_000, each=3, n_workers=3)

    drawn = simulate(rng(3), crowd, design)

    np.testing.assert_allclose(np.bincount(drawn.truth) / 40_000, SHARES, atol=0.01)
    truth = drawn.truth[design.task]
    for worker in range(3):
        for true in range(3):
            said = drawn.label[(design.worker == worker) & (truth == true)]
            seen = np.bincount(said, minlength=3) / len(said)
            np.testing.assert_allclose(seen, crowd.confusion[worker, true], atol=0.03)


def test_the_same_seed_draws_the_same():
    crowd, design = (
        mixed_crowd(rng(1), shares=SHARES, n_skilled=3),
        random_design(rng(2), n_items=50, each=2, n_workers=3),
    )

    assert np.array_equal(
        simulate(rng(4), crowd, design).label, simulate(rng(4), crowd, design).label
    )


def test_at_a_hard_question_perfect_people_believe_one_thing_together():
    crowd = Crowd(np.full(3, 1 / 3), np.stack([np.eye(3)] * 3), (simulated_crowd.SKILLED,) * 3)
    design = random_design(rng(), n_items=300, each=3, n_workers=3)

    easy, hard = simulate(rng(1), crowd, design), simulate(rng(1), crowd, design, hard=1.0)

    assert (easy.label == easy.truth[design.task]).all()
    of_items = hard.label.reshape(300, 3)
    assert (of_items == of_items[:, :1]).all()
    assert (hard.label == hard.truth[design.task]).mean() == pytest.approx(1 / 3, abs=0.1)


def test_of_no_items_nothing_is_drawn():
    none = np.empty(0, dtype=np.int64)
    crowd = mixed_crowd(rng(), shares=SHARES, n_skilled=1)

    drawn = simulate(rng(), crowd, Design(none, none, none))

    assert len(drawn.truth) == len(drawn.label) == 0
