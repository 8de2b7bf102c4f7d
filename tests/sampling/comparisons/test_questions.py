"""What is promised of which questions a comparison draws: sampling/comparisons/questions.py."""

import hashlib
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sampling.comparisons.questions import (
    MOST_NAMED,
    QUOTAS,
    STRATA,
    Question,
    QuestionRule,
    draw,
    length_stratum,
    stratum,
    terciles,
)
from sampling.pools.turns import ALLOCATIONS, allocate
from tests.cases import all_cases

WORDS = ("what is it", "who was the first to", "how", "is it so", "tell me all of it now")
PARTS = ("", "dev.jsonl", "test.jsonl")
questions = st.dictionaries(
    st.integers(1, 80),
    st.tuples(st.booleans(), st.sampled_from(PARTS), st.sampled_from(WORDS)),
    max_size=50,
).map(lambda found: [Question(f"{key}_1", *said) for key, said in found.items()])
quotas = st.dictionaries(st.sampled_from(QUOTAS), st.integers(0, 30))
rules = st.builds(
    QuestionRule,
    st.none() | st.integers(1, 60),
    st.sets(st.sampled_from(STRATA)).map(tuple),
    st.sampled_from(ALLOCATIONS),
    st.none() | quotas,
    st.integers(0, 99),
)


def rule(n=None, *strata, allocation="proportional", seed=1, **quotas) -> QuestionRule:
    return QuestionRule(n, strata, allocation, quotas or None, seed)


def questions_of(n, *, answerable=True, part="", text="what is it") -> list[Question]:
    kind = "a" if answerable else "u"
    return [Question(f"{kind}{part}{number}_1", answerable, part, text) for number in range(n)]


def sizes(drawn) -> dict[str, tuple[int, int]]:
    return {each.name: (each.n_eligible, each.n_drawn) for each in drawn.strata}


# What parts them


@all_cases(
    ("dimensions", "name"),
    [
        ((), "all"),
        (("answerable",), "answerable"),
        (("part",), "dev.jsonl"),
        (("first_word",), "who"),
        (("length",), "3 to 5 words"),
        (STRATA, "answerable, dev.jsonl, who, 3 to 5 words"),
    ],
)
def test_a_stratum_is_named_by_what_parts_the_questions(dimensions, name):
    asked = Question("1_1", True, "dev.jsonl", "Who built the lighthouse?")

    assert stratum(asked, dimensions, (2, 5)) == name


def test_a_question_of_no_reference_and_no_split_has_a_stratum_too():
    assert stratum(Question("1_1", False, "", ""), STRATA[:3], None) == (
        "unanswerable, no split, other"
    )


@pytest.mark.parametrize(
    ("lengths", "borders"),
    [
        (range(1, 10), (3, 6)),
        ([7, 4], (4, 7)),
        ([5], (5, 5)),
        ([5, 5, 5, 9], (5, 5)),
        ([], None),
    ],
)
def test_terciles_are_by_nearest_rank(lengths, borders):
    assert terciles(lengths) == borders


@all_cases(
    ("n", "borders", "name"),
    [
        (0, (1, 2), "up to 1 word"),
        (1, (1, 2), "up to 1 word"),
        (2, (1, 2), "2 words"),
        (3, (1, 2), "over 2 words"),
        (3, (2, 4), "3 to 4 words"),
        (2, (1, 1), "over 1 word"),
        (4, None, ""),
    ],
)
def test_a_length_is_said_by_its_borders(n, borders, name):
    assert length_stratum(" ".join(["word"] * n), borders) == name


@given(st.lists(st.integers(1, 12), min_size=1))
def test_a_third_is_at_most_as_long_as_the_first_border_and_two_thirds_as_the_second(lengths):
    first, second = terciles(lengths)

    n = len(lengths)
    assert 3 * sum(each <= first for each in lengths) >= n
    assert 3 * sum(each <= second for each in lengths) >= 2 * n
    assert 3 * sum(each < first for each in lengths) < n
    assert 3 * sum(each < second for each in lengths) < 2 * n


# How many of each


def test_as_in_the_paper_40_answerable_and_10_unanswerable_half_from_each_split():
    given = [
        *questions_of(54, part="dev"),
        *questions_of(90, part="test"),
        *questions_of(46, part="dev", answerable=False),
        *questions_of(6, part="test", answerable=False),
    ]

    drawn = draw(rule(None, "part", allocation="equal", answerable=40, unanswerable=10), given)

    assert sizes(drawn) == {
        "answerable, dev": (54, 20),
        "answerable, test": (90, 20),
        "unanswerable, dev": (46, 5),
        "unanswerable, test": (6, 5),
    }
    assert drawn.warnings == ()
    chances = Counter(drawn.probabilities.values())
    assert chances == {20 / 54: 20, 20 / 90: 20, 5 / 46: 5, 5 / 6: 5}


def test_a_stratum_too_small_for_its_equal_share_is_made_up_for_and_named():
    given = [*questions_of(2, part="dev"), *questions_of(90, part="test")]

    drawn = draw(rule(10, "part", allocation="equal"), given)

    assert sizes(drawn) == {"dev": (2, 2), "test": (90, 8)}
    assert drawn.warnings == (
        "“dev” has 2 eligible: all are drawn, and the other strata give the rest",
    )


