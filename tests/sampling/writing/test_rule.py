"""The rule of a pool of writing: which questions are drawn."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sampling.pools.rule import RuleError
from sampling.writing.rule import WritingRule, draw

LENGTHS = {f"{key}_1": key % 9 for key in range(40)}


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("n_questions", 0),
        ("n_questions", 1.5),
        ("min_sentences", 0),
        ("seed", "1"),
        ("parts", ("dev", "dev")),
    ],
)
def test_a_parameter_that_says_nothing_is_refused_by_name(field, value):
    with pytest.raises(RuleError, match=field):
        WritingRule(**{field: value})


def test_questions_with_too_short_a_passage_are_left_out_and_counted():
    drawn = draw(LENGTHS, WritingRule())

    assert set(drawn.questions) == {key for key, n in LENGTHS.items() if n >= 6}
    assert (drawn.n_eligible, drawn.n_too_short) == (len(drawn.questions), 40 - drawn.n_eligible)


@given(st.integers(1, 20), st.integers(1, 20), st.integers(0, 5), st.permutations(sorted(LENGTHS)))
def test_a_larger_draw_has_the_smaller_one_whatever_the_order_of_rows(one, more, seed, order):
    rule = WritingRule(n_questions=one, min_sentences=1, seed=seed)
    larger = WritingRule(n_questions=one + more, min_sentences=1, seed=seed)

    drawn = draw(LENGTHS, rule)

    assert draw({key: LENGTHS[key] for key in order}, rule) == drawn
    assert set(drawn.questions) <= set(draw(LENGTHS, larger).questions)
    assert len(drawn.questions) == min(one, drawn.n_eligible)


def test_another_seed_draws_others():
    drawn = {draw(LENGTHS, WritingRule(n_questions=5, seed=seed)).questions for seed in range(5)}

    assert len(drawn) > 1
