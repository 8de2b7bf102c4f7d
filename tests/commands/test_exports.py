"""release, show_release."""

import json
import os
import re
import subprocess
import sys
from io import StringIO

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from exports.models import Release
from exports.precision_audit import actions as precision_audit_actions
from exports.releases import files
from tests.annotation.pools import launched
from tests.commands.command_calls import command_error, open_batch
from tests.exports import judged_batches
from tests.parts import part
from tests.sampling.scored_dataset import create_scored_dataset, draw_pool


@pytest.fixture
def out(tmp_path):
    return tmp_path / "release"


@pytest.fixture
def command(out):
    return "release", "--dataset", "everyday", "--out", out


@part
def plausibility(study, folder, bob, dora):
    """A batch that real people judged, closed and settled."""
    batch = launched(draw_pool(create_scored_dataset(study, folder)))
    return judged_batches.judge_and_settle(batch, bob, dora)


def test_release_writes_a_folder_and_says_what_is_in_it(commands, settled, command, out):
    said = commands.run(*command, "--rehearsal", "--set-aside-disputes")

    assert (said["release"], said["folder"]) == (1, str(out))
    assert said["n_disputes_set_aside"] > 0
    assert (out / "manifest.json").is_file()
    assert Release.objects.get().is_rehearsal


def test_release_refuses_what_cannot_be(commands, settled, command, out):
    n_disputed = commands.run("disputes", "--batch", "plausible")["n_disputed"]

    assert commands.error(*command).endswith(
        "has no closed real batch: nothing to release; its rehearsed batches can be released, as a rehearsal"
    )
    assert f"{n_disputed} items are in dispute" in commands.error(*command, "--rehearsal")
    assert "has no dataset slate" in commands.error(*command, "--dataset", "slate")
    assert not out.exists()
    assert not Release.objects.exists()


def test_release_refuses_a_folder_with_something_in_it(commands, settled, command, out):
    out.mkdir()
    (out / "notes.txt").write_text("mine")

    said = commands.error(*command, "--rehearsal", "--set-aside-disputes")

    assert "is there already and not an empty folder" in said
    assert [path.name for path in out.iterdir()] == ["notes.txt"]


def test_release_refuses_a_batch_that_is_not_settled(commands, pool, out):
    open_batch(commands, pool)
    commands.run("rehearse", "--batch", "plausible")
    commands.run("close_batch", "--batch", "plausible")

    assert "is closed but not settled" in commands.error(
        "release", "--dataset", "touch", "--out", out, "--rehearsal"
    )


def test_release_says_what_is_wrong_with_the_place(commands, settled, command, tmp_path):
    said = commands.error(*command[:-1], tmp_path / ("x" * 300), "--rehearsal")

    assert "cannot be written: File name too long" in said


def test_release_interrupted_says_so_and_ends_with_130(
    commands, settled, command, out, monkeypatch
):
    def interrupt(*args, **options):
        raise KeyboardInterrupt

    monkeypatch.setattr(files, "report", interrupt)

    with pytest.raises(CommandError, match="interrupted: there is no release") as caught:
        commands.run(*command, "--rehearsal", "--set-aside-disputes")

    assert caught.value.returncode == 130
    assert not out.exists()
    assert not Release.objects.exists()


@pytest.fixture
def of_touch():
    """The beginning of the command on the data set of `plausibility`."""
    return "release", "--dataset", "touch"


def test_release_check_prints_the_difference_and_writes_nothing(
    commands, plausibility, of_touch, out, bob, dora
):
    commands.run(*of_touch, "--out", out)
    again = launched(plausibility.pool, name="again")
    judged_batches.judge_and_settle(again, bob, dora, label="malformed")

    found = commands.run(*of_touch, "--check")

    assert (found["since"], found["gained"], found["refused"]) == (1, {"gold": 0, "silver": -3}, "")
    assert len(found["gone"]) == len(found["conflicts"]) == 3
    assert (found["added"], found["moved"]) == ([], [])
    assert Release.objects.count() == 1


def test_release_check_reads_as_text(commands, plausibility, study, of_touch, out, bob, dora):
    commands.run(*of_touch, "--out", out)
    again = launched(plausibility.pool, name="again")
    judged_batches.judge_and_settle(again, bob, dora, label="malformed")
    printed = StringIO()

    call_command(*of_touch, "--study", study.slug, "--check", stdout=printed)

    text = printed.getvalue()
    assert "3 silver answers fewer than in release 1: 3 no longer accepted." in text
    assert "No longer accepted (3):" in text
    assert "malformed in “again” (counts)" in text


