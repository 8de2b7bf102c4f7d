"""Whose scores a count of a data set rests on, and which of them are taken at once."""

import pytest

from scoring import queries as scoring_queries
from scoring import score_queries
from scoring.actions import run_measures
from tests.corpus.imports import answer, create_dataset, create_run, turn
from tests.factories import StudyFactory
from tests.parts import part
from tests.sampling.scored_dataset import create_scored_dataset, import_scores
from tests.scoring.actions.test_run_measures import RUNS, TURNS, figures
from tests.scoring.score_jobs import score


@part
def dataset(study, folder):
    """Six runs with scores of a scorer "paper", and exact match."""
    dataset = create_scored_dataset(study, folder)
    score(dataset, "em")
    return dataset


def test_an_empty_answer_counts_as_not_given_where_it_cannot_be_scored(dataset):
    figure = figures(dataset)["dogwood", "sas"]

    assert (figure.value, figure.n_turns, figure.n_not_given) == (0.99 / 2, 2, 1)
    assert figures(dataset)["dogwood", "em"].n_not_given == 0


def test_without_runs_or_scores_there_is_nothing_to_count(study, tmp_path, alice):
    made = create_dataset(study, tmp_path, TURNS)
    create_run(made, tmp_path, RUNS["alder"])

    with pytest.raises(run_measures.NothingToCountError, match="no runs with scores"):
        run_measures.begin(dataset=made, by=alice)


def test_how_much_is_counted_at_once_depends_on_answers_and_scorers(dataset, monkeypatch):
    n_answers, scorers = 18, score_queries.scorers(dataset)
    monkeypatch.setattr(scoring_queries, "MOST_ANSWERS_AT_ONCE", n_answers * len(scorers))
    assert run_measures.is_at_once(dataset, scorers)

    monkeypatch.setattr(scoring_queries, "MOST_ANSWERS_AT_ONCE", n_answers * len(scorers) - 1)
    assert not run_measures.is_at_once(dataset, scorers)
    assert run_measures.is_at_once(dataset, scorers[:1])


def test_what_a_count_rests_on_changes_with_runs_and_scores(dataset, tmp_path, alice):
    def now():
        return run_measures.basis(dataset, score_queries.scorers(dataset))

    before = now()
    import_scores(dataset, tmp_path, {"fir": [("1_3", 0.1)]})
    with_a_score_more = now()
    create_run(dataset, tmp_path, [answer(1, "Slate.")], name="gorse")

    assert before != with_a_score_more != now()
    assert run_measures.newest_job(dataset) is None


def test_the_scorers_of_a_data_set_are_those_that_know_it(dataset, study, tmp_path):
    other = create_dataset(study, tmp_path, [turn(1, "Granite.")], name="granite")
    create_run(other, tmp_path, [answer(1, "Granite.")], name="alder")
    elsewhere = create_dataset(StudyFactory(), tmp_path, [turn(1, "Marble.")])

    assert [each.name for each in score_queries.scorers(dataset)] == ["squad", "paper"]
    assert [each.name for each in score_queries.scorers(dataset, "sas")] == ["paper"]
    assert score_queries.scorers(other) == score_queries.scorers(elsewhere) == []

    score(other, "em")
    assert [each.name for each in score_queries.scorers(other)] == ["squad"]


def test_many_sets_of_references_are_asked_for_in_parts(dataset, monkeypatch):
    monkeypatch.setattr(scoring_queries, "MOST_KEYS_PER_QUERY", 1)

    assert [each.name for each in score_queries.scorers(dataset)] == ["squad", "paper"]


def test_values_of_some_turns_are_those_of_all_that_are_theirs(dataset):
    turns = {turn.number: turn.pk for turn in dataset.conversations.get().turns.all()}
    answers = {each.pk for each in dataset.conversations.get().turns.get(number=2).answers.all()}

    for scorer in score_queries.scorers(dataset):
        every = score_queries.values(dataset, scorer)
        some = score_queries.values(dataset, scorer, [turns[2]])
        assert some == {pk: value for pk, value in every.items() if pk in answers}
        assert some
        assert score_queries.values(dataset, scorer, []) == {}
