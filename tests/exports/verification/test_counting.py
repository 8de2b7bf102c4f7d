"""The figures of pairs of runs are those of their definitions."""

from collections import defaultdict
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from exports.verification.runs import design_effect, p_of_differences

# By turn the difference of two runs: conversations of several turns each.
differences = st.lists(st.lists(st.integers(-1, 1), min_size=1, max_size=4), min_size=2, max_size=7)


def by_turn(conversations):
    """The values, and the conversation of each."""
    numbered = [(value, c) for c, turns in enumerate(conversations) for value in turns]
    return np.array(numbered).T


def sums_of(values, names):
    found = defaultdict(list)
    for name, value in zip(names, values, strict=True):
        found[name].append(value)
    return [sum(of) for of in found.values()], [len(of) for of in found.values()]


@given(differences)
def test_p_is_the_share_of_all_flips_of_signs_that_reach_as_far(conversations):
    values = by_turn([*conversations, [1, 0]])  # one conversation of two turns at least
    sums, _ = sums_of(*values)

    reached = [
        abs(sum(sign * s for sign, s in zip(signs, sums, strict=True)))
        for signs in product((1, -1), repeat=len(sums))
    ]

    share = sum(each >= abs(sum(sums)) for each in reached) / len(reached)
    assert p_of_differences(*values) == (share if any(sums) else None)


@given(differences)
def test_the_design_effect_is_one_variance_by_the_other(conversations):
    values = by_turn([*conversations, [1, 0]])
    sums, sizes = sums_of(*values)
    n, k = len(values[0]), len(sums)
    mean = Fraction(sum(sums), n)

    over_turns = sum((each - mean) ** 2 for each in values[0].tolist()) / (n * (n - 1))
    apart = sum((s - mean * m) ** 2 for s, m in zip(sums, sizes, strict=True))
    over_conversations = apart / n**2 * Fraction(k, k - 1)

    effect = max(Fraction(1), over_conversations / over_turns) if over_turns else Fraction(n, k)
    assert design_effect(*values) == pytest.approx(float(effect), rel=1e-12)