def test_release_check_says_why_it_would_be_refused(commands, settled):
    found = commands.run("release", "--dataset", "everyday", "--check", "--rehearsal")

    assert "items are in dispute" in found["refused"]
    assert not Release.objects.exists()


def test_release_takes_the_batches_that_are_named(commands, plausibility, of_touch, out, bob, dora):
    again = launched(plausibility.pool, name="again")
    judged_batches.judge_and_settle(again, bob, dora, label="malformed")

    made = commands.run(*of_touch, "--out", out, "--batch", plausibility.name)

    assert (made["left_out"], made["accepted"]["silver"]) == (["again"], 3)
    assert "has no real batch nobody" in commands.error(*of_touch, "--without", "nobody")


def test_release_needs_a_folder_or_check(commands, plausibility, of_touch):
    assert "say --out DIR, or --check" in commands.error(*of_touch)


@pytest.fixture
def rehearsed(commands, settled, command, out):
    """The folder of a release of a rehearsal, without gold answers."""
    commands.run(*command, "--rehearsal", "--set-aside-disputes")
    return out


def show_release_output(folder):
    printed = StringIO()
    call_command("show_release", str(folder), stdout=printed)
    return printed.getvalue()


def test_show_release_prints_its_tables(rehearsed):
    printed = show_release_output(rehearsed)

    for title in ("Batches", "Runs", "Accepted answers", "manifest.json"):
        assert title in printed
    assert "Other columns are in per_run.csv; columns.md says what each holds" in printed


def test_show_release_prints_rates_and_who_cannot_be_told_apart(plausibility, tmp_path):
    judged_batches.release(plausibility, tmp_path / "real")

    printed = show_release_output(tmp_path / "real")

    assert "Rates of the runs" in printed
    assert "do not differ significantly." in printed
    assert "undefined: nothing of it is settled" in printed
    assert "Precision audits" not in printed


def test_show_release_prints_the_share_that_an_expert_accepts(plausibility, tmp_path, carol):
    dataset = plausibility.pool.dataset
    audit = precision_audit_actions.draw(
        dataset=dataset, sizes={"gold": 9, "silver": 9}, seed=1, by=dataset.created_by
    )
    for item, label in zip(audit.items.all(), ("plausible", "plausible", "malformed"), strict=True):
        precision_audit_actions.judge(item=item, scheme="plausibility", label=label, by=carol)
    judged_batches.release(plausibility, tmp_path / "real")

    printed = show_release_output(tmp_path / "real")

    assert re.search(r"1 +silver +3 +3 +0\.67 \[0\.67, 0\.67\]", printed)
    assert "undefined: there was no accepted answer of this tier" in printed


def test_show_release_says_first_that_it_is_a_rehearsal(rehearsed):
    first, second = show_release_output(rehearsed).splitlines()[:2]

    assert first.startswith("REHEARSAL: ")
    assert second.startswith("Release 1 of the study lighthouses, data set everyday@1: 0 gold and ")


def test_show_release_shows_the_silver_answers_where_there_are_no_gold_ones(rehearsed):
    printed = show_release_output(rehearsed)

    silver = json.loads((rehearsed / "silver.json").read_text(encoding="utf-8"))
    texts = [each["answer"] for turn in silver for each in turn["Truth_answers_alternative"]]
    assert "Accepted answers (silver; there are no gold ones)" in printed
    assert texts
    assert all(" ".join(text.split())[:60] in printed for text in texts)


def test_show_release_of_real_work_says_nothing_of_a_rehearsal(plausibility, tmp_path):
    judged_batches.release(plausibility, tmp_path / "real")

    printed = show_release_output(tmp_path / "real")

    assert "REHEARSAL" not in printed
    assert printed.startswith("Release 1 of the study lighthouses, data set touch@1: 0 gold and 3")


def test_show_release_refuses_what_is_none_in_words(rehearsed, tmp_path):
    assert "there is no manifest.json in it" in command_error("show_release", tmp_path)
    assert "there is no folder" in command_error("show_release", tmp_path / "none")
    (rehearsed / "report.json").write_text("{")
    assert "report.json is not what was released" in command_error("show_release", rehearsed)


def test_show_release_prints_any_text_on_any_terminal(plausibility, tmp_path):
    turn = plausibility.items.first().turn
    turn.conversation.dataset.runs.filter(name="alder").update(name="érable")
    judged_batches.release(plausibility, tmp_path / "real")

    done = subprocess.run(
        [sys.executable, "manage.py", "show_release", tmp_path / "real"],
        env={**os.environ, "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"},
        capture_output=True,
        check=False,
    )

    assert done.returncode == 0, done.stderr
    assert b"\\xe9rable" in done.stdout
