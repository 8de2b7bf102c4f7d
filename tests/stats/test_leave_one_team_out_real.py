"""Each of the shared task's runs left out in turn, as if all answers of its first batch were accepted."""

import json

import pytest

from stats.leave_one_team_out import leave_one_team_out
from stats.team_scores import Question, TeamRun, given_by_one_team
from tests import real_data
from text.overlap import token_f1

pytestmark = pytest.mark.real_data


def answers_in(path, field):
    records = json.loads(path.read_text(encoding="utf-8"))
    return {f"{each['Conversation_no']}_{each['Turn_no']}": each[field].strip() for each in records}


def figures(*, by_team):
    folder = real_data.folder() / "scai-qrecc"
    truth = answers_in(folder / "ground-truth.json", "Truth_answer")
    runs = []
    for path in sorted((folder / "runs").glob("*.json")):
        team = path.stem.partition("-")[0] if by_team else path.stem
        runs.append(TeamRun(path.stem, team, answers_in(path, "Model_answer")))
    questions = [
        Question(
            turn,
            turn.partition("_")[0],
            (reference,),
            {
                text: given_by_one_team(run.team for run in runs if run.answers.get(turn) == text)
                for text in {run.answers[turn] for run in runs if turn in run.answers}
            },
        )
        for turn, reference in truth.items()
    ]
    return leave_one_team_out(questions, runs, token_f1, replicates=1000, seed=0)


def test_each_run_loses_all_that_it_found_because_a_repeated_text_was_kept_once():
    found = figures(by_team=False)

    assert (len(found.runs), found.n_questions, found.n_clusters) == (20, 66, 21)
    assert sum(run.n_accepted for run in found.runs) == 372
    assert {run.unique_share.value for run in found.runs} == {1}
    assert all(0 < run.bias.value < run.full for run in found.runs)


def test_a_run_of_a_team_with_several_loses_more_with_its_team_than_by_itself():
    alone, with_team = figures(by_team=False), figures(by_team=True)

    pairs = [*zip(alone.runs, with_team.runs, strict=True)]
    assert all(one.bias.value <= other.bias.value for one, other in pairs)
    assert with_team.mean_bias > alone.mean_bias
    assert with_team.kendall_tau_b.interval.low < 0.9
