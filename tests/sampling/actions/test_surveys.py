"""The survey of a data set: at once or by a job, with the same rows; anew when runs or scores come."""

from dataclasses import replace

import pytest

from jobs.actions import execution
from sampling import pool_jobs
from sampling.actions import surveys
from sampling.pools.rule import Rule
from sampling.pools.selection import State
from scoring import queries as scoring_tables
from scoring.models import Scorer
from tests.corpus.imports import answer, create_run
from tests.sampling.scored_dataset import RULE, draw_pool, import_scores


@pytest.fixture
def paper_scorer(dataset):
    return Scorer.objects.get(name="paper")


@pytest.fixture
def too_many_answers(monkeypatch):
    """As if the answers were too many to be read while one waits."""
    monkeypatch.setattr(scoring_tables, "MOST_ANSWERS_AT_ONCE", 2)


@pytest.mark.parametrize(
    "rule",
    [
        RULE,
        replace(RULE, min_candidates=2, bag="paper"),
        replace(RULE, cap_per_turn=1, seed=4),
        replace(RULE, runs=frozenset({"birch", "cedar", "fir"})),
        replace(RULE, near=0.6),
    ],
    ids=["all", "paper", "cap", "runs", "near"],
)
def test_a_survey_foresees_the_pool(dataset, paper_scorer, rule):
    survey = surveys.survey(dataset, paper_scorer, rule.bag, rule.runs, near=rule.near)
    outlook = survey.under(rule)

    counts = draw_pool(dataset, rule).counts
    assert {state.value: n for state, n in outlook.by_state.items()} == counts["n_answers"]
    assert outlook.n_candidates == counts["n_candidates"]
    assert outlook.n_turns == counts["n_turns"]


def outlooks(survey):
    return [survey.under(Rule(scorer="paper", threshold=n / 20)) for n in range(21)]


@pytest.mark.parametrize("size", [1, 2, 100])
@pytest.mark.parametrize("runs", [None, ("alder", "fir")])
def test_a_job_surveys_what_a_page_surveys(dataset, paper_scorer, alice, monkeypatch, size, runs):
    at_once = surveys.survey(dataset, paper_scorer, "default", runs)
    monkeypatch.setattr(scoring_tables, "MOST_ANSWERS_AT_ONCE", 2)
    monkeypatch.setattr(pool_jobs, "TURNS_A_CHUNK", size)
    execution.run(surveys.begin(dataset=dataset, scorer=paper_scorer, bag="default", by=alice))

    by_job = surveys.survey(dataset, paper_scorer, "default", runs)

    assert outlooks(by_job) == outlooks(at_once)
    assert sorted(by_job.scores) == sorted(at_once.scores)
    assert by_job.turns_with(State.DRAWN, RULE) == at_once.turns_with(State.DRAWN, RULE)


def test_many_answers_have_no_survey_until_a_job_has_made_it(
    dataset, paper_scorer, alice, too_many_answers
):
    assert surveys.survey(dataset, paper_scorer, "default") is None
    job = surveys.begin(dataset=dataset, scorer=paper_scorer, bag="default", by=alice)
    assert surveys.survey(dataset, paper_scorer, "default") is None

    execution.run(job)

    assert surveys.survey(dataset, paper_scorer, "default") is not None
    assert (
        surveys.survey(dataset, paper_scorer, "paper") is None
    )  # another kind of bag, another survey


def test_scores_and_runs_that_come_ask_for_another_survey(
    dataset, paper_scorer, alice, too_many_answers, tmp_path
):
    job = surveys.begin(dataset=dataset, scorer=paper_scorer, bag="default", by=alice)
    execution.run(job)

    import_scores(dataset, tmp_path, {"fir": [("1_3", 0.1)]})
    assert surveys.survey(dataset, paper_scorer, "default") is None

    execution.run(surveys.begin(dataset=dataset, scorer=paper_scorer, bag="default", by=alice))
    assert surveys.survey(dataset, paper_scorer, "default") is not None
    create_run(dataset, tmp_path, [answer(1, "Slate.")], name="gorse")
    assert surveys.survey(dataset, paper_scorer, "default") is None


def test_what_a_page_has_surveyed_is_not_read_again_until_it_changes(
    dataset, paper_scorer, tmp_path, monkeypatch
):
    first = surveys.survey(dataset, paper_scorer, "default")
    assert surveys.survey(dataset, paper_scorer, "default") is first

    import_scores(dataset, tmp_path, {"dogwood": [("1_3", 0.1)]})

    assert surveys.survey(dataset, paper_scorer, "default") is not first


def test_who_asks_again_joins_the_job_that_is_at_it(dataset, paper_scorer, alice, too_many_answers):
    asked = {"dataset": dataset, "scorer": paper_scorer, "bag": "default", "by": alice}

    assert surveys.begin(**asked) == surveys.begin(**asked)
