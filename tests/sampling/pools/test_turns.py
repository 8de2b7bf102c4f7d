"""What is promised of which turns are drawn: sampling/pools/turns.py."""

from collections import Counter
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sampling.pools.turns import (
    ALLOCATIONS,
    LEAST_WEIGHT,
    Eligible,
    TurnRule,
    allocate,
    chances,
    choose,
    likeness,
    question_word,
    stratum,
)
from tests.cases import all_cases

sizes = st.dictionaries(st.sampled_from("abcdefg"), st.integers(1, 40), min_size=1)
hows = st.sampled_from(ALLOCATIONS)
likenesses = st.none() | st.floats(0, 1)
turns = st.dictionaries(
    st.integers(1, 60), st.tuples(st.sampled_from("abc"), likenesses), min_size=1, max_size=40
).map(lambda found: [Eligible(f"{key}_1", *said) for key, said in found.items()])
rules = st.builds(TurnRule, st.integers(1, 50), hows, st.booleans(), st.integers(0, 99))


def rule(n, *, allocation="proportional", prefers=False, seed=1) -> TurnRule:
    return TurnRule(n, allocation, prefers, seed)


def eligible(n, likeness=None, stratum="all") -> list[Eligible]:
    return [Eligible(f"{stratum}_{number}", stratum, likeness) for number in range(n)]


# How many of each stratum


@all_cases(
    ("of", "n", "how", "share"),
    [
        ({"a": 90, "b": 10}, 10, "proportional", {"a": 9, "b": 1}),
        ({"a": 90, "b": 10}, 10, "equal", {"a": 5, "b": 5}),
        ({"a": 90, "b": 3}, 10, "equal", {"a": 7, "b": 3}),
        ({"a": 5, "b": 3, "c": 2}, 5, "proportional", {"a": 3, "b": 1, "c": 1}),
        ({"a": 4, "b": 4}, 3, "equal", {"a": 2, "b": 1}),
        ({"a": 4, "b": 4}, 3, "proportional", {"a": 2, "b": 1}),
        ({"a": 1, "b": 1, "c": 9}, 2, "equal", {"a": 1, "b": 0, "c": 1}),
        ({"a": 4, "b": 4}, 99, "equal", {"a": 4, "b": 4}),
        ({}, 9, "proportional", {}),
        ({}, 9, "equal", {}),
    ],
)
def test_turns_are_shared_out_among_strata(of, n, how, share):
    assert allocate(of, n, how) == share


@given(sizes, st.integers(1, 200), hows)
def test_shares_add_up_and_none_is_larger_than_its_stratum(of, n, how):
    share = allocate(of, n, how)

    assert sum(share.values()) == min(n, sum(of.values()))
    assert all(0 <= share[name] <= size for name, size in of.items())


@given(sizes, st.integers(1, 200))
def test_a_proportional_share_is_less_than_one_from_exact(of, n):
    whole = sum(of.values())
    n = min(n, whole)

    assert all(
        abs(got - n * of[name] / whole) < 1 for name, got in allocate(of, n, "proportional").items()
    )


@given(sizes, st.integers(1, 200))
def test_equal_shares_differ_by_one_at_most_unless_a_stratum_is_used_up(of, n):
    share = allocate(of, n, "equal")
    not_used_up = [share[name] for name in of if share[name] < of[name]]

    if not_used_up:
        assert max(share.values()) - min(not_used_up) <= 1


@given(sizes, st.integers(1, 200), hows)
def test_the_order_of_strata_changes_no_share(of, n, how):
    assert allocate(dict(reversed(of.items())), n, how) == allocate(of, n, how)


# Which of them


@given(rules, turns)
def test_so_many_are_drawn_as_were_asked_for_each_with_a_probability(asked, given_turns):
    drawn = choose(asked, given_turns)

    assert len(drawn) == min(asked.n, len(given_turns))
    assert drawn.keys() <= {each.turn for each in given_turns}
    of_all = chances(asked, given_turns)
    assert drawn == {turn: of_all[turn] for turn in drawn}
    assert sum(of_all.values()) == pytest.approx(len(drawn))
    assert all(0 < probability <= 1 for probability in drawn.values())


@given(rules, turns, st.randoms())
def test_the_order_of_turns_changes_nothing(asked, given_turns, chance):
    shuffled = list(given_turns)
    chance.shuffle(shuffled)

    assert choose(asked, shuffled) == choose(asked, given_turns)


@given(turns, st.booleans())
def test_where_all_are_asked_for_all_are_certain(given_turns, prefers):
    drawn = choose(rule(len(given_turns), prefers=prefers), given_turns)

    assert drawn == {each.turn: 1.0 for each in given_turns}


def test_without_a_preference_each_of_a_stratum_is_as_likely():
    given_turns = eligible(8, stratum="a") + eligible(4, stratum="b")

    drawn = choose(rule(6, allocation="equal"), given_turns)

    assert Counter(name[0] for name in drawn) == {"a": 3, "b": 3}
    assert {drawn[name] for name in drawn if name[0] == "a"} == {3 / 8}
    assert {drawn[name] for name in drawn if name[0] == "b"} == {3 / 4}


def test_another_seed_draws_others_and_the_same_one_the_same():
    given_turns = eligible(100)

    assert choose(rule(10), given_turns) == choose(rule(10), given_turns)
    assert choose(rule(10), given_turns).keys() != choose(rule(10, seed=2), given_turns).keys()


def test_a_larger_sample_holds_the_smaller_one():
    drawn = [set(choose(rule(n), eligible(50))) for n in (5, 20, 45)]

    assert all(small <= large for small, large in pairwise(drawn))


