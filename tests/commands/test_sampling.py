"""draw_pool."""

import pytest

from sampling.models import Pool
from scoring import queries as scoring_tables
from tests.commands.command_calls import command_error, run_command
from tests.corpus.imports import create_dataset, turn
from tests.parts import part
from tests.sampling.scored_dataset import create_scored_dataset


@part
def options(study, folder):
    create_scored_dataset(study, folder)
    return "draw_pool", "--study", study.slug, "--dataset", "touch", "--threshold", "0.8"


def test_draw_pool_says_what_became_of_every_answer(options):
    said = run_command(*options, "--name", "pool", "--scorer", "paper", "--min-candidates", 1)

    assert (said["pool"], said["scorer"], said["warnings"]) == ("pool", "paper#imported", [])
    assert (said["n_candidates"], said["n_turns"]) == (3, 2)
    assert sum(said["n_answers"].values()) == 18


def test_draw_pool_shows_a_computed_scorer_in_short(options, study, tiny):
    run_command("score", *options[1:5], "--metric", "sas", "--scorer", tiny)
    rule = ("--name", "pool", "--scorer", "tiny", "--min-candidates", 1, "--threshold", -1)

    said = run_command(*options, *rule)

    assert said["scorer"] == Pool.objects.get().scorer.short
    named = (*rule[:1], "other", "--scorer", said["scorer"], *rule[4:])
    assert run_command(*options, *named)["scorer"] == said["scorer"]


def test_draw_pool_keeps_every_parameter(options):
    run_command(
        *(*options, "--name", "pool", "--scorer", "paper", "--min-candidates", 1, "--seed", 5),
        *("--cap-per-turn", 4, "--bag", "paper", "--runs", "cedar", "alder"),
    )

    assert Pool.objects.get().rule == {
        "scorer": "paper",
        "threshold": 0.8,
        "min_candidates": 1,
        "bag": "paper",
        "cap_per_turn": 4,
        "runs": ["alder", "cedar"],
        "seed": 5,
    }


OF_TURNS = (
    *("--turns", 1, "--strata", "question_word", "--allocation", "equal"),
    *("--prefer", "disagreement", "--seed", 3),
)


def test_draw_pool_draws_some_turns_the_same_at_once_and_in_parts(options, monkeypatch):
    rule = ("--scorer", "paper", "--min-candidates", 1, *OF_TURNS)
    previewed = run_command(*options, "--name", "none", *rule, "--preview")
    at_once = run_command(*options, "--name", "at once", *rule)
    monkeypatch.setattr(scoring_tables, "MOST_ANSWERS_AT_ONCE", 5)

    in_parts = run_command(*options, "--name", "in parts", *rule)

    assert (at_once["n_turns"], at_once["n_turns_not_drawn"]) == (1, 1)
    assert previewed["n_answers"] == at_once["n_answers"] == in_parts["n_answers"]
    assert in_parts["n_candidates"] == at_once["n_candidates"]
    assert Pool.objects.get(name="in parts").rule["allocation"] == "equal"


def test_draw_pool_refuses_strata_of_all_turns(options):
    rule = ("--name", "pool", "--scorer", "paper", "--strata", "depth")

    assert "say how many to draw" in command_error(*options, *rule)


@pytest.mark.parametrize("most_at_once", [100, 5])
def test_draw_pool_fails_where_nothing_is_drawn(options, monkeypatch, most_at_once):
    monkeypatch.setattr(scoring_tables, "MOST_ANSWERS_AT_ONCE", most_at_once)
    rule = ("--name", "pool", "--scorer", "paper", "--threshold", 2)

    assert "no turn has 3 distinct answers above 2" in command_error(*options, *rule)


def test_draw_pool_draws_the_same_from_very_many_answers_in_parts(options, study, monkeypatch):
    rule = ("--scorer", "paper", "--min-candidates", 1)
    at_once = run_command(*options, "--name", "at once", *rule)
    monkeypatch.setattr(scoring_tables, "MOST_ANSWERS_AT_ONCE", 5)

    in_parts = run_command(*options, "--name", "in parts", *rule)
    again = command_error(*options, "--name", "in parts", *rule)

    assert in_parts == at_once | {"pool": "in parts"}
    assert study.jobs.get().state == "done"
    assert "there is a pool in parts already" in again


def test_draw_pool_refuses_what_cannot_be(options, study, tmp_path):
    named = (*options, "--name", "pool", "--scorer")
    create_dataset(study, tmp_path, [turn(1, "A.")], name="empty")

    assert "no answer was scored by papers; there is paper" in command_error(*named, "papers")
    assert "has no run oak" in command_error(*named, "paper", "--runs", "oak")
    assert "--min-candidates: Ensure this value is greater" in command_error(
        *named, "paper", "--min-candidates", 0
    )
    assert "--threshold: Enter a number" in command_error(*named, "paper", "--threshold", "nan")
    assert "has no runs to draw from" in command_error(*named, "paper", "--dataset", "empty")
    assert "has no dataset slate" in command_error(*named, "paper", "--dataset", "slate")
    assert not Pool.objects.exists()

    run_command(*named, "paper", "--min-candidates", 1)
    assert "there is a pool pool already" in command_error(*named, "paper")


def test_draw_audit_says_what_it_drew_of_each_reason(options, study):
    run_command(*options, "--name", "pool", "--scorer", "paper", "--min-candidates", 1)
    asked = ("draw_audit", "--study", study.slug, "--pool", "pool", "--name", "audit")

    said = run_command(*asked, "--below-threshold", 1)

    assert (said["pool"], said["audit_of"], said["n_candidates"]) == ("audit", "pool", 3)
    assert said["strata"]["below_threshold"] == {"n": 2, "n_drawn": 1}
    assert said["strata"]["represented"] == {"n": 2, "n_drawn": 2}
    assert command_error(*asked) == "there is a pool audit already in the study lighthouses"


def test_draw_audit_of_a_pool_that_is_not_there_names_those_that_are(options, study):
    run_command(*options, "--name", "pool", "--scorer", "paper", "--min-candidates", 1)

    said = command_error("draw_audit", "--study", study.slug, "--pool", "puddle", "--name", "audit")

    assert said == "the study lighthouses has no pool puddle; it has pool"
