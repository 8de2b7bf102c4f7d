"""Folders that are built once in a run of the tests, though several processes run them."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from filelock import FileLock


def shared_folder(
    tmp_path_factory: pytest.TempPathFactory, name: str, make: Callable[[Path], None]
) -> Path:
    """The folder of this name, filled by the first process that asks for it; the others wait.

    What fails while it is made is made again by the next one that asks, in a folder of its own.
    """
    shared = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        shared = shared.parent  # each worker has a folder in the one of the run
    done = shared / f"{name} is made"
    with FileLock(shared / f"{name}.lock"):
        if not done.exists():
            folder = tmp_path_factory.mktemp(name)
            make(folder)
            done.write_text(str(folder), encoding="utf-8")
    return Path(done.read_text(encoding="utf-8"))
