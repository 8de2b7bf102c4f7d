"""Each team left out of the accepted answers in turn: the worked example of the design, and what always holds."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stats.leave_one_team_out import ALL_TIED, NOTHING_ACCEPTED, ONE_RUN, leave_one_team_out
from stats.team_scores import Question, TeamRun, given_by_one_team
from text.overlap import exact_match, token_f1

# Teams A (a1, a2), B and C; the truth x1 x2 x3; accepted p, then r and s, then u.
ANSWERS = {
    "a1": ("A", "p", "x2", "u"),
    "a2": ("A", "p", "s", "x3"),
    "b1": ("B", "q", "r", "x3"),
    "c1": ("C", "x1", "s", "v"),
}
ACCEPTED = {"1_1": ["p"], "2_1": ["r", "s"], "3_1": ["u"]}


def runs_of(answers):
    return [
        TeamRun(name, team, dict(zip(ACCEPTED, texts, strict=True)))
        for name, (team, *texts) in answers.items()
    ]


def questions_of(runs, accepted=ACCEPTED):
    return [
        Question(
            name,
            cluster=name,
            truth=(f"x{number}",),
            lost_without={
                text: given_by_one_team(run.team for run in runs if run.answers.get(name) == text)
                for text in texts
            },
        )
        for number, (name, texts) in enumerate(accepted.items(), start=1)
    ]


def left_out(runs, questions=None, measure=exact_match):
    questions = questions_of(runs) if questions is None else questions
    return leave_one_team_out(questions, runs, measure, replicates=1000, seed=0)


def test_the_worked_example_has_its_values():
    found = left_out(runs_of(ANSWERS))

    assert [
        (run.run, run.full, run.left_out, run.bias.value, run.unique_share.value)
        for run in found.runs
    ] == [
        ("a1", 1, pytest.approx(1 / 3), pytest.approx(2 / 3), 1),
        ("a2", 1, pytest.approx(2 / 3), pytest.approx(1 / 3), 1 / 2),
        ("b1", pytest.approx(2 / 3), pytest.approx(1 / 3), pytest.approx(1 / 3), 1),
        ("c1", pytest.approx(2 / 3), pytest.approx(2 / 3), 0, 0),
    ]
    assert found.runs[1].bias.value == found.runs[2].bias.value  # a third, to the last digit
    assert found.kendall_tau_b.value == 0
    assert found.mean_bias == pytest.approx(1 / 3)
    assert found.largest_bias == pytest.approx(2 / 3)


def test_the_mean_and_the_largest_bias_are_those_of_the_runs_that_were_drawn_from():
    # d1 came later: no answer was found through it, so nothing of it is lost.
    answers = ANSWERS | {"d1": ("D", "p", "s", "u")}
    runs = [replace(run, is_late=run.name == "d1") for run in runs_of(answers)]
    questions = questions_of([run for run in runs if not run.is_late])

    found = left_out(runs, questions)

    assert [run.is_late for run in found.runs] == [False] * 4 + [True]
    assert (found.runs[4].full, found.runs[4].bias.value) == (1, 0)
    assert found.mean_bias == pytest.approx(1 / 3)
    assert found.largest_bias == pytest.approx(2 / 3)
    # In the rankings it stands with the others.
    assert found.runs[4].place == 2
    assert found.runs[4].place_left_out == 1


def test_where_all_runs_came_later_there_is_no_mean_bias():
    runs = [replace(run, is_late=True) for run in runs_of(ANSWERS)]

    found = left_out(runs)

    assert (found.mean_bias, found.largest_bias) == (None, None)


def test_a_run_is_left_out_with_the_other_runs_of_its_team():
    # p stays where only the run is left out, because a2 gave it too.
    by_run = left_out([replace(run, team=run.name) for run in runs_of(ANSWERS)])

    assert by_run.runs[0].left_out == pytest.approx(2 / 3)


def test_a_run_left_out_alone_is_ranked_among_the_others_full_scores():
    a1, a2, b1, c1 = left_out(runs_of(ANSWERS)).runs

    assert [run.place for run in (a1, a2, b1, c1)] == [1.5, 1.5, 3.5, 3.5]
    assert [run.place_alone for run in (a1, a2, b1, c1)] == [4, 3, 4, 3.5]
    assert [run.change.value for run in (a1, a2, b1, c1)] == [2.5, 1.5, 0.5, 0]
    assert [run.place_left_out for run in (a1, a2, b1, c1)] == [3.5, 1.5, 3.5, 1.5]


def test_the_greatest_fall_is_between_both_rankings_and_names_its_runs():
    found = left_out(runs_of(ANSWERS))

    assert (found.greatest_fall, found.fallen) == (2, ("a1",))


def test_nothing_falls_where_every_answer_was_given_by_two_teams():
    runs = runs_of(ANSWERS)
    found = left_out([*runs, *(replace(run, name=f"{run.name}'", team="D") for run in runs)])

    assert {run.bias.value for run in found.runs} == {0}
    assert (found.greatest_fall, found.fallen, found.kendall_tau_b.value) == (0, (), 1)


def test_an_answer_in_the_words_of_the_truth_stays():
    runs = runs_of({"a1": ("A", "x1", "q", "q"), "b1": ("B", "q", "q", "q")})

    found = left_out(runs, questions_of(runs, {"1_1": ["x1"], "2_1": [], "3_1": []}))

    assert (found.runs[0].n_accepted, found.runs[0].bias.value) == (0, 0)
    assert found.runs[0].unique_share.reason == NOTHING_ACCEPTED


def test_a_missing_answer_counts_as_an_empty_one():
    runs = runs_of(ANSWERS)
    with_gap = replace(runs[0], answers={"1_1": "p", "2_1": "x2"})

    assert left_out([with_gap, *runs[1:]]).runs[0].full == pytest.approx(2 / 3)


def test_a_partly_right_answer_keeps_what_other_references_give_it():
    runs = runs_of({"a1": ("A", "red apples", "q", "q"), "b1": ("B", "red", "q", "q")})
    questions = questions_of(runs, {"1_1": ["red apples", "red"], "2_1": [], "3_1": []})

    found = left_out(runs, questions, token_f1)

    assert found.runs[0].left_out == pytest.approx(2 / 3 / 3)


def test_one_run_has_a_bias_and_no_ranking():
    found = left_out(runs_of({"a1": ANSWERS["a1"]}))

    assert found.runs[0].bias.value == pytest.approx(2 / 3)
    assert (found.kendall_tau_b.reason, found.tau_ap.reason) == (ONE_RUN, ONE_RUN)


def test_runs_that_all_tie_have_no_tau():
    same = {name: (name, "p", "q", "q") for name in ("a1", "b1")}

    assert left_out(runs_of(same)).kendall_tau_b.reason == ALL_TIED


def test_questions_of_one_conversation_are_drawn_together():
    questions = [replace(each, cluster="1") for each in questions_of(runs_of(ANSWERS))]

    found = left_out(runs_of(ANSWERS), questions)

    assert found.n_clusters == 1
    assert found.runs[0].bias.interval.reason == "a single question"


def test_without_a_question_there_is_nothing_to_score():
    with pytest.raises(ValueError, match="nothing to score"):
        left_out(runs_of(ANSWERS), [])


TEXTS = st.sampled_from(["", "p", "q", "r s", "x1"])


@st.composite
def studies(draw):
    names = ["1_1", "1_2", "2_1", "3_1"]
    runs = [
        TeamRun(f"run {n}", draw(st.sampled_from("ABC")), {name: draw(TEXTS) for name in names})
        for n in range(draw(st.integers(1, 5)))
    ]
    questions = [
        Question(
            name,
            name.split("_")[0],
            ("x1",),
            {
                text: given_by_one_team(run.team for run in runs if run.answers[name] == text)
                for text in draw(st.sets(st.sampled_from(["p", "q", "r s"])))
                if any(run.answers[name] == text for run in runs)
            },
        )
        for name in names
    ]
    return questions, runs


@given(studies(), st.randoms())
@settings(max_examples=30)
def test_no_run_gains_by_being_left_out_and_order_changes_nothing(study, chance):
    questions, runs = study
    shuffled = [chance.sample(each, len(each)) for each in study]

    found = left_out(runs, questions, token_f1)
    again = left_out(shuffled[1], shuffled[0], token_f1)

    assert all(run.bias.value >= 0 and run.change.value >= 0 for run in found.runs)
    assert all(run.n_lost <= run.n_accepted for run in found.runs)
    assert {run.run: run for run in again.runs} == {run.run: run for run in found.runs}


def test_intervals_hold_the_values_of_many_questions():
    chance = np.random.default_rng(1)
    names = [f"{n}_1" for n in range(60)]
    runs = [
        TeamRun(team, team, {name: str(chance.choice(list("pqr"))) for name in names})
        for team in "ABCD"
    ]
    questions = [
        Question(
            name,
            name,
            ("x",),
            {"p": given_by_one_team(run.team for run in runs if run.answers[name] == "p")},
        )
        for name in names
    ]

    found = left_out(runs, questions)

    for run in found.runs:
        assert run.bias.interval.low <= run.bias.value <= run.bias.interval.high
        assert run.unique_share.interval.low <= run.unique_share.value
