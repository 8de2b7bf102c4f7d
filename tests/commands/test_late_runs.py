"""late_runs, draw_pool --late and leave_one_team_out."""

import pytest
from django.core.management import call_command

from tests.annotation.pools import launched
from tests.corpus.imports import save_dataset
from tests.exports.missed_answers.test_views import judged_by
from tests.parts import part
from tests.sampling.late_runs import create_late_run
from tests.sampling.scored_dataset import TURNS

TOP_UP = (
    *("draw_pool", "--dataset", "touch", "--name", "more"),
    *("--late", "gale", "--like", "pool"),
)


@part
def judged(pool, bob, dora):
    """Of the three that were drawn one is implausible; alder and birch are one team's."""
    pool.dataset.runs.filter(name__in=["alder", "birch"]).update(team="Trees")
    return judged_by(launched(pool), (bob, dora), {"Green.": "implausible"})


@pytest.mark.parametrize("redraw", [(), ("--redraw",)])
def test_each_team_is_left_out_in_turn(commands, judged, redraw):
    said = commands.run("leave_one_team_out", "--dataset", "touch", "--tier", "silver", *redraw)

    alder = next(run for run in said["measures"]["em"]["runs"] if run["run"] == "alder")
    assert (said["n_accepted"], said["n_without_team"], said["is_redrawn"]) == (2, 4, bool(redraw))
    assert (alder["team"], alder["bias"]["value"], alder["n_lost"]) == ("Trees", 0.5, 1)


def test_the_figures_are_printed_as_a_table(commands, judged, capsys):
    call_command(
        "leave_one_team_out", "--study", judged.study.slug, "--dataset", "touch", "--tier", "silver"
    )

    said = " ".join(capsys.readouterr().out.split())
    assert "4 of the runs have no team: each is left out by itself" in said
    assert "EM, 2 questions: run team all left out bias unique share rank change of rank" in said
    assert "alder Trees 1.000 0.500 0.500" in said


def test_before_anything_is_judged_there_is_nothing_to_leave_out(commands, pool):
    said = commands.error("leave_one_team_out", "--dataset", "touch")

    assert "There are no results yet: no batch is closed and settled." in said


@part
def late(judged, folder):
    """gale came after the pool was judged."""
    return create_late_run(judged.pool.dataset, folder, "gale")


def test_late_runs_are_compared_with_the_pool(commands, late):
    said = commands.run("late_runs", "--dataset", "touch")

    (gale,) = said["runs"]
    assert (gale["run"], gale["pool"], gale["coverage"]) == ("gale", "pool", 0)
    assert (gale["standings"]["same_bag"], gale["standings"]["new"]) == (1, 1)
    assert (gale["lower"], gale["upper"]) == (0, 1)


def test_late_runs_are_printed_as_a_table(commands, late, capsys):
    call_command("late_runs", "--study", late.dataset.study.slug, "--dataset", "touch")

    said = " ".join(capsys.readouterr().out.split())
    assert "gale pool 0 0 0 1 0 1 1 0% bounds 0% to 100%" in said


def test_without_a_late_run_it_says_so(commands, pool):
    said = commands.error("late_runs", "--dataset", "touch")

    assert "No run is late: each pool was drawn from all runs of the data set." in said


def test_a_top_up_is_drawn_like_the_pool(commands, late):
    said = commands.run(*TOP_UP)

    assert (said["pool"], said["late"], said["like"]) == ("more", "gale", "pool")
    assert (said["scorer"], said["n_candidates"]) == ("paper#imported", 2)


def test_a_top_up_on_another_version_names_the_version_of_the_pool(commands, late, tmp_path):
    turns = [*TURNS[:2], TURNS[2] | {"Truth_rewrite": "Who then invented it?"}]
    save_dataset(late.dataset.study, tmp_path, turns, as_new_version=True)

    said = commands.error(*TOP_UP)

    assert "the dataset touch@2 has no pool pool: it is of touch@1" in said
    assert "say --dataset touch@1" in said
    assert "Pools of touch@1: pool." in commands.error("late_runs", "--dataset", "touch")


def test_a_top_up_takes_its_rule_from_the_pool_alone(commands, late):
    assert "--threshold is not of a top-up" in commands.error(*TOP_UP, "--threshold", "0.5")
    assert "--min-candidates is not of a top-up" in commands.error(*TOP_UP, "--min-candidates", "1")
    assert "a top-up needs both" in commands.error(*TOP_UP[:-2])
    assert "has no pool other" in commands.error(*TOP_UP[:-1], "other")
    assert "has no run other" in commands.error(*TOP_UP[:-3], "other", *TOP_UP[-2:])


def test_without_a_pool_to_follow_a_draw_needs_scorer_and_threshold(commands, pool):
    draw = ("draw_pool", "--dataset", "touch", "--name", "more")

    assert "--scorer is missing" in commands.error(*draw)
    assert "--threshold: This field is required" in commands.error(*draw, "--scorer", "paper")
