"""What each rule makes of a batch, and how often it is wrong: stats/aggregation/rule_simulation.py."""

import numpy as np
import pytest

from stats.aggregation import dawid_skene as ds
from stats.aggregation.consensus import RULES
from stats.aggregation.rule_simulation import (
    NOTHING_SETTLED,
    compare,
    number_of_replicates,
    rule_results,
    simulated_shares,
)
from stats.aggregation.simulated_crowd import mixed_crowd, random_design, simulate

LABELS = ("implausible", "malformed", "plausible")


def batch(seed, *, n_items=300, each=3, **crowd):
    """Votes on items of a made-up crowd, and what is true of them."""
    rng = np.random.default_rng(seed)
    people = mixed_crowd(rng, shares=(0.05, 0.05, 0.9), n_skilled=8, **crowd)
    design = random_design(rng, n_items=n_items, each=each, n_workers=len(people.kinds))
    drawn = simulate(rng, people, design)
    votes = {item: {} for item in range(n_items)}
    for task, worker, label in zip(design.task, design.worker, drawn.label, strict=True):
        votes[int(task)][f"w{worker}"] = LABELS[label]
    return votes, [LABELS[label] for label in drawn.truth]


def by_rule(found):
    return {each.rule: each for each in found}


def test_what_rules_settle_is_counted_beside_what_stands_now():
    votes = {
        "agreed": dict.fromkeys("abc", "plausible"),
        "two of three": {"a": "plausible", "b": "plausible", "c": "malformed"},
        "all unlike": dict(zip("abc", LABELS, strict=True)),
        "one": {"a": "plausible"},
        "none": {},
    }
    current = {"agreed": "malformed", "all unlike": "plausible"}

    majority = rule_results("majority", votes, LABELS, current)

    assert (majority.n_settled, majority.n_disputed, majority.n_too_few) == (2, 1, 2)
    assert majority.n_other_label == 1
    assert (majority.n_newly_settled, majority.n_no_longer_settled) == (1, 1)
    assert rule_results("unanimous", votes, LABELS, current).n_settled == 1


def test_what_no_rule_changes_is_none_of_what_would_change():
    votes = {
        name: {"a": "plausible", "b": "plausible", "c": "malformed"} for name in ("fixed", "free")
    }

    found = rule_results("majority", votes, LABELS, {}, fixed={"fixed"})

    assert (found.n_settled, found.n_newly_settled) == (2, 1)
    for current in ({"fixed": "malformed"}, {"fixed": "plausible"}):
        beside = rule_results("unanimous", votes, LABELS, current, fixed={"fixed"})
        assert (beside.n_disputed, beside.n_other_label, beside.n_no_longer_settled) == (2, 0, 0)


def test_every_rule_is_compared_and_simulated():
    found = compare(batch(1)[0], labels=LABELS, current={}, replicates=5)

    assert list(by_rule(found.made)) == list(by_rule(found.simulated)) == list(RULES)
    assert (found.n_items, found.n_judgements, found.n_annotators) == (300, 900, 8)
    assert sum(found.shares.values()) == pytest.approx(1)
    assert found.accuracies == tuple(sorted(found.accuracies))
    assert len(found.accuracies) == 8


def test_the_simulation_says_about_what_is_true_where_the_model_holds():
    """A large batch whose truth is known: the wrong share of each rule, and its share settled."""
    votes, truth = batch(2, n_items=4000, n_spammers=1)

    found = by_rule(compare(votes, labels=LABELS, current={}, replicates=4).simulated)

    for name, rule in RULES.items():
        settled = {i: o.label for i, o in rule(votes, labels=LABELS).items() if o.label}
        wrong = sum(label != truth[item] for item, label in settled.items()) / len(settled)
        assert found[name].settled_share == pytest.approx(len(settled) / 4000, abs=0.03)
        assert found[name].wrong_share == pytest.approx(wrong, abs=0.006)
    assert found["majority"].wrong_share > found["posterior"].wrong_share
    assert found["posterior"].settled_share > found["unanimous"].settled_share


def test_a_share_has_the_interval_of_a_ratio():
    found = simulated_shares("majority", np.array([[100, 1], [100, 3], [90, 2]]), 100)

    # By hand: R = 6/290; residuals -1.069, .931, .138; √(2.029 / 6) = .5816, of 96.67 is .00602
    assert found.wrong_share == pytest.approx(6 / 290)
    assert found.high - found.wrong_share == pytest.approx(1.96 * 0.00602, abs=1e-4)
    assert found.low == pytest.approx(found.wrong_share - 1.96 * 0.00602, abs=1e-4)
    assert found.settled_share == pytest.approx(290 / 300)


def test_where_nothing_was_wrong_there_is_an_upper_limit_still():
    found = simulated_shares("unanimous", np.array([[100, 0], [80, 0]]), 100)

    assert (found.wrong_share, found.low) == (0, 0)
    assert found.high == pytest.approx(0.0209, abs=1e-4)


def test_where_nothing_was_settled_the_share_is_undefined_and_says_why():
    found = simulated_shares("unanimous", np.array([[0, 0], [0, 0]]), 10)

    assert (found.wrong_share, found.low, found.high) == (None, None, None)
    assert found.reason == NOTHING_SETTLED


def test_the_same_seed_gives_the_same_and_another_does_not():
    votes, _ = batch(3, n_items=60)

    first = compare(votes, labels=LABELS, current={}, replicates=3)

    assert compare(votes, labels=LABELS, current={}, replicates=3) == first
    other = compare(votes, labels=LABELS, current={}, replicates=3, seed=1)
    assert other.simulated != first.simulated
    assert other.made == first.made


def test_with_two_judgements_an_item_it_is_simulated_by_one_coin():
    found = compare(batch(4, each=2)[0], labels=LABELS, current={}, replicates=2)

    assert found.model == "one_coin"
    assert found.not_identified == ()


def test_what_is_not_identified_is_said():
    votes = {item: {"a": "plausible", "b": "plausible"} for item in range(5)}

    found = compare(votes, labels=LABELS, current={}, replicates=2)

    assert found.not_identified == (ds.ONE_LABEL, ds.TWO_WORKERS)


@pytest.mark.parametrize("votes", [{}, {1: {}, 2: {}}])
def test_without_judgements_nothing_is_simulated(votes):
    found = compare(votes, labels=LABELS, current={})

    assert found.simulated == ()
    assert [each.n_settled for each in found.made] == [0] * len(RULES)


def test_it_beats_between_replicates():
    beats = []

    compare(
        batch(5, n_items=20)[0],
        labels=LABELS,
        current={},
        replicates=4,
        beat=lambda: beats.append(1),
    )

    assert len(beats) == 4


@pytest.mark.parametrize(("n_items", "n"), [(0, 200), (40, 200), (1_000, 100), (1_000_000, 20)])
def test_a_large_batch_needs_fewer_replicates(n_items, n):
    assert number_of_replicates(n_items) == n
