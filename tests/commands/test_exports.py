"""release, show_release."""

from io import StringIO

import pytest
from django.core.management import call_command

from exports.models import Release
from tests.commands.calling import open_batch, refusal


@pytest.fixture
def out(tmp_path):
    return tmp_path / "release"


@pytest.fixture
def command(out):
    return "release", "--dataset", "everyday", "--out", out


def test_release_writes_a_folder_and_says_what_is_in_it(desk, settled, command, out):
    said = desk.do(*command, "--rehearsal", "--set-aside-disputes")

    assert (said["release"], said["folder"]) == (1, str(out))
    assert said["n_disputes_set_aside"] > 0
    assert (out / "manifest.json").is_file()
    assert Release.objects.get().is_rehearsal


def test_release_refuses_what_cannot_be(desk, settled, command, out):
    n_disputed = desk.do("disputes", "--batch", "plausible")["n_disputed"]

    assert "has no closed real batch: nothing to release" in desk.refused(*command)
    assert f"{n_disputed} items are in dispute" in desk.refused(*command, "--rehearsal")
    assert "has no dataset slate" in desk.refused(*command, "--dataset", "slate")
    assert not out.exists()
    assert not Release.objects.exists()


def test_release_refuses_a_folder_with_something_in_it(desk, settled, command, out):
    out.mkdir()
    (out / "notes.txt").write_text("mine")

    said = desk.refused(*command, "--rehearsal", "--set-aside-disputes")

    assert "is there already and not an empty folder" in said
    assert [path.name for path in out.iterdir()] == ["notes.txt"]


def test_release_refuses_a_batch_that_is_not_settled(desk, pool, out):
    open_batch(desk, pool)
    desk.do("rehearse", "--batch", "plausible")
    desk.do("close_batch", "--batch", "plausible")

    assert "is closed but not settled" in desk.refused(
        "release", "--dataset", "touch", "--out", out, "--rehearsal"
    )


def test_show_release_prints_its_tables(desk, settled, command, out):
    desk.do(*command, "--rehearsal", "--set-aside-disputes")
    printed = StringIO()

    call_command("show_release", str(out), stdout=printed)

    for title in ("Batches", "Runs", "Accepted answers (gold)", "manifest.json"):
        assert title in printed.getvalue()


def test_show_release_refuses_a_folder_that_is_none(tmp_path):
    assert "there is no manifest.json in it" in refusal("show_release", tmp_path)
