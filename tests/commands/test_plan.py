"""plan."""

import csv
import io
from io import StringIO

import pytest
from django.core.management import call_command

from stats.variance_components import FEW_PEOPLE
from tests.commands.command_calls import command_error, run_command
from tests.exports import compared_runs
from tests.parts import part

pytestmark = pytest.mark.django_db


def printed(*args: object) -> str:
    out = StringIO()
    call_command(*map(str, args), stdout=out)
    return out.getvalue()


@part
def rated(study, folder, bob, dora):
    pool = compared_runs.draw_comparison_pool(compared_runs.create_compared_dataset(study, folder))
    return compared_runs.judge_batch(
        compared_runs.open_batch(pool, "rating"), [bob, dora], compared_runs.ratings
    )


@pytest.fixture
def options(study):
    return "plan", "--study", study.slug


def test_a_plan_is_told_with_its_options_and_by_number(options):
    told = run_command(*options, "--questions", 100, "--people", 6, "--per-question", 3)

    assert told["standard_deviations"]["difference of two runs"] == {
        "questions": pytest.approx(0.7),
        "people": pytest.approx(0.27),
        "rest": pytest.approx(1.0),
    }
    assert [row["n_judgements"] for row in told["options"]] == [300, 300, 400, 360]
    assert told["options"][0]["half_width"] == pytest.approx(0.296, abs=0.001)
    assert {row["n_people"] for row in told["by_number"]} == {3, 4, 6, 8, 12}
    assert told["pilot"] is None


def test_it_is_printed_as_text(options):
    text = printed(*options, "--measure", "plausible", "--price", "0.06", "--people", 6)

    assert "One more annotator or 20 more questions?" in text
    assert "one more annotator and judgement per question" in text
    assert "1200, $72.00" in text


def test_it_is_printed_as_csv(options):
    rows = list(csv.DictReader(io.StringIO(printed(*options, "--csv"))))

    assert [row["design"] for row in rows[:2]] == ["as planned", "one more annotator"]
    assert float(rows[1]["half_width"]) < float(rows[0]["half_width"])
    assert "CSV: leave one out" in command_error(*options, "--csv", "--json")


def test_a_pilot_and_a_batch_are_named(options, rated):
    """Two people judged: too few for components."""
    told = run_command(*options, "--pilot", rated.name, "--batch", rated.name)

    assert (told["pilot"], told["pilot_judgements"]) == ("rating gold", 6)
    assert set(told["undefined_in_pilot"].values()) == {FEW_PEOPLE}
    assert f"(assumed: {FEW_PEOPLE})" in printed(*options, "--pilot", rated.name)
    assert (told["options"][0]["n_questions"], told["items_per_question"]) == (3, 1)


def test_what_is_wrong_is_said_with_the_name_of_the_option(options, rated):
    assert "--per-question: A question is judged" in command_error(
        *options, "--people", 3, "--per-question", 5
    )
    assert "--pilot: rating gold has judgements of rating" in command_error(
        *options, "--pilot", rated.name, "--measure", "preference"
    )
    assert "has no batch slate" in command_error(*options, "--pilot", "slate")


def test_only_an_organiser_plans(options, bob):
    assert "requester" in command_error(*options, "--by", bob.username)
