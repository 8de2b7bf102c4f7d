"""Scores in little memory are those that were given."""

from hypothesis import given
from hypothesis import strategies as st

from exports.rows.scores import Scores

KEYS = st.integers(0, 2**62)
PARTS = st.lists(st.dictionaries(KEYS, st.floats(allow_nan=False), max_size=5), max_size=5)


@given(PARTS, KEYS)
def test_each_key_has_its_score_and_no_other_has_one(parts, other):
    unique = {key: value for part in parts for key, value in part.items()}
    scores = Scores([{key: value} for key, value in unique.items()])

    assert {key: scores.get(key) for key in unique} == unique
    assert scores.get(other) == unique.get(other)
