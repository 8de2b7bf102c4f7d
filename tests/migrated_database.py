"""An SQLite database without rows, kept from run to run: applying all migrations takes as long as a hundred tests.

It is made anew where a migration, Django or SQLite is another one. `pytest --create-db` makes a new one for the tests of
a process.
"""

import fcntl
import hashlib
import os
import shutil
import sqlite3
import subprocess
import sys
from pathlib import Path

import django
from django.apps import apps

from tests import once_a_run

ROOT = Path(__file__).resolve().parent.parent
KEPT = ROOT / ".pytest_cache" / "databases"
NAME = "migrated.sqlite3"


def copy_to(path: Path) -> None:
    """Copy the database with all migrations to `path`. It is made if it is not kept, and others are no longer kept.

    Where nothing can be kept, as in a folder that is only read, it is made once a run.
    """
    try:
        KEPT.mkdir(parents=True, exist_ok=True)
        lock = KEPT.with_suffix(".lock").open("w")
    except OSError:
        shutil.copyfile(once_a_run.folder("migrated", _migrate) / NAME, path)
        return
    with lock:  # held by one process, which makes, clears and copies
        fcntl.flock(lock, fcntl.LOCK_EX)
        digest = _digest()
        for other in KEPT.iterdir():
            if other.name != digest:
                shutil.rmtree(other)
        if not (KEPT / digest).exists():
            unfinished = KEPT / "unfinished"
            unfinished.mkdir()
            _migrate(unfinished)
            unfinished.rename(KEPT / digest)
        shutil.copyfile(KEPT / digest / NAME, path)


def _migrate(folder: Path) -> None:
    environment = {
        **os.environ,
        "DATABASE_URL": f"sqlite:///{folder / NAME}",
        "TOUCHSTONE_DATA": str(folder / "data"),
    }
    command = [sys.executable, "manage.py", "migrate", "--verbosity", "0"]
    subprocess.run(command, cwd=ROOT, env=environment, check=True)


def _digest() -> str:
    """Of what the tables depend on: every migration of every app."""
    found = hashlib.sha256(f"{django.__version__} {sqlite3.sqlite_version}".encode())
    for each in sorted(apps.get_app_configs(), key=lambda app: app.name):
        for path in sorted((Path(each.path) / "migrations").glob("*.py")):
            found.update(f"{each.name} {path.name}\n".encode() + path.read_bytes())
    return found.hexdigest()
