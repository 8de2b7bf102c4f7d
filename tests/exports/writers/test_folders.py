"""The folder of a release is there whole or not at all: exports/writers/folders.py."""

import os
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from exports.writers import folders
from exports.writers.errors import ReleaseError
from tests.exports.judged_batches import release

IN_A_PROCESS = """
import pathlib, signal, sys
import django
signal.signal(signal.SIGINT, signal.default_int_handler)  # ignored below a shell's background job
django.setup()
from exports.writers import folders
from exports.management.commands.release import interrupt_on_sigterm
with interrupt_on_sigterm(), folders.new_folder(pathlib.Path(sys.argv[1])) as folder:
    (folder.path / "gold.json").write_text("half")
    print("begun", flush=True)
    sys.stdin.read()
"""


def fill(out, *, meanwhile=lambda: None, then=lambda: None):
    """A folder with one file; `meanwhile` is called before the delivery, `then` after it."""
    with folders.new_folder(out) as folder:
        (folder.path / "gold.json").write_text("[]")
        meanwhile()
        folder.deliver()
        then()


def stops(error):
    def stop():
        raise error

    return stop


def refusal(out, **happens):
    with pytest.raises(ReleaseError) as caught:
        fill(out, **happens)
    return str(caught.value)


def names(folder):
    return sorted(path.name for path in folder.iterdir())


def test_a_delivered_folder_stands_with_its_files_and_nothing_beside_it(tmp_path):
    fill(tmp_path / "a" / "b" / "release")

    assert names(tmp_path / "a" / "b") == ["release"]
    assert names(tmp_path / "a" / "b" / "release") == ["gold.json"]


def test_what_was_delivered_is_its_owners_alone_until_the_owner_shares_it(tmp_path):
    fill(tmp_path / "release")

    modes = {path.stat().st_mode & 0o077 for path in [tmp_path / "release", *tmp_path.rglob("*")]}
    assert modes == {0}


def test_a_body_that_does_not_deliver_leaves_no_release(tmp_path):
    with pytest.raises(ReleaseError), folders.new_folder(tmp_path / "release"):
        raise ReleaseError("not settled")

    assert names(tmp_path) == []


@pytest.mark.parametrize("stop", [RuntimeError, KeyboardInterrupt, SystemExit])
def test_whatever_stops_the_body_takes_all_that_was_made_with_it(tmp_path, stop):
    with pytest.raises(stop):
        fill(tmp_path / "a" / "b" / "release", meanwhile=stops(stop))

    assert names(tmp_path) == []


def test_what_is_stopped_after_the_delivery_is_taken_away_too(tmp_path):
    with pytest.raises(KeyboardInterrupt):
        fill(tmp_path / "a" / "release", then=stops(KeyboardInterrupt))

    assert names(tmp_path) == []


def test_who_did_not_deliver_takes_nothing_from_the_place(tmp_path):
    def overtaken():
        fill(tmp_path / "release")
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        fill(tmp_path / "release", meanwhile=overtaken)

    assert names(tmp_path) == ["release"]
    assert names(tmp_path / "release") == ["gold.json"]


def test_folders_that_were_there_before_stay(tmp_path):
    (tmp_path / "a").mkdir()

    with pytest.raises(KeyboardInterrupt):
        fill(tmp_path / "a" / "b" / "release", meanwhile=stops(KeyboardInterrupt))

    assert names(tmp_path) == ["a"]
    assert names(tmp_path / "a") == []


def test_a_folder_that_somebody_else_used_meanwhile_stays(tmp_path):
    def used_and_stopped():
        (tmp_path / "a" / "notes.txt").write_text("mine")
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        fill(tmp_path / "a" / "release", meanwhile=used_and_stopped)

    assert names(tmp_path / "a") == ["notes.txt"]


