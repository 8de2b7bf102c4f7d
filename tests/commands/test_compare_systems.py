"""compare_systems."""

import pytest

from tests.commands.calling import refusal, touchstone
from tests.exports import comparing
from tests.parts import part

pytestmark = pytest.mark.django_db


@pytest.fixture
def options(study):
    return "compare_systems", "--study", study.slug


@part
def rated(study, folder, bob, dora):
    pool = comparing.pool_of(comparing.dataset_of(study, folder))
    return comparing.judged(comparing.opened(pool, "rating"), [bob, dora], comparing.flat)


def test_a_comparison_is_written_and_told_by_run_and_setup(options, tmp_path, rated):
    told = touchstone(*options, "--out", tmp_path / "out", "--batch", rated.name)

    assert (told["batches"], told["n_judgements"]) == (["rating gold"], 6)
    assert [(row["run"], row["setup"], row["both"]) for row in told["runs"]] == [
        (run, "Gold passages", 3.0) for run in comparing.RUNS
    ]
    assert (tmp_path / "out" / "manifest.json").is_file()


def test_what_cannot_be_written_is_said_in_a_sentence(options, tmp_path, rated):
    out = ("--out", tmp_path / "out")

    assert "has no batch slate" in refusal(*options, *out, "--batch", "slate")
    touchstone(*options, *out)
    assert "choose another" in refusal(*options, *out)
