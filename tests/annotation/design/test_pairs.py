"""What is promised of pairs of answers: annotation/design/pairs.py."""

from collections import Counter, defaultdict
from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from annotation.design import pairs as pair_design
from annotation.design import round_robin
from annotation.design.pairs import Pair, SystemAnswer

SYSTEMS = "abcdefghi"
opponents_of_each = st.none() | st.integers(1, 9)
seeds = st.integers(0, 2**63 - 1)


def answered(n_systems: int, n_questions: int) -> list[SystemAnswer]:
    """Every system's own answer to every question."""
    return [
        SystemAnswer(f"q{question}", question * 100 + at, (SYSTEMS[at],))
        for question in range(n_questions)
        for at in range(n_systems)
    ]


@st.composite
def partly_answered(draw) -> list[SystemAnswer]:
    """Some systems' answers to some questions; systems may share a text."""
    found, key = [], 0
    for question in range(draw(st.integers(0, 8))):
        shared: dict[int, list[str]] = defaultdict(list)
        for system in SYSTEMS[:6]:
            text = draw(st.none() | st.integers(0, 7))
            if text is not None:
                shared[text].append(system)
        for systems in shared.values():
            found.append(SystemAnswer(f"q{question}", key, tuple(systems)))
            key += 1
    return found


def meetings(answers: list[SystemAnswer], pairs: list[Pair]) -> Counter[tuple[str, str]]:
    by_key = {each.key: each.system for each in answers}
    return Counter(tuple(sorted((by_key[pair.first], by_key[pair.second]))) for pair in pairs)


def opponents(pairs: list[Pair]) -> dict[str, Counter[int]]:
    found: dict[str, Counter[int]] = defaultdict(Counter)
    for pair in pairs:
        found[pair.question].update([pair.first, pair.second])
    return found


@given(answers=partly_answered(), seed=seeds)
def test_in_a_complete_design_every_two_answers_of_a_question_are_a_pair(answers, seed):
    pairs = pair_design.pairs(answers, seed=seed)

    met = {(pair.question, *sorted((pair.first, pair.second))) for pair in pairs}
    wanted = {
        (one.question, *sorted((one.key, other.key)))
        for one, other in combinations(answers, 2)
        if one.question == other.question
    }
    assert met == wanted
    assert len(met) == len(pairs)


@given(answers=partly_answered(), seed=seeds, asked=opponents_of_each)
def test_all_answers_of_a_question_have_equally_many_opponents(answers, seed, asked):
    found = opponents(pair_design.pairs(answers, seed=seed, opponents=asked))

    for question, there in Counter(each.question for each in answers).items():
        if there < 2:
            assert question not in found
            continue
        more = asked is not None and asked % 2 and there % 2
        each = there - 1 if asked is None else min(asked + bool(more), there - 1)
        assert sorted(found[question].values()) == [each] * there


@given(answers=partly_answered(), seed=seeds, asked=opponents_of_each)
def test_no_two_answers_are_a_pair_twice_and_their_number_is_known_before(answers, seed, asked):
    pairs = pair_design.pairs(answers, seed=seed, opponents=asked)

    assert len({frozenset((pair.first, pair.second)) for pair in pairs}) == len(pairs)
    there = Counter(each.question for each in answers).values()
    assert len(pairs) == sum(round_robin.n_meetings(n, asked) for n in there)


@given(n=st.integers(2, 9), n_questions=st.integers(1, 25), seed=seeds, asked=opponents_of_each)
def test_where_all_answered_all_any_two_systems_meet_as_often_as_others_give_or_take_one(
    n, n_questions, seed, asked
):
    answers = answered(n, n_questions)

    met = meetings(answers, pair_design.pairs(answers, seed=seed, opponents=asked))

    counts = [met[two] for two in combinations(SYSTEMS[:n], 2)]
    assert max(counts) - min(counts) <= 1


@given(answers=partly_answered(), seed=seeds, asked=opponents_of_each)
def test_of_any_two_systems_each_is_number_one_as_often_give_or_take_one(answers, seed, asked):
    by_key = {each.key: each.system for each in answers}
    ahead: Counter[tuple[str, str]] = Counter()
    for pair in pair_design.pairs(answers, seed=seed, opponents=asked):
        ahead[by_key[pair.first], by_key[pair.second]] += 1

    assert all(abs(n - ahead[other, one]) <= 1 for (one, other), n in list(ahead.items()))


@given(n=st.integers(2, 9), n_questions=st.integers(1, 9), seed=seeds, asked=st.integers(2, 9))
def test_two_opponents_join_all_systems_from_the_first_question_on(n, n_questions, seed, asked):
    answers = answered(n, n_questions)

    found = pair_design.balance(answers, pair_design.pairs(answers, seed=seed, opponents=asked))

    assert found.is_connected


@given(answers=partly_answered(), seed=seeds, asked=opponents_of_each, data=st.data())
def test_the_order_in_which_answers_come_changes_nothing(answers, seed, asked, data):
    shuffled = data.draw(st.permutations(answers))

    same = pair_design.pairs(shuffled, seed=seed, opponents=asked)

    assert same == pair_design.pairs(answers, seed=seed, opponents=asked)


def test_one_opponent_of_four_takes_three_questions_until_all_have_met_once():
    answers = answered(4, 3)

    by_question = [
        meetings(answers, [pair]) for pair in pair_design.pairs(answers, seed=1, opponents=1)
    ]

    assert len(by_question) == 6
    assert sorted(two for met in by_question for two in met) == list(combinations("abcd", 2))


def test_missing_answers_make_systems_that_met_less_meet_next():
    """`c` is missing in two questions; in the third, where all are, one round of three holds a pair with c
    twice: distances give every answer both others, so nothing is chosen, and a meets b three times.
    """
    answers = [
        SystemAnswer("q1", 1, ("a",)),
        SystemAnswer("q1", 2, ("b",)),
        SystemAnswer("q2", 3, ("a",)),
        SystemAnswer("q2", 4, ("b",)),
        *(SystemAnswer("q3", 5 + at, (name,)) for at, name in enumerate("abc")),
    ]

    found = pair_design.balance(answers, pair_design.pairs(answers, seed=1, opponents=1))

    assert (found.fewest_meetings, found.most_meetings, found.n_pairs) == (1, 3, 5)


def test_a_text_that_two_systems_gave_meets_for_both_and_they_do_not_meet():
    answers = [
        SystemAnswer("q1", 1, ("a", "b")),
        SystemAnswer("q1", 2, ("c",)),
        SystemAnswer("q2", 3, ("a", "b")),
    ]

    found = pair_design.balance(answers, pair_design.pairs(answers, seed=1))

    assert (found.n_pairs, found.n_without_pair, found.n_same_text) == (1, 1, 2)
    assert (found.fewest_meetings, found.most_meetings) == (0, 1)
    assert found.is_connected


def test_systems_that_no_comparison_joins_are_named_in_groups():
    """Four systems, one question, one opponent each: two pairs that nothing joins."""
    answers = answered(4, 1)

    found = pair_design.balance(answers, pair_design.pairs(answers, seed=1, opponents=1))

    assert not found.is_connected
    assert sorted(name for group in found.groups for name in group) == list("abcd")
    assert [len(group) for group in found.groups] == [2, 2]


def test_of_no_answers_there_is_no_pair_and_nothing_to_count():
    found = pair_design.balance([], pair_design.pairs([], seed=1, opponents=3))

    assert found == pair_design.Balance(0, 0, 0, None, None, ())
