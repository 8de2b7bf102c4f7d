"""The shared task's own files are read without a problem, and counted as their README counts them."""

import pytest

from corpus.digests import answers_digest, digest
from corpus.readers import passages, scai_questions, scai_run, scai_truth, scores
from corpus.records import with_questions
from tests import real_data

pytestmark = pytest.mark.real_data


@pytest.fixture(name="folder")
def scai_folder():
    return real_data.folder() / "scai-qrecc"


def test_the_66_turns_have_references_and_questions(folder):
    truth = scai_truth.read(folder / "ground-truth.json")
    questions = scai_questions.read(folder / "questions-rewritten.json")

    turns = with_questions(truth, questions)

    assert len(turns) == len(truth) == len(questions) == 66
    assert all(turn.reference and turn.question for turn in turns)


def test_the_20_runs_give_372_answers_to_turns_with_truth(folder):
    turns = {turn.turn_id for turn in scai_truth.read(folder / "ground-truth.json")}
    runs = [scai_run.read(path) for path in sorted((folder / "runs").iterdir())]

    assert len(runs) == 20
    assert sum(len(run) for run in runs) == 372
    assert {answer.turn_id for run in runs for answer in run} <= turns
    assert len({digest(run) for run in runs}) == len({answers_digest(run) for run in runs}) == 20


def test_the_full_run_has_11_068_answers_of_which_one_is_empty(folder):
    answers = scai_run.read(folder / "gpt3-run-full.json")

    assert len(answers) == 11_068
    assert sum(not answer.text.strip() for answer in answers) == 1


def test_the_252_passages_are_offered_for_the_66_turns(folder):
    turns = {turn.turn_id for turn in scai_truth.read(folder / "ground-truth.json")}
    offered = passages.read(folder / "passages.tsv")

    assert len(offered) == 252
    assert {passage.turn_id for passage in offered} <= turns


def test_the_372_scores_are_those_of_the_runs_answers(folder):
    given = scores.read(folder / "sas.csv")
    answered = {
        (answer.turn_id, path.stem)
        for path in (folder / "runs").iterdir()
        for answer in scai_run.read(path)
    }

    assert len(given) == 372
    assert {(score.turn_id, score.run) for score in given} == answered
    assert min(score.value for score in given) == 0.8
