"""MRR, nDCG and recall have the values of trec_eval, by pytrec_eval-terrier."""

import random

import pytest
import pytrec_eval
from hypothesis import given
from hypothesis import strategies as st

from scoring.retrieval import (
    ndcg_at,
    ranked_ids,
    ranking_of_text,
    recall_at,
    reciprocal_rank,
    relevant_passages,
    text_of_ranking,
)
from text.spans import best_span

CUTS = (1, 3, 10)
MEASURES = {"recip_rank", "ndcg_cut.1,3,10", "recall.1,3,10"}

# Few values and few ids, so that ties are common; ids with letters beyond ASCII, which sort by code.
SCORES = st.sampled_from((0.0, -1.0, 0.5, 1.0, 1.0 + 1e-9, 16777216.0, 16777217.0, 3.25))
IDS = st.sampled_from(
    ("a", "b", "a0", "B", "\u00e9", "\u732b", "\U0001f408", "\uffee", "p10", "p9")
)
RUNS = st.dictionaries(IDS, SCORES, min_size=1)
GRADES = st.dictionaries(IDS, st.sampled_from((-1, 0, 1, 1, 2, 3)), min_size=1)


def by_trec_eval(run, grades):
    evaluator = pytrec_eval.RelevanceEvaluator({"q": grades}, MEASURES)
    return evaluator.evaluate({"q": run})["q"]


def our_values(run, grades):
    ranking = ranked_ids(run)
    relevant = {docid for docid, grade in grades.items() if grade > 0}
    found = {"recip_rank": reciprocal_rank(ranking, relevant)}
    for k in CUTS:
        found[f"ndcg_cut_{k}"] = ndcg_at(k, ranking, grades)
        found[f"recall_{k}"] = recall_at(k, ranking, relevant)
    return found


@given(RUNS, GRADES)
def test_every_measure_has_the_value_of_trec_eval(run, grades):
    expected = by_trec_eval(run, grades)

    if any(grade > 0 for grade in grades.values()):
        assert our_values(run, grades) == pytest.approx(expected, abs=1e-12)
    else:
        assert set(our_values(run, grades).values()) == {None}
        assert set(expected.values()) == {0.0}


def test_three_thousand_long_rankings_have_the_values_of_trec_eval():
    rng = random.Random(1)
    ids = [f"https://page.example/{number}_p{number % 7}" for number in range(200)]
    for _ in range(3_000):
        run = {docid: round(rng.gauss(10, 3), 1) for docid in rng.sample(ids, rng.randint(1, 30))}
        grades = {docid: rng.choice((1, 1, 2)) for docid in rng.sample(ids, rng.randint(1, 20))}

        assert our_values(run, grades) == pytest.approx(by_trec_eval(run, grades), abs=1e-12)


def test_ties_are_broken_by_id_descending():
    assert ranked_ids({"a": 1.0, "c": 1.0, "b": 2.0, "B": 1.0}) == ["b", "c", "a", "B"]


def test_scores_that_single_precision_cannot_tell_apart_are_ties():
    assert ranked_ids({"a": 16777217.0, "b": 16777216.0}) == ["b", "a"]


def test_scores_beyond_single_precision_are_first_and_last():
    assert ranked_ids({"a": 0.0, "b": 1e300, "c": -1e300}) == ["b", "a", "c"]


def test_a_score_that_is_no_number_is_refused():
    with pytest.raises(ValueError, match="no number as score"):
        ranked_ids({"a": float("nan")})


def test_the_reciprocal_rank_is_of_the_first_relevant_passage():
    assert reciprocal_rank(["x", "y", "r", "s"], {"r", "s"}) == 1 / 3


def test_ndcg_of_a_hand_made_ranking():
    # Relevant at ranks 2 and 3 of two: (1/log2 3 + 1/log2 4) / (1/log2 2 + 1/log2 3) = 1.1309 / 1.6309.
    assert ndcg_at(10, ["x", "r", "s"], {"r", "s"}) == pytest.approx(0.6934264, abs=1e-7)


def test_recall_is_of_all_that_is_relevant_ranked_or_not():
    assert recall_at(2, ["r", "x", "s"], {"r", "s", "t", "u"}) == 1 / 4


@pytest.mark.parametrize("ranking", [[], ["x", "y"]])
def test_where_nothing_relevant_is_ranked_everything_is_0(ranking):
    assert reciprocal_rank(ranking, {"r"}) == 0
    assert ndcg_at(10, ranking, {"r"}) == 0
    assert recall_at(10, ranking, {"r"}) == 0


def test_where_nothing_is_relevant_everything_is_undefined():
    assert reciprocal_rank(["x"], set()) is None
    assert ndcg_at(10, ["x"], set()) is None
    assert ndcg_at(10, ["x"], {"x": 0}) is None
    assert recall_at(10, ["x"], set()) is None


# What is relevant


def span_f1(passage, answer):
    span = best_span(passage, answer)
    return span.f1 if span else 0.0


PASSAGES = {"near": "It was, they say, a dark black stone.", "far": "Stones are heavy."}


def test_the_truths_passages_are_the_relevant_ones_where_it_names_any():
    assert relevant_passages(["far"], PASSAGES, ["a dark black stone"], span_f1) == {"far"}


def test_otherwise_a_passage_is_relevant_that_has_the_answer_nearly_word_for_word():
    assert relevant_passages([], PASSAGES, ["black stone, dark"], span_f1) == {"near"}
    assert relevant_passages([], PASSAGES, ["something else"], span_f1) == set()


def test_a_stretch_at_the_limit_is_near_enough():
    # "b c d e" against "x b c d e y" of the answer's own 6: 2·4 / (4 + 6) = .8.
    assert relevant_passages([], {"p": "b c d e"}, ["x b c d e y"], span_f1) == {"p"}
    assert relevant_passages([], {"p": "b c d"}, ["x b c d y"], span_f1) == set()


def test_any_of_several_truth_answers_makes_a_passage_relevant():
    assert relevant_passages([], PASSAGES, ["nothing", "stones are heavy"], span_f1) == {"far"}


def test_an_empty_truth_answer_derives_nothing():
    assert relevant_passages([], {"p": ""}, ["", " "], lambda *_: 1.0) == set()


@given(st.lists(st.text()))
def test_a_written_ranking_reads_as_it_was(ranking):
    assert ranking_of_text(text_of_ranking(ranking)) == ranking
