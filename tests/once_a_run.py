"""Folders that one process of a run of the tests makes, for all of them to copy."""

import fcntl
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

_places: list[Path] = []


@pytest.fixture(scope="session", autouse=True)
def place_of_the_run(tmp_path_factory: pytest.TempPathFactory, worker_id: str) -> None:
    """Set the place where the processes of this run find the folders of each other."""
    own = tmp_path_factory.getbasetemp()
    _places[:] = [own if worker_id == "master" else own.parent]


def is_run() -> bool:
    """Whether pytest runs, and not a program that uses what is the tests'."""
    return bool(_places)


def folder(name: str, make: Callable[[Path], None]) -> Path:
    """Return the folder of this name, made by the first process that asks for it."""
    made = _places[0] / name
    with made.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not made.exists():
            unfinished = made.with_suffix(".unfinished")
            shutil.rmtree(unfinished, ignore_errors=True)
            unfinished.mkdir(mode=0o700)
            make(unfinished)
            unfinished.rename(made)
    return made
