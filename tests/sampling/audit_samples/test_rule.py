"""The lots of an audit sample: so many of each reason, by the seed, whatever the order."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sampling.audit_samples.rule import MOST, AuditError, AuditRule, Unit, sample
from sampling.pools.selection import State

BELOW, CAPPED = State.BELOW_THRESHOLD, State.CAPPED


def units(n, reason=BELOW):
    return [Unit(f"1_{i}", f"{i:064x}", reason) for i in range(n)]


def rule(n, *, seed=1, reason=BELOW):
    return AuditRule("pool", {reason: n}, seed)


def drawn_answers(given, asked, reason=BELOW):
    return sample(given, asked)[reason].drawn


def test_of_each_reason_as_many_are_drawn_as_were_asked_for():
    asked = AuditRule("pool", {BELOW: 2, CAPPED: 9})

    strata = sample([*units(5), *units(3, CAPPED), *units(4, State.REPRESENTED)], asked)

    found = {reason: (each.n_units, len(each.drawn)) for reason, each in strata.items()}
    assert found == {
        BELOW: (5, 2),
        State.TOO_FEW_IN_TURN: (0, 0),
        State.REPRESENTED: (4, 0),
        CAPPED: (3, 3),
    }
    assert strata[BELOW].inclusion_probability == 2 / 5
    assert strata[CAPPED].inclusion_probability == 1
    assert strata[State.TOO_FEW_IN_TURN].inclusion_probability == 0


@given(st.permutations(units(12)))
def test_the_order_in_which_they_come_changes_nobody_s_lot(shuffled):
    assert drawn_answers(shuffled, rule(4)) == drawn_answers(units(12), rule(4))


def test_other_reasons_change_nobody_s_lot():
    asked = AuditRule("pool", {BELOW: 4, CAPPED: 4})

    assert drawn_answers([*units(12), *units(12, CAPPED)], asked) == drawn_answers(
        units(12), rule(4)
    )


def test_a_larger_sample_of_the_same_seed_holds_the_smaller_one():
    assert set(drawn_answers(units(30), rule(5))) < set(drawn_answers(units(30), rule(9)))


def test_another_seed_draws_others():
    assert drawn_answers(units(30), rule(5, seed=1)) != drawn_answers(units(30), rule(5, seed=2))


def test_over_the_seeds_every_sample_is_drawn_equally_often():
    """Of 4 units every pair: 6 of them, 100 times each, within four standard deviations."""
    found = Counter(drawn_answers(units(4), rule(2, seed=seed)) for seed in range(600))

    assert len(found) == 6
    assert all(abs(n - 100) < 4 * (600 * 1 / 6 * 5 / 6) ** 0.5 for n in found.values())


@pytest.mark.parametrize(
    ("sizes", "said"),
    [
        ({}, "a sample of none"),
        ({BELOW: 0}, "a sample of none"),
        ({BELOW: -1}, "below_threshold is -1"),
        ({BELOW: MOST + 1}, "below_threshold is 10001, but has to be 0 to 10,000"),
        ({State.EMPTY: 1}, "there is no stratum empty"),
    ],
)
def test_a_sample_that_cannot_be_meant_is_refused(sizes, said):
    with pytest.raises(AuditError, match=said):
        AuditRule("pool", sizes)
