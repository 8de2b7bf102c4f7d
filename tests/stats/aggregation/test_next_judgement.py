"""What is promised of further judgements: stats/aggregation/next_judgement.py."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from stats.aggregation import consensus, next_judgement
from stats.aggregation.dawid_skene import dawid_skene
from stats.aggregation.next_judgement import Crowd, expected_settlement, fit_crowd

THREE = ("a", "b", "c")
# Four in five right, errors even.
FOUR_IN_FIVE = np.array([[0.8, 0.1, 0.1], [0.1, 0.8, 0.1], [0.1, 0.1, 0.8]])
OF_TWO = np.array([[0.8, 0.2], [0.2, 0.8]])


def crowd(counts, posterior, confusion, labels=THREE):
    table = np.array([counts], dtype=np.int64)
    return Crowd(labels, table, np.array([posterior]), confusion, "confusions", ())


def rounded_settlement(rule, a_crowd, most):
    found = expected_settlement(rule, a_crowd, [most])
    return tuple(round(float(each[0]), 9) for each in (found.by_next, found.by_most, found.n_asked))


SPLIT = crowd([1, 1, 0], [0.5, 0.5, 0.0], FOUR_IN_FIVE)


# Worked by hand


def test_a_third_judgement_of_one_against_one_settles_unless_it_says_something_else_again():
    assert rounded_settlement("majority", SPLIT, 1) == (0.9, 0.9, 1.0)


def test_who_is_1_1_1_with_one_judgement_left_is_not_asked_for_it():
    assert rounded_settlement("majority", SPLIT, 2) == (0.9, 0.9, 1.0)


def test_with_three_left_two_that_agree_save_1_1_1():
    # .1 say c; then two in a row say the same: .8² + .1² + .1² = .66 of them
    assert rounded_settlement("majority", SPLIT, 3) == (0.9, 0.966, 1.2)


def test_the_posterior_stops_an_item_at_its_level():
    # a: .72 against .02, which is .973; b a a: .1152 against .0032, the same; all else stays below
    likely = crowd([2, 1], [0.9, 0.1], OF_TWO, ("a", "b"))

    assert rounded_settlement("posterior", likely, 1) == (0.74, 0.74, 1.0)
    assert rounded_settlement("posterior", likely, 2) == (0.74, 0.74, 1.0)
    assert rounded_settlement("posterior", likely, 3) == (0.74, 0.8584, 1.42)


def test_an_item_judged_once_settles_unanimously_where_the_second_says_the_same():
    once = crowd([1, 0, 0], [1.0, 0.0, 0.0], FOUR_IN_FIVE)

    assert rounded_settlement("unanimous", once, 1) == (0.8, 0.8, 1.0)
    assert rounded_settlement("unanimous", once, 3) == (0.8, 0.8, 1.0)


def test_two_that_say_unlike_things_are_no_verdict_however_likely_one_of_them_is():
    once, sure = crowd([1, 0, 0], [0.999, 0.0005, 0.0005], FOUR_IN_FIVE), [[0.999, 0.0005, 0.0005]]

    assert next_judgement.by_posterior(np.array([[1, 1, 0]]), np.array(sure)).tolist() == [False]
    assert next_judgement.by_posterior(np.array([[2, 0, 0]]), np.array(sure)).tolist() == [True]
    # So only a second a settles it: .999 · .8 + .001 · .1
    assert rounded_settlement("posterior", once, 1)[0] == pytest.approx(0.7993)


@given(
    st.sampled_from(["unanimous", "majority"]),
    st.tuples(*[st.integers(0, 3)] * 3),
    st.integers(0, 3),
)
def test_what_no_further_judgement_can_settle_is_never_expected_to(rule, counts, most):
    labels = [label for label, n in zip(THREE, counts, strict=True) for _ in range(n)]
    expected = rounded_settlement(rule, crowd(counts, [0.5, 0.3, 0.2], FOUR_IN_FIVE), most)

    if not consensus.can_settle(rule, labels, THREE, most):
        assert expected == (0.0, 0.0, 0.0)
    elif consensus.RULES[rule]({1: dict(enumerate(labels))})[1].label is None:
        assert expected[1] > 0


# Degenerate


@pytest.mark.parametrize("rule", consensus.RULES)
def test_a_cap_of_none_asks_nothing_and_saves_nothing(rule):
    assert rounded_settlement(rule, SPLIT, 0) == (0.0, 0.0, 0.0)


@pytest.mark.parametrize("most", [1, 2, 3])
def test_no_judgement_more_makes_a_conflict_unanimous_so_none_is_asked(most):
    assert rounded_settlement("unanimous", SPLIT, most) == (0.0, 0.0, 0.0)


def test_of_no_items_nothing_is_expected():
    nothing = fit_crowd({}, THREE, set())

    assert [len(each) for each in vars(expected_settlement("majority", nothing, [])).values()] == [
        0,
        0,
        0,
    ]


def test_without_a_judgement_people_are_supposed_right_four_times_in_five_and_it_is_said():
    found = fit_crowd({"x": {}}, THREE, {"1"})

    assert (found.model, found.cautions) == ("", (next_judgement.NO_JUDGEMENTS,))
    assert found.confusion == pytest.approx(FOUR_IN_FIVE)
    # Two that say the same of nothing known: .8² + 2 · .1² over any of three truths
    assert rounded_settlement("majority", found, 2)[1] == pytest.approx(0.66)


def test_one_label_only_settles_whatever_is_asked():
    found = fit_crowd({"x": {}}, ("a",), {"1"})

    assert rounded_settlement("majority", found, 2) == (0.0, 1.0, 2.0)


@pytest.mark.parametrize("most", [[-1], [4]])
def test_more_than_three_judgements_or_fewer_than_none_are_refused(most):
    with pytest.raises(ValueError, match="0 to 3 times more"):
        expected_settlement("majority", SPLIT, most)


# The pool

VOTES = {
    number: {"1": said[0], "2": said[1], "3": said[2]}
    for number, said in enumerate(["aab", "bbb", "aaa", "abb", "cca", "ccc", "bbc"])
}


def test_the_next_person_is_the_mean_of_those_who_may_be_asked():
    judgements = next_judgement.code_votes(VOTES, THREE).judgements

    found = fit_crowd(VOTES, THREE, {"1", "3", "stranger"})

    assert found.confusion == pytest.approx(dawid_skene(judgements).confusion[[0, 2]].mean(axis=0))
    assert found.cautions == ()


def test_where_nobody_of_the_pool_has_judged_all_who_have_stand_for_them_and_it_is_said():
    judgements = next_judgement.code_votes(VOTES, THREE).judgements

    found = fit_crowd(VOTES, THREE, {"stranger"})

    assert found.confusion == pytest.approx(dawid_skene(judgements).confusion.mean(axis=0))
    assert found.cautions == (next_judgement.NOBODY_FITTED,)


def test_some_of_the_items_keep_what_all_of_them_taught():
    found = fit_crowd(VOTES, THREE, {"1"})

    some = found.of_rows([4, 0])

    assert some.counts.tolist() == [[1, 0, 2], [2, 1, 0]]
    assert some.posterior == pytest.approx(found.posterior[[4, 0]])


# Properties

shares = st.lists(st.floats(0.01, 1), min_size=3, max_size=3).map(
    lambda row: [each / sum(row) for each in row]
)
counts = st.lists(st.integers(0, 3), min_size=3, max_size=3)
confusions = st.lists(shares, min_size=3, max_size=3).map(np.array)
rules = st.sampled_from(sorted(consensus.RULES))


@given(rules, counts, shares, confusions)
def test_more_that_may_be_asked_never_saves_less_and_asks_at_most_so_many(
    rule, votes, posterior, confusion
):
    found = [
        rounded_settlement(rule, crowd(votes, posterior, confusion), most) for most in range(4)
    ]

    for most, (by_next, by_most, n_asked) in enumerate(found):
        assert 0 <= by_next <= by_most + 1e-9 <= 1 + 1e-8
        assert n_asked <= most
        assert (n_asked >= 1 - 1e-9) == (by_most > 0)
    assert [each[1] for each in found] == sorted(each[1] for each in found)


def asked_one_by_one(rule, votes, posterior, confusion, most):
    """The same by the definition: every row of answers, asked to the end unless it settles."""
    saved = 0.0
    for row in itertools.product(range(3), repeat=most):
        for n in range(1, most + 1):
            now = [votes[k] + row[:n].count(k) for k in range(3)]
            names = [THREE[k] for k in range(3) for _ in range(now[k])]
            if rule([*names]).label is not None:
                break
        else:
            continue
        saved += sum(posterior[k] * np.prod([confusion[k][each] for each in row]) for k in range(3))
    return saved


@given(
    st.sampled_from(["unanimous", "majority"]),
    counts,
    shares,
    confusions,
    st.integers(1, 3),
)
def test_what_is_saved_is_what_every_row_of_answers_adds_up_to(
    rule, votes, posterior, confusion, most
):
    found = rounded_settlement(rule, crowd(votes, posterior, confusion), most)

    one_by_one = asked_one_by_one(getattr(consensus, rule), votes, posterior, confusion, most)
    assert found[1] == pytest.approx(one_by_one, abs=1e-8)


@given(counts, shares)
def test_the_posterior_settles_here_what_it_settles_there(votes, posterior):
    said = tuple((name, n) for name, n in zip(THREE, votes, strict=True) if n)
    rounded = tuple(zip(THREE, np.round(posterior, 6).tolist(), strict=True))
    there = consensus._likeliest(said, rounded if sum(votes) >= 2 else ())

    here = next_judgement.by_posterior(np.array([votes]), np.array([posterior]))

    assert here.tolist() == [there.label is not None]