def test_a_quota_too_large_draws_fewer_and_says_so_and_the_other_quota_does_not_fill_it():
    given = [*questions_of(60), *questions_of(7, answerable=False)]

    drawn = draw(rule(answerable=40, unanswerable=10), given)

    assert sizes(drawn) == {"answerable": (60, 40), "unanswerable": (7, 7)}
    assert drawn.warnings == ("10 unanswerable questions are asked for: 7 are eligible, and drawn",)


def test_more_than_there_are_draws_all_and_says_so():
    drawn = draw(rule(9), questions_of(1))

    assert drawn.probabilities == {"a0_1": 1.0}
    assert drawn.warnings == ("9 questions are asked for: 1 is eligible, and drawn",)


def test_strata_that_go_without_are_named_the_first_of_very_many():
    given = [
        question
        for number in range(9)
        for question in questions_of(9 - number, part=f"part {number}")
    ]

    drawn = draw(rule(2, "part", allocation="equal"), given)

    (said,) = drawn.warnings
    assert said.startswith("no question is drawn of “part 2” (7 eligible), “part 3” (6 eligible)")
    assert said.count("eligible") == MOST_NAMED
    assert said.endswith(" and 2 strata more")


def test_a_kind_that_nobody_asks_for_is_shown_with_none_drawn_and_no_warning():
    drawn = draw(rule(answerable=1), [*questions_of(3), *questions_of(2, answerable=False)])

    assert sizes(drawn) == {"answerable": (3, 1), "unanswerable": (2, 0)}
    assert drawn.warnings == ()


def test_of_no_eligible_question_none_is_drawn_and_what_was_asked_for_is_named():
    drawn = draw(rule(None, "length", answerable=2), [])

    assert (drawn.probabilities, drawn.strata, drawn.length_borders) == ({}, (), None)
    assert drawn.warnings == (
        "2 answerable questions are asked for: 0 are eligible, and none is drawn",
    )
    assert draw(rule(), []).warnings == ()


def test_whether_a_stratum_is_answerable_is_known_where_that_parts_them():
    given = [*questions_of(2), *questions_of(1, answerable=False)]

    assert [each.is_answerable for each in draw(rule(None, "answerable"), given).strata] == [
        True,
        False,
    ]
    assert [each.is_answerable for each in draw(rule(None, "part"), given).strata] == [None]


# Which of them


def test_the_smallest_lots_of_seed_and_turn_are_drawn():
    given = questions_of(30)

    def lot(turn):
        return hashlib.sha256(f"5 turn {turn}".encode()).hexdigest()

    drawn = draw(rule(4, seed=5), given)

    assert set(drawn.probabilities) == set(sorted((each.turn for each in given), key=lot)[:4])


def test_the_same_seed_draws_the_same_for_another_setup_where_the_same_are_eligible():
    given = questions_of(30)
    fewer = [each for each in given if each.turn not in draw(rule(4), given).probabilities][3:]

    both = [each for each in given if each not in fewer[:5]]

    assert draw(rule(4), both).probabilities.keys() == draw(rule(4), given).probabilities.keys()


@given(rules, questions, st.randoms())
def test_the_order_of_questions_changes_nothing(asked, given_questions, chance):
    shuffled = list(given_questions)
    chance.shuffle(shuffled)

    assert draw(asked, shuffled) == draw(asked, given_questions)


@given(rules, questions)
def test_as_many_are_drawn_as_were_asked_for_or_as_there_are(asked, given_questions):
    drawn = draw(asked, given_questions)

    kinds = Counter(each.is_answerable for each in given_questions)
    if asked.quotas is None:
        n = len(given_questions)
        expected = n if asked.n is None else min(asked.n, n)
    else:
        wanted = {kind: asked.quotas.get(kind, 0) for kind in QUOTAS}
        expected = min(wanted["answerable"], kinds[True]) + min(
            wanted["unanswerable"], kinds[False]
        )
    assert len(drawn.probabilities) == expected
    assert sum(each.n_drawn for each in drawn.strata) == expected
    assert sum(each.n_eligible for each in drawn.strata) == len(given_questions)


@given(rules, questions)
def test_each_question_drawn_has_the_share_of_its_stratum_as_probability(asked, given_questions):
    drawn = draw(asked, given_questions)

    expected = Counter(
        each.n_drawn / each.n_eligible for each in drawn.strata for _ in range(each.n_drawn)
    )
    assert Counter(drawn.probabilities.values()) == expected


@given(st.dictionaries(st.sampled_from("abcdefg"), st.integers(1, 40)), st.integers(0, 200))
def test_a_larger_stratum_gives_no_fewer(of, n):
    for how in ALLOCATIONS:
        share = allocate(of, n, how)
        in_order = sorted(of, key=lambda name: (of[name], share[name]))
        assert [share[name] for name in in_order] == sorted(share.values())


@given(rules, questions)
def test_what_is_not_drawn_though_asked_for_is_said(asked, given_questions):
    drawn = draw(asked, given_questions)

    wanted = sum(asked.quotas.values()) if asked.quotas is not None else asked.n or 0
    if len(drawn.probabilities) < wanted:
        assert any("asked for" in said for said in drawn.warnings)