def test_a_golden_sample():
    """Held on any machine and in any later Python: a change here draws other pools by stored rules."""
    given_turns = [Eligible(f"{key}_1", "all", key / 10) for key in range(10)]

    assert sorted(choose(rule(3, seed=3), given_turns)) == GOLDEN_BY_LOT
    assert choose(rule(3, prefers=True, seed=3), given_turns) == pytest.approx(GOLDEN_BY_WEIGHT)


GOLDEN_BY_LOT = ["1_1", "4_1", "9_1"]
# 3 of weights 1.0, .9 … .1, which are 5.5 together.
GOLDEN_BY_WEIGHT = {"0_1": 3 / 5.5, "1_1": 2.7 / 5.5, "5_1": 1.5 / 5.5}


# Preference


def test_probabilities_are_proportional_to_how_far_apart_the_answers_are():
    given_turns = [Eligible(f"{key}_1", "all", (key % 2) * 0.5) for key in range(40)]

    drawn = choose(rule(10, prefers=True), given_turns)

    expected = {0.0: 10 * 1 / 30, 0.5: 10 * 0.5 / 30}
    of = {each.turn: each.likeness for each in given_turns}
    assert drawn == pytest.approx({name: expected[of[name]] for name in drawn})


def test_each_turn_is_drawn_as_often_as_its_probability_says():
    given_turns = [Eligible(f"{key}_1", "all", key / 12) for key in range(12)]
    n_seeds = 2000
    weights = {each.turn: 1 - each.likeness for each in given_turns}

    found = Counter(
        name
        for seed in range(n_seeds)
        for name in choose(rule(4, prefers=True, seed=seed), given_turns)
    )

    for name, weight in weights.items():
        probability = 4 * weight / sum(weights.values())
        assert found[name] / n_seeds == pytest.approx(probability, abs=0.045), name


def test_a_turn_that_would_be_more_than_certain_is_certain_and_the_others_share_the_rest():
    given_turns = [Eligible("1_1", "all", 0.0), *eligible(4, likeness=0.9)]

    drawn = choose(rule(2, prefers=True), given_turns)

    assert drawn.pop("1_1") == 1.0
    assert list(drawn.values()) == [0.25]


@pytest.mark.parametrize("alike", [1.0, None], ids=["all alike", "one answer only"])
def test_agreement_is_drawn_seldom_and_never_impossible(alike):
    given_turns = [Eligible("1_1", "all", alike), *eligible(19, likeness=0.0)]

    seen = {
        probability
        for seed in range(2000)
        if (probability := choose(rule(5, prefers=True, seed=seed), given_turns).get("1_1"))
    }

    assert list(seen) == pytest.approx([5 * LEAST_WEIGHT / (19 + LEAST_WEIGHT)])


# Strata


@all_cases(
    ("question", "word"),
    [
        ("Who built it?", "who"),
        ("\u201cWhat\u2019s a touchstone?\u201d", "what"),
        ("what's a touchstone", "what"),
        ("Is it dark?", "yes or no"),
        ("Didn't it burn?", "other"),
        ("¿Qué es?", "other"),
        ("Tell me more.", "other"),
        ("?", "other"),
        ("", "other"),
    ],
)
def test_a_question_is_of_the_kind_that_its_first_word_says(question, word):
    assert question_word(question) == word


def test_every_turn_has_a_stratum_of_every_kind():
    assert stratum(None, "7_2", "Who?", 3) == "all"
    assert stratum("depth", "7_1", "Who?", 3) == "first turn"
    assert stratum("depth", "a_1_11", "Who?", 3) == "later turn"
    assert stratum("question_word", "7_2", "Who?", 3) == "who"
    assert [stratum("n_candidates", "7_2", "", n) for n in (1, 4, 5, 9, 10)] == [
        *("1 to 4", "1 to 4", "5 to 9", "5 to 9", "10 or more")
    ]


# Likeness

words = st.lists(st.sampled_from(["a", "b", "c", "d"]), min_size=1, max_size=6)


@all_cases(
    ("answers", "value"),
    [
        ([], None),
        ([["slate"]], None),
        ([["slate"], ["coal"]], 0.0),
        ([["slate"], ["slate"]], 1.0),
        ([["a", "b"], ["a", "c"]], 0.5),
        ([["a", "a", "b"], ["a"]], 2 / 5**0.5),
        ([["tablet"], ["tablet"], ["slate"]], 1 / 3),
    ],
)
def test_likeness_is_the_mean_cosine_of_two_answers(answers, value):
    assert likeness(answers) == (value if value is None else pytest.approx(value))


@given(st.lists(words, min_size=2, max_size=8), st.randoms())
def test_likeness_is_a_share_and_to_the_last_bit_the_same_in_any_order(answers, chance):
    value = likeness(answers)
    shuffled = [list(reversed(each)) for each in answers]
    chance.shuffle(shuffled)

    assert 0 <= value <= 1
    assert likeness(shuffled) == value


@given(st.lists(words, min_size=2, max_size=7))
def test_likeness_is_what_all_pairs_would_give(answers):
    def cosine(one, other):
        a, b = Counter(one), Counter(other)
        lengths = [sum(n * n for n in each.values()) for each in (a, b)]
        return sum(a[word] * b[word] for word in a) / (lengths[0] * lengths[1]) ** 0.5

    pairs = [(one, other) for place, one in enumerate(answers) for other in answers[:place]]

    assert likeness(answers) == pytest.approx(
        sum(cosine(*pair) for pair in pairs) / len(pairs), abs=1e-12
    )
