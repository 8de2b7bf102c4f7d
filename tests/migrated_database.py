"""An SQLite database without rows, kept from run to run: applying all migrations takes as long as a hundred tests.

It is made anew where a migration, Django or SQLite is another one. `pytest --create-db` uses none that is kept. Django still asks
the copy of each process whether a migration is missing.
"""

import hashlib
import os
import shutil
import sqlite3
import subprocess
import sys
from pathlib import Path

import django
from django.apps import apps

from tests.once_a_run import made_once

NAME = "migrated.sqlite3"


def copy_to(path: Path, kept: Path) -> None:
    """Copy the database with all migrations to `path`, from the folder of kept ones or made in it."""
    digest = _digest()
    for other in kept.glob("*"):
        if other.is_dir() and other.name != digest:
            shutil.rmtree(other, ignore_errors=True)
    shutil.copyfile(made_once(kept / digest, _migrate) / NAME, path)


def _migrate(folder: Path) -> None:
    environment = {
        **os.environ,
        "DATABASE_URL": f"sqlite:///{folder / NAME}",
        "TOUCHSTONE_DATA": str(folder / "data"),
    }
    command = [sys.executable, "manage.py", "migrate", "--verbosity", "0"]
    subprocess.run(command, cwd=Path(__file__).parents[1], env=environment, check=True)


def _digest() -> str:
    """Of what the tables depend on: every migration of every app."""
    found = hashlib.sha256(f"{django.__version__} {sqlite3.sqlite_version}".encode())
    for each in sorted(apps.get_app_configs(), key=lambda app: app.name):
        for path in sorted((Path(each.path) / "migrations").glob("*.py")):
            found.update(f"{each.name} {path.name}\n".encode() + path.read_bytes())
    return found.hexdigest()
