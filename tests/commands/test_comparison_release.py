"""release_comparison."""

import json
from io import StringIO

import pytest
from django.core.management import call_command

from annotation.actions import batches
from exports.models import Release, ReleaseContents
from tests.exports import compared_runs
from tests.parts import part


@part
def rated(study, folder, alice, bob, dora):
    """A batch of ratings of a comparison, which people judged."""
    pool = compared_runs.draw_comparison_pool(compared_runs.create_compared_dataset(study, folder))
    batch = compared_runs.open_batch(pool, "rating")
    return compared_runs.judge_batch(batch, [bob, dora], compared_runs.ratings)


@pytest.fixture
def out(tmp_path):
    return tmp_path / "release"


def test_it_writes_the_folder_and_records_the_release(commands, rated, out):
    batches.close(batch=rated, by=rated.created_by)

    made = commands.run("release_comparison", "--out", out)

    assert (made["release"], made["folder"]) == (1, str(out))
    assert made["batches"] == [rated.name]
    assert Release.objects.get().contents == ReleaseContents.COMPARISON
    assert json.loads((out / "manifest.json").read_text())["release"] == 1


def test_it_refuses_while_people_judge(commands, rated, out):
    assert "people still judge in" in commands.error("release_comparison", "--out", out)

    assert commands.run("release_comparison", "--out", out, "--with-open-batches")["release"] == 1


def test_it_refuses_a_batch_that_compares_nothing(commands, rated, out):
    assert "has no batch slate" in commands.error(
        "release_comparison", "--out", out, "--batch", "slate"
    )
    assert not out.exists()


def test_show_release_prints_its_table(commands, rated, out):
    commands.run("release_comparison", "--out", out, "--with-open-batches")
    printed = StringIO()

    call_command("show_release", str(out), stdout=printed)

    text = printed.getvalue()
    for piece in ("Release 1 of the study", "alder", "Win-rate", "figures.json", "manifest.json"):
        assert piece in text
