"""Relevant passages: majorities, what is undecided, answers that a passage supports, qrels."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stats.pairwise.records import PassageJudgement, SupportJudgement
from stats.relevance_labels import (
    NONE_FAITHFUL,
    Qrel,
    faithful_to,
    majority,
    qrels,
    relevance,
)
from tests.stats.pairwise.preferences import rating


def passage_judgements(table):
    """`table[question][passage]` has y or n for each annotator."""
    return [
        PassageJudgement(question, passage, f"{number}", each == "y")
        for question, passages in table.items()
        for passage, answers in passages.items()
        for number, each in enumerate(answers)
    ]


TABLE = {
    "1": {"p": "yyn", "q": "yyy", "r": "nnn"},
    "2": {"p": "nnn", "q": "nny"},
    "3": {"p": "yn", "q": "nn"},
    "4": {"p": "yyn"},
}


def test_questions_are_counted_by_their_relevant_passages():
    found = relevance(passage_judgements(TABLE), unanswerable=["2", "4", "9"])

    assert (found.n_questions, found.n_several, found.n_none, found.n_open) == (4, 1, 1, 1)
    assert (found.n_passages, found.n_undecided) == (8, 1)
    assert (found.n_unanswerable, found.after_all) == (2, ("4",))


def test_as_many_for_as_against_is_undecided():
    assert majority([True, False]) is None
    assert majority([]) is None
    assert majority([True, True, False]) is True
    assert majority([False]) is False


def test_qrels_leave_out_what_is_undecided_and_count_it():
    rows, undecided = qrels(passage_judgements({"1": {"q": "n", "p": "y"}, "2": {"p": "yn"}}))

    assert rows == [Qrel("1", "p", 1), Qrel("1", "q", 0)]
    assert undecided == 1


def test_of_nothing_there_is_nothing():
    assert relevance([], unanswerable=["1"]).n_questions == 0
    assert qrels([]) == ([], 0)


def supports(question, passage, answers, run="A"):
    return [
        SupportJudgement(question, run, f"{question} {run}", passage, f"{number}", each == "y")
        for number, each in enumerate(answers)
    ]


def rated(table, run="A"):
    return [
        rating(question, value, 4, run=run, annotator=f"{number}")
        for question, values in table.items()
        for number, value in enumerate(values)
    ]


def faithful_to_supported(ratings, supported, run="A"):
    (found,) = faithful_to(ratings, supported, runs=[run])
    return found


def test_a_faithful_answer_has_a_mean_of_3_and_one_passage_that_most_say_supports_it():
    found = faithful_to_supported(
        rated({"1": [4, 2], "2": [4, 4], "3": [2, 3], "4": [3]}),
        [
            *supports("1", "p", "yn"),
            *supports("1", "q", "yyn"),
            *supports("2", "p", "yn"),
            *supports("3", "p", "yy"),
        ],
    )

    assert (found.n_faithful, found.n_not_asked, found.n_supported) == (3, 1, 1)
    assert found.share.value == 0.5


def test_where_nobody_was_asked_there_is_no_share():
    found = faithful_to_supported(rated({"1": [4]}), [])

    assert (found.share.value, found.share.reason) == (None, NONE_FAITHFUL)
    assert (found.n_faithful, found.n_not_asked) == (1, 1)


def test_each_run_has_its_own():
    one, other = faithful_to(
        [*rated({"1": [4]}), *rated({"1": [4]}, run="B")],
        [*supports("1", "p", "y"), *supports("1", "p", "n", run="B")],
        runs=["A", "B"],
    )

    assert (one.share.value, other.share.value) == (1, 0)


@given(
    st.dictionaries(
        st.sampled_from("123"),
        st.dictionaries(st.sampled_from("pqr"), st.text("yn", min_size=1, max_size=4), min_size=1),
    ),
    st.randoms(use_true_random=False),
)
def test_every_question_is_one_of_four_and_order_changes_nothing(table, rng):
    rows = passage_judgements(table)
    found = relevance(rows, unanswerable=[])

    single = sum(
        sum(majority([each == "y" for each in answers]) is True for answers in of.values()) == 1
        for of in table.values()
    )
    assert found.n_several + found.n_none + found.n_open + single == found.n_questions
    shuffled = rng.sample(rows, len(rows))
    assert relevance(shuffled, unanswerable=[]) == found
    assert qrels(shuffled) == qrels(rows)
    assert len(qrels(rows)[0]) + qrels(rows)[1] == found.n_passages


def test_the_mean_of_3_is_taken_exactly():
    thirds = faithful_to_supported(rated({"1": [3, 3, 3]}), supports("1", "p", "y"))
    below = faithful_to_supported(rated({"1": [3, 3, 2]}), supports("1", "p", "y"))

    assert (thirds.n_faithful, below.n_faithful) == (1, 0)
    assert below.share.value is None
    assert thirds.share.value == pytest.approx(1)
