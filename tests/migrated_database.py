"""An SQLite database without rows, kept from run to run: applying all migrations takes as long as a hundred tests.

It is made anew where a migration, Django or SQLite is another one, and `migrate` still runs on each copy, where it finds
nothing to do. `pytest --create-db` makes a new one for the tests of a process.
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

ROOT = Path(__file__).resolve().parent.parent
KEPT = ROOT / ".pytest_cache" / "databases"
NAME = "migrated.sqlite3"


def copy_to(path: Path) -> None:
    """Copy the database with all migrations to `path`. It is made if it is not kept, and others are no longer kept."""
    KEPT.mkdir(parents=True, exist_ok=True)
    digest = _digest()
    for other in KEPT.iterdir():
        if other.is_dir() and other.name != digest:
            shutil.rmtree(other, ignore_errors=True)
    shutil.copyfile(made_once(KEPT / digest, _migrate) / NAME, path)


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
