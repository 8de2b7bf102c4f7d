"""Backups of installations, made and restored by the commands."""

import json
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests.jobs.installation import LONGEST, ROOT, Installation, scratch_database, sqlite_in


def results(place: Installation, *commands: list[object], **variables: str) -> list[str]:
    """What each command prints, or "refused: …", all of them in one process."""
    written = [json.dumps([str(word) for word in command]) for command in commands]
    command = [sys.executable, "-m", "tests.config.command_results", *written]
    environment = place.environment | variables
    said: list[str] = json.loads(_output(subprocess.Popen(command, env=environment, **PIPES)))
    return said


def back_up(place: Installation, backups: Path) -> Path:
    """The folder of a new backup."""
    (said,) = results(place, ["backup", backups, "--json"])
    return Path(json.loads(said)["backup"])


def restore(place: Installation, backup: Path, *options: str) -> dict[str, Any]:
    """The summary of what was restored."""
    (said,) = results(place, ["restore", backup, "--json", *options])
    restored: dict[str, Any] = json.loads(said)
    return restored


@contextmanager
def empty_place(folder: Path, like: str) -> Iterator[Installation]:
    """An installation with nothing in its database, on the engine of that address."""
    folder.mkdir(exist_ok=True)
    if like.startswith("postgres"):
        with scratch_database(like) as url:
            yield Installation(folder, url, 1)
    else:
        yield Installation(folder, sqlite_in(folder), 1)


def start(place: Installation, function: str, **options: object) -> subprocess.Popen[str]:
    """A function of tests/config/whole_installation.py in a process; `result_of` waits for it."""
    name = f"tests.config.whole_installation:{function}"
    command = [sys.executable, "-m", "tests.faults.process", name, json.dumps(options)]
    # Addresses are followed in the order of a set.
    return subprocess.Popen(command, env=place.environment | {"PYTHONHASHSEED": "0"}, **PIPES)


def result_of(process: "subprocess.Popen[str]") -> Any:
    return json.loads(_output(process))


PIPES: Any = {"cwd": ROOT, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}


def _output(process: "subprocess.Popen[str]") -> str:
    out, err = process.communicate(timeout=LONGEST)
    assert process.returncode == 0, err[-3000:]
    return out


def changed(backup: Path, copy: Path, **values: object) -> Path:
    """A copy of the backup with other values in its manifest."""
    shutil.copytree(backup, copy)
    written = json.loads((copy / "manifest.json").read_text(encoding="utf-8"))
    (copy / "manifest.json").write_text(json.dumps(written | values), encoding="utf-8")
    return copy
