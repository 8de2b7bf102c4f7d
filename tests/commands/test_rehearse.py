"""The command `rehearse` with people from a file, and with a campaign."""

from io import StringIO
from pathlib import Path

import pytest
from django.core.management import call_command

from annotation.models import Batch, Judgement
from tests.annotation.actions.test_rehearsed_campaigns import large_pool
from tests.annotation.pools import launched
from tests.commands.command_calls import open_batch

DEMO = Path(__file__).parents[2] / "demo" / "people.toml"
TWO = '[[group]]\nname = "good"\ncount = 2\naccuracy = 1.0\n'


@pytest.fixture
def people(tmp_path: Path) -> Path:
    path = tmp_path / "people.toml"
    path.write_text(TWO)
    return path


@pytest.fixture
def large(study) -> Batch:
    return launched(large_pool(study), name="full", reward="0.06", currency="USD")


def test_people_of_a_file_judge_all_of_it(commands, pool, people):
    open_batch(commands, pool)

    said = commands.run("rehearse", "--batch", "plausible", "--people", people)

    counts = {"n_items": 3, "n_judgements": 6, "n_annotators": 2, "n_missing": 0}
    assert said == {"batch": "plausible", **counts}
    assert Batch.objects.get().is_rehearsal


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (("--annotators", 3), "the groups have 2 people, and 3 were asked for"),
        (("--accuracy", 0.9), "--accuracy goes without --people"),
        (("--keyed", 30), "--keyed goes with --campaign"),
    ],
)
def test_options_that_do_not_fit_are_refused(commands, pool, people, options, sentence):
    open_batch(commands, pool)

    said = commands.error("rehearse", "--batch", "plausible", "--people", people, *options)

    assert sentence in said
    assert not Batch.objects.get().is_rehearsal


def test_a_file_is_refused_with_its_group_and_field(commands, pool, people):
    open_batch(commands, pool)
    people.write_text(TWO.replace("1.0", "2"))

    said = commands.error("rehearse", "--batch", "plausible", "--people", people)

    assert said == f"{people}: group 1: accuracy: 2 is not from 0 to 1"
    assert not Judgement.objects.exists()


def test_a_file_that_is_not_there_is_refused(commands, pool):
    open_batch(commands, pool)

    said = commands.error("rehearse", "--batch", "plausible", "--people", "nowhere.toml")

    assert said == "there is no file nowhere.toml"


TEN = ("--annotators", "10")
CAMPAIGN = ("rehearse", "--batch", "full", "--campaign", "--pilot", 6, "--keyed", 9)


def test_a_campaign_says_who_is_let_in_and_what_it_costs(commands, large):
    said = commands.run(*CAMPAIGN, "--people", DEMO, "--annotators", 10, "--seed", 3)

    assert (said["n_good"], said["n_bad"], said["seed"], said["rule"]) == (7, 3, 3, "majority")
    assert [each["group"] for each in said["groups"]] == [
        *("careful", "gets hasty"),
        *("random", "one key"),
    ]
    stages = [each["stage"] for each in said["stages"]]
    assert stages == ["pilot", "training", "full", "everyone"]
    assert said["trusted"]["cost"].startswith("$")
    assert not Batch.objects.get().is_rehearsal
    assert not Judgement.objects.exists()


def test_a_campaign_is_printed_in_words(large):
    out = StringIO()

    call_command(*map(str, CAMPAIGN), "--study", "lighthouses", "--people", DEMO, *TEN, stdout=out)

    printed = out.getvalue().splitlines()
    assert "n_bad: 3" in printed
    assert "- group: random, is_bad: yes, n: 2, n_trained: 2, n_let_in: 0" in {
        line.strip() for line in printed
    }


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ((), "--campaign needs --people"),
        (("--people", DEMO), "shares need a number of people (--annotators)"),
        (("--people", DEMO, *TEN, "--bar", "0.9"), "nobody can reach the bar 0.9 with 9"),
        (("--people", DEMO, *TEN, "--keyed", "40"), "a training of 40 questions"),
        (("--people", DEMO, *TEN, "--bar", "1"), "1 is not between 0.001 and 0.999"),
        (("--people", DEMO, *TEN, "--pilot", "0"), "0 is not between 1 and 10000"),
    ],
)
def test_a_campaign_that_cannot_be_is_refused(commands, large, options, sentence):
    assert sentence in commands.error(*CAMPAIGN, *options)