@pytest.mark.parametrize("stop", [signal.SIGTERM, signal.SIGINT])
def test_a_process_that_is_asked_to_end_leaves_nothing(tmp_path, stop):
    with subprocess.Popen(
        [sys.executable, "-c", IN_A_PROCESS, tmp_path / "a" / "release"],
        env={**os.environ, "DJANGO_SETTINGS_MODULE": "config.settings"},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout.readline() == "begun\n"
        process.send_signal(stop)
        _, errors = process.communicate(timeout=60)

    assert "interrupted: there is no release" in errors
    assert names(tmp_path) == []


def test_what_a_killed_process_leaves_is_not_called_like_a_release(tmp_path):
    with folders.new_folder(tmp_path / "release") as folder:
        assert names(tmp_path) == [folder.path.name]
        assert folder.path.name.startswith(".unfinished-release-")
        folder.deliver()


# Where nothing can be written


def test_the_current_folder_is_refused_in_words(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    for out in (".", "", str(tmp_path)):
        assert "is the folder that you are in" in refusal(Path(out))
    assert tmp_path.is_dir()


def test_a_link_to_an_empty_folder_is_followed(tmp_path):
    (tmp_path / "target").mkdir()
    (tmp_path / "link").symlink_to("target")

    fill(tmp_path / "link")

    assert names(tmp_path / "target") == ["gold.json"]
    assert (tmp_path / "link").is_symlink()


def test_a_link_to_nothing_yet_is_followed(tmp_path):
    (tmp_path / "link").symlink_to("target")

    fill(tmp_path / "link")

    assert names(tmp_path / "target") == ["gold.json"]


def test_links_in_a_circle_are_refused_in_words(tmp_path):
    (tmp_path / "link").symlink_to("link")

    assert "cannot be written" in refusal(tmp_path / "link" / "release")


@pytest.mark.parametrize("length", [256, 5000])
def test_a_name_that_is_too_long_is_refused_in_words(tmp_path, length):
    assert "File name too long" in refusal(tmp_path / ("x" * length) / "release")
    assert "File name too long" in refusal(tmp_path / ("x" * length))


def test_the_longest_name_there_is_can_be_used(tmp_path):
    fill(tmp_path / ("x" * 255))

    assert names(tmp_path) == ["x" * 255]


def test_a_folder_above_that_is_a_file_is_refused_in_words(tmp_path):
    (tmp_path / "notes.txt").write_text("mine")

    assert "cannot be written" in refusal(tmp_path / "notes.txt" / "release")
    assert names(tmp_path) == ["notes.txt"]


def test_a_folder_above_that_cannot_be_written_is_refused_in_words(tmp_path, monkeypatch):
    def denied(**where):
        raise PermissionError(13, "Permission denied", str(where["dir"]))

    monkeypatch.setattr(tempfile, "mkdtemp", denied)

    assert "Permission denied. Choose another" in refusal(tmp_path / "a" / "release")
    assert names(tmp_path) == []


def test_a_place_that_is_taken_is_refused(tmp_path):
    (tmp_path / "release").mkdir()
    (tmp_path / "release" / "notes.txt").write_text("mine")
    (tmp_path / "file").write_text("mine")

    for name in ("release", "file"):
        assert "is there already and not an empty folder" in refusal(tmp_path / name)
    assert names(tmp_path / "release") == ["notes.txt"]


def test_a_place_that_is_taken_meanwhile_is_left_as_it_is(tmp_path):
    def taken():
        (tmp_path / "release").mkdir()
        (tmp_path / "release" / "notes.txt").write_text("mine")

    assert "cannot be written" in refusal(tmp_path / "release", meanwhile=taken)
    assert names(tmp_path) == ["release"]
    assert names(tmp_path / "release") == ["notes.txt"]


def test_a_full_disk_is_said_in_words(tmp_path):
    full = OSError(28, "No space left on device")

    assert "No space left" in refusal(tmp_path / "release", meanwhile=stops(full))
    assert names(tmp_path) == []


def test_a_refused_release_takes_the_folders_that_it_made_away_again(plausibility, tmp_path):
    plausibility.state, plausibility.closed_at, plausibility.closed_by = "open", None, None
    plausibility.save()
    before = names(tmp_path)

    with pytest.raises(ReleaseError, match="not closed"):
        release(plausibility, tmp_path / "a" / "b" / "release")

    assert names(tmp_path) == before
