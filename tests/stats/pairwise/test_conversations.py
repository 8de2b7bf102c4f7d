"""The turns of a conversation are drawn together, in every figure over questions."""

import pytest

from stats import ratings as rating_stats
from stats.metric_correlation import answer_correlations
from stats.pairwise.bradley_terry import bradley_terry
from stats.pairwise.length_bias import preference_by_length, rating_by_length
from stats.pairwise.position_bias import left_bias
from stats.pairwise.records import Preference, Rating
from tests.stats.pairwise.preferences import DRAWN, RUNS, at_random

LENGTHS = dict(zip(RUNS, (10, 20, 30), strict=True))


def conversation(question):
    return question.partition("_")[0]


def turns(rows):
    """Comparisons on q0, q1 … as turns of conversations with two each."""
    return [Preference(_turn(each.question), each.judgement, *_rest(each)) for each in rows]


def _turn(question):
    number = int(question.removeprefix("q"))
    return f"{number // 2}_{number % 2 + 1}"


def _rest(each):
    return each.annotator, each.left, each.right, each.preferred


def lengths(rows):
    return {(each.question, run): n for each in rows for run, n in LENGTHS.items()}


COMPARED = turns(at_random(3, n_questions=8))
RATED = [
    Rating(f"{n // 2}_{n % 2 + 1}", run, f"{n} {run}", "a", 1 + (n * k) % 4, 4)
    for n in range(8)
    for k, run in enumerate(RUNS, start=1)
]
SCORED = {(each.question, each.run): (n * 7) % 5 / 5 for n, each in enumerate(RATED)}


def intervals(**cluster):
    """Each figure's number of questions, and that of what is drawn."""
    left = left_bias(COMPARED, seed=0, **cluster)
    longer = preference_by_length(COMPARED, lengths(COMPARED), seed=0, **cluster).longer
    fit = bradley_terry(COMPARED, runs=RUNS, **DRAWN, **cluster)
    tau = rating_by_length(RATED, rating_stats.faithful, lengths(RATED), **DRAWN, **cluster)
    beside = answer_correlations(RATED, rating_stats.faithful, SCORED, **DRAWN, **cluster)
    figures = [left.share, longer, tau, *beside]
    return [
        (fit.n_questions, fit.strengths[0].interval.n_questions),
        *((each.n_questions, each.interval.n_questions) for each in figures),
    ]


def test_figures_count_questions_and_intervals_what_is_drawn():
    assert intervals() == [(8, 8)] * 6
    assert intervals(cluster=conversation) == [(8, 4)] * 6


def test_values_do_not_depend_on_what_is_drawn_together():
    apart = answer_correlations(RATED, rating_stats.faithful, SCORED, **DRAWN)
    together = answer_correlations(
        RATED, rating_stats.faithful, SCORED, **DRAWN, cluster=conversation
    )

    assert [each.value for each in together] == pytest.approx([each.value for each in apart])
    assert [each.interval for each in together] != [each.interval for each in apart]


def test_four_turns_of_one_conversation_speak_as_one():
    rows = [Preference(f"1_{n}", "j", "a", "A", "B", "left") for n in range(1, 5)]

    assert left_bias(rows, seed=0).test.p == 2 / 2**4
    assert left_bias(rows, seed=0, cluster=conversation).test.p == 1
