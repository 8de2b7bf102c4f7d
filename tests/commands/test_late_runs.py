"""leave_one_team_out."""

import pytest
from django.core.management import call_command

from tests.annotation.pools import launched
from tests.exports.missed_answers.test_views import judged_by
from tests.parts import part


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
