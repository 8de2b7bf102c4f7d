"""compare_systems."""

import pytest

from tests.commands.command_calls import command_error, run_command
from tests.exports import compared_runs
from tests.parts import part

pytestmark = pytest.mark.django_db


@pytest.fixture
def options(study):
    return "compare_systems", "--study", study.slug


@part
def rated(study, folder, bob, dora):
    pool = compared_runs.draw_comparison_pool(compared_runs.create_compared_dataset(study, folder))
    return compared_runs.judge_batch(
        compared_runs.open_batch(pool, "rating"), [bob, dora], compared_runs.flat_ratings
    )


def test_a_comparison_is_written_and_told_by_run_and_setup(options, tmp_path, rated):
    told = run_command(*options, "--out", tmp_path / "out", "--batch", rated.name)

    assert (told["batches"], told["n_judgements"]) == (["rating gold"], 6)
    assert [(row["run"], row["setup"], row["both"]) for row in told["runs"]] == [
        (run, "Gold passages", 3.0) for run in compared_runs.RUNS
    ]
    assert (tmp_path / "out" / "manifest.json").is_file()


def test_what_cannot_be_written_is_said_in_a_sentence(options, tmp_path, rated):
    out = ("--out", tmp_path / "out")

    assert "has no batch slate" in command_error(*options, *out, "--batch", "slate")
    run_command(*options, *out)
    assert "choose another" in command_error(*options, *out)
