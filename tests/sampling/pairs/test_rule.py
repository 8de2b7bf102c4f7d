"""What is promised of the draw of pairs: sampling/pairs/rule.py."""

import tracemalloc
from itertools import combinations
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sampling.pairs.rule import MOST, Pair, PairRule, PairRuleError, draw
from stats.lots import lot

ANSWERS = {"1_1": ["a", "b", "c", "d"], "1_2": ["a"], "2_1": ["e", "f"]}
ALL = 7  # six of the four answers, and one
texts = st.lists(st.sampled_from("abcdefg"), max_size=6)
answers = st.dictionaries(st.sampled_from(["1_1", "1_2", "2_1"]), texts)


def rule(n=MOST, seed=1):
    return PairRule(release=1, n=n, seed=seed)


def test_any_two_answers_of_a_turn_are_a_pair_and_no_two_of_different_turns():
    found = draw(ANSWERS, rule())

    assert found.n_pairs == len(found.pairs) == ALL
    assert {pair.unordered for pair in found.pairs} >= {
        Pair("1_1", "a", "d"),
        Pair("2_1", "e", "f"),
    }
    assert not [pair for pair in found.pairs if pair.turn == "1_2"]


@pytest.mark.parametrize("n", [1, 3, ALL, 100])
def test_so_many_are_drawn_as_are_asked_for_or_all(n):
    assert len(draw(ANSWERS, rule(n)).pairs) == min(n, ALL)


@given(answers, st.integers(1, 20), st.integers(0, 99))
def test_neither_the_order_nor_repeats_of_answers_change_the_draw(of_turns, n, seed):
    random = Random(seed)
    turned = list(of_turns.items())
    random.shuffle(turned)
    shuffled = {turn: random.sample(found * 2, 2 * len(found)) for turn, found in turned}

    assert draw(shuffled, rule(n, seed)) == draw(of_turns, rule(n, seed))


@given(answers, st.integers(1, 10), st.integers(0, 99))
def test_a_larger_draw_with_the_same_seed_contains_the_smaller_one_in_the_same_order(
    of_turns, n, seed
):
    smaller, larger = (draw(of_turns, rule(each, seed)) for each in (n, n + 3))

    assert set(smaller.pairs) <= set(larger.pairs)


@given(answers, st.lists(st.tuples(st.sampled_from(["1_1", "9_9"]), texts)), st.integers(1, 30))
def test_the_pairs_are_those_at_the_head_of_all_that_are_left_sorted_by_lot(of_turns, others, n):
    known = {Pair(turn, *two) for turn, found in others for two in combinations(set(found), 2)}
    every = {
        Pair(turn, *two)
        for turn, found in of_turns.items()
        for two in combinations(sorted(set(found)), 2)
    }
    left = sorted(every - {pair.unordered for pair in known}, key=lambda pair: lot(1, *pair))

    drawn = draw(of_turns, rule(n), earlier=known)

    assert [pair.unordered for pair in drawn.pairs] == sorted(left[:n])
    assert (drawn.n_pairs, drawn.n_earlier) == (len(left), len(every) - len(left))


def test_only_the_drawn_pairs_are_kept_in_memory():
    many = {"1_1": [f"{number:03}" for number in range(200)]}
    tracemalloc.start()

    drawn = draw(many, rule(10))

    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert (len(drawn.pairs), drawn.n_pairs) == (10, 19_900)
    assert peak < 200_000


@given(answers, st.integers(1, 10), st.integers(0, 9), st.integers(0, 9))
def test_no_pair_is_drawn_twice_whatever_the_order_it_had(of_turns, n, seed, other):
    first = draw(of_turns, rule(n, seed))
    turned = [Pair(pair.turn, pair.second, pair.first) for pair in first.pairs]

    second = draw(of_turns, rule(MOST, other), earlier=turned)

    both = [pair.unordered for pair in (*first.pairs, *second.pairs)]
    assert len(both) == len(set(both)) == first.n_pairs
    assert second.n_earlier == len(first.pairs)


def test_each_order_of_the_screen_has_the_same_chance():
    n_turned = sum(
        pair != pair.unordered
        for seed in range(300)
        for pair in draw(ANSWERS, rule(ALL, seed)).pairs
    )

    assert 0.46 < n_turned / (300 * ALL) < 0.54


def test_another_seed_draws_other_pairs():
    many = {"1_1": [f"{number:02}" for number in range(30)]}

    assert draw(many, rule(20, 1)).pairs != draw(many, rule(20, 2)).pairs


@pytest.mark.parametrize("n", [0, -1, MOST + 1])
def test_a_number_that_is_not_possible_is_refused(n):
    with pytest.raises(PairRuleError, match="has to be 1 to 10,000"):
        rule(n)


def test_without_two_answers_to_a_question_nothing_is_drawn():
    assert draw({"1_1": ["a"], "1_2": []}, rule()).pairs == ()
