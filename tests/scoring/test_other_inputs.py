"""Measures of rewrites, of answers alone, against their passages, and of rankings, computed as jobs."""

import pytest

from corpus.models import Answer
from scoring import queries as scoring_queries
from scoring import score_queries
from scoring.models import Scorer
from scoring.registry import Inputs
from tests.corpus.imports import answer, create_dataset, create_run, passage_table, turn
from tests.factories import StudyFactory
from tests.parts import part
from tests.scoring.score_jobs import score

TURNS = [
    turn(1, "a dark stone", rewrite="What is touch stone?", passages=["p1", "p2"]),
    turn(2, "it is black", rewrite="What colour is it?"),
    turn(3),
]
PASSAGES = passage_table(
    ("1_1", "p1", "Touchstone is a dark, fine-grained stone."),
    ("1_1", "p2", "Gold leaves a streak on it."),
    ("1_2", "p3", "It is black or grey."),
)
ANSWERS = [
    answer(
        1,
        " a dark stone, they say\n",
        Model_rewrite=" What is it? ",
        Model_passages={"p3": 2.0, "p1": 1.0, "unknown": 0.5},
    ),
    answer(2, "", Model_rewrite="What colour is it?", Model_passages={"p3": 1.0}),
    answer(3, "I don't know."),
]


@part
def dataset(study, folder):
    dataset = create_dataset(study, folder, TURNS, passages=PASSAGES)
    create_run(dataset, folder, ANSWERS, name="alder")
    return dataset


def by_turn(dataset, metric):
    """The values that the newest scorer of the metric has for the answers, by the turn's number."""
    scorer = Scorer.objects.filter(metric=metric).latest("pk")
    numbers = dict(Answer.objects.values_list("pk", "turn__number"))
    return {numbers[pk]: value for pk, value in score_queries.values(dataset, scorer).items()}


@pytest.mark.parametrize(
    ("metric", "expected"),
    [
        ("recall", {1: 1.0, 2: 0.0}),
        ("rouge_l", {1: 2 * (3 / 5) * 1 / (3 / 5 + 1), 2: 0.0}),
        ("qr", {1: 2 / 4, 2: 1.0}),
        # "a dark stone" of five tokens; an answer that says nothing takes nothing from a passage
        ("rouge_lp", {1: 3 / 5}),
        ("length", {1: 22, 2: 0, 3: 13}),
        ("unanswerable", {1: 0.0, 2: 1.0, 3: 1.0}),
        ("mrr", {1: 1 / 2}),
        ("ndcg_at_1", {1: 0.0}),
        ("recall_at_10", {1: 1 / 2}),
    ],
)
def test_each_measure_is_of_what_it_looks_at(dataset, metric, expected):
    score(dataset, metric)

    assert by_turn(dataset, metric) == pytest.approx(expected)


@pytest.mark.parametrize("metric", ["qr", "rouge_lp", "length", "mrr"])
def test_what_has_a_score_is_not_scored_again(dataset, metric):
    n_scored = score(dataset, metric).result["n_scored"]

    assert n_scored > 0
    assert score(dataset, metric).result["n_scored"] == 0


@pytest.mark.parametrize("metric", ["qr", "rouge_lp", "length", "mrr"])
def test_a_run_that_says_the_same_shares_the_scores(dataset, tmp_path, metric):
    score(dataset, metric)
    before = by_turn(dataset, metric)
    create_run(dataset, tmp_path, ANSWERS, name="birch", system="birch")

    assert score(dataset, metric).result["n_scored"] == 0
    assert len(score_queries.values(dataset, Scorer.objects.get())) == 2 * len(before)


@pytest.mark.parametrize("metric", ["f1", "qr", "rouge_lp", "length", "mrr"])
def test_values_on_some_turns_are_those_among_all(dataset, metric):
    score(dataset, metric)
    scorer = Scorer.objects.get()
    answers = dict(Answer.objects.of_systems(dataset).values_list("pk", "turn_id"))
    first = min(answers.values())

    some = score_queries.values(dataset, scorer, [first])

    every = score_queries.values(dataset, scorer)
    assert some == {pk: value for pk, value in every.items() if answers[pk] == first}
    assert score_queries.values(dataset, scorer, []) == {}


@pytest.mark.parametrize("at_once", [1, 2])
@pytest.mark.parametrize("metric", ["rouge_lp", "length", "mrr"])
def test_how_many_answers_are_held_at_once_changes_nothing(dataset, monkeypatch, metric, at_once):
    score(dataset, metric)
    expected = by_turn(dataset, metric)
    monkeypatch.setattr(scoring_queries, "AT_ONCE", at_once)

    assert by_turn(dataset, metric) == expected


@pytest.mark.parametrize("metric", ["qr", "rouge_lp", "length", "mrr"])
def test_a_scorer_is_listed_only_for_a_data_set_that_it_has_scored(dataset, tmp_path, metric):
    elsewhere = create_dataset(StudyFactory(), tmp_path, [turn(1, "gold", passages=["p9"])])
    gold = answer(1, "gold", Model_rewrite="And?", Model_passages={"p9": 1.0})
    create_run(elsewhere, tmp_path, [gold], name="elm")
    score(dataset, metric)

    assert [each.metric for each in score_queries.scorers(dataset)] == [metric]
    assert score_queries.scorers(elsewhere) == []


def test_passages_tie_as_trec_eval_has_it(study, tmp_path):
    touch = create_dataset(study, tmp_path, [turn(1, "gold", passages=["p1"])])
    # In single precision the two are equal; then the higher id is first.
    create_run(
        touch, tmp_path, [answer(1, "", Model_passages={"p1": 16777217.0, "p2": 16777216.0})]
    )

    score(touch, "mrr")

    assert by_turn(touch, "mrr") == {1: 1 / 2}


def test_of_several_cited_passages_the_nearest_counts(study, tmp_path):
    touch = create_dataset(study, tmp_path, TURNS, passages=PASSAGES)
    create_run(touch, tmp_path, [answer(2, "black or grey", Model_passages={"p1": 2.0, "p3": 1.0})])

    score(touch, "rouge_lp")

    assert by_turn(touch, "rouge_lp") == {2: 1.0}


def test_the_same_passage_id_with_another_text_is_another_score(dataset, tmp_path):
    score(dataset, "rouge_lp")
    other = passage_table(("1_1", "p1", "Nothing of the kind."), ("1_2", "p3", "Nor this."))
    elsewhere = create_dataset(StudyFactory(), tmp_path, TURNS, passages=other)
    create_run(elsewhere, tmp_path, ANSWERS)

    assert score(elsewhere, "rouge_lp").result["n_scored"] == 1
    assert by_turn(elsewhere, "rouge_lp") == {1: 0.0}


def test_another_retrieval_with_the_same_answer_is_another_score(dataset, tmp_path):
    score(dataset, "mrr")
    better = answer(1, "a dark stone, they say", Model_passages={"p1": 1.0})
    create_run(dataset, tmp_path, [better], name="birch")

    assert score(dataset, "mrr").result["n_scored"] == 1


def test_the_named_pairs_are_the_same_as_among_all(dataset):
    for inputs in Inputs:
        every = scoring_queries.pairs(dataset, inputs=inputs)

        assert every
        assert scoring_queries.pairs(dataset, [every[0].answer_id], inputs) == every[:1]
        assert scoring_queries.pairs(dataset, [], inputs) == []
