"""What the scores of a run come to: at once or by a job, to the same number; undefined is never 0."""

import pytest

from activity.actions import running
from scoring import table_jobs, tables
from scoring.actions import averaging
from scoring.actions.averaging import Average
from scoring.models import Scorer
from tests.corpus.importing import answer, dataset, run, turn
from tests.factories import StudyFactory
from tests.sampling.stones import import_scores, with_answers
from tests.scoring.scoring_a_dataset import score


@pytest.fixture
def stones(study, tmp_path):
    """Six runs with scores of a scorer "paper", and exact match."""
    made = with_answers(study, tmp_path)
    score(made, "em")
    return made


def by_name(dataset, averages):
    runs = {run.pk: run.name for run in averaging.runs(dataset)}
    scorers = {scorer.pk: scorer.name for scorer in Scorer.objects.all()}
    return {(runs[run], scorers[scorer]): each for (run, scorer), each in averages.items()}


def test_a_mean_is_over_the_answers_that_have_a_score(stones):
    found = by_name(stones, averaging.averages(stones, tables.scorers(stones)))

    assert found["alder", "paper"] == Average(2, 0.95 + 0.9)
    assert found["dogwood", "paper"] == Average(1, 0.99)
    assert found["dogwood", "squad"].n == 2  # an empty answer has an exact match, and no SAS


def test_a_mean_of_nothing_is_undefined():
    assert Average().mean is None
    assert Average(0, 0.0).mean is None
    assert Average(4, 1.0).mean == 0.25


@pytest.mark.parametrize("size", [1, 2, 100])
def test_a_job_counts_what_a_page_counts(stones, alice, monkeypatch, size):
    monkeypatch.setattr(table_jobs, "TURNS_A_CHUNK", size)
    job = averaging.begin(dataset=stones, by=alice)

    running.run(job)

    found = averaging.counted(stones)
    assert found == job
    assert averaging.averages_of(found) == averaging.averages(stones, tables.scorers(stones))


def test_what_a_count_rests_on_changes_with_runs_and_scores(stones, tmp_path, alice):
    def now():
        return averaging.basis(stones, tables.scorers(stones))

    before = now()
    import_scores(stones, tmp_path, {"fir": [("1_3", 0.1)]})
    with_a_score_more = now()
    run(stones, tmp_path, [answer(1, "Slate.")], name="gorse")

    assert before != with_a_score_more != now()
    assert averaging.counted(stones) is None


def test_the_scorers_of_a_data_set_are_those_that_know_it(stones, study, tmp_path):
    other = dataset(study, tmp_path, [turn(1, "Granite.")], name="granite")
    run(other, tmp_path, [answer(1, "Granite.")], name="alder")
    elsewhere = dataset(StudyFactory(), tmp_path, [turn(1, "Marble.")])

    assert [each.name for each in tables.scorers(stones)] == ["squad", "paper"]
    assert [each.name for each in tables.scorers(stones, "sas")] == ["paper"]
    assert tables.scorers(other) == tables.scorers(elsewhere) == []

    score(other, "em")
    assert [each.name for each in tables.scorers(other)] == ["squad"]


def test_many_sets_of_references_are_asked_for_in_parts(stones, monkeypatch):
    monkeypatch.setattr(tables, "MOST_NAMED", 1)

    assert [each.name for each in tables.scorers(stones)] == ["squad", "paper"]


def test_values_of_some_turns_are_those_of_all_that_are_theirs(stones):
    turns = {turn.number: turn.pk for turn in stones.conversations.get().turns.all()}
    answers = {each.pk for each in stones.conversations.get().turns.get(number=2).answers.all()}

    for scorer in tables.scorers(stones):
        every = tables.values(stones, scorer)
        some = tables.values(stones, scorer, [turns[2]])
        assert some == {pk: value for pk, value in every.items() if pk in answers}
        assert some
        assert tables.values(stones, scorer, []) == {}
