"""Keeps the database of the present version, on SQLite and on PostgreSQL, with what it must come to.

    CI_DATABASE_URL=postgres://… .venv/bin/python -m tests.upgrades 0.2.0

Needs a PostgreSQL server and its pg_dump. Refuses to write over a version that is kept already.

After a change of published files that is meant, the digests of every kept version are written anew with

    .venv/bin/python -m tests.upgrades --digests
"""

import tests.environment  # noqa: F401, I001  first: what follows reads the settings

import gzip
import json
import os
import re
import socket
import sqlite3
import subprocess
import sys
import tempfile
from contextlib import closing
from pathlib import Path
from typing import Any

from tests.upgrades import kept
from tests.jobs.installation import ROOT, Installation, scratch_database

# Commands of psql, and a setting that servers before PostgreSQL 17 do not have.
NOT_SQL = re.compile(r"(?m)^(\\(un)?restrict .*|SET transaction_timeout.*)\n")


def without_this_machine(text: str, data: Path) -> str:
    """The dump with other paths and another host than those on which it was made."""
    text = text.replace(str(data), "/var/lib/touchstone").replace(str(ROOT), "/srv/touchstone")
    return text.replace(f"{socket.gethostname()}:", "host:")


def dumped(url: str) -> str:
    if url.startswith("sqlite:"):
        with closing(sqlite3.connect(url.removeprefix("sqlite:///"))) as connection:
            return "\n".join(connection.iterdump()) + "\n"
    command = [
        "pg_dump",
        "--inserts",
        "--rows-per-insert=500",
        "--no-owner",
        "--no-privileges",
        url,
    ]
    text = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    return NOT_SQL.sub("", text)


def keep(folder: Path, engine: str, url: str, data: Path) -> dict[str, Any]:
    data.mkdir()
    place = Installation(data, url, 1)
    command = [sys.executable, "-m", "demo.build"]
    subprocess.run(command, env=place.environment, cwd=ROOT, check=True)
    packed = gzip.compress(without_this_machine(dumped(url), data).encode("utf-8"), mtime=0)
    (folder / f"{engine}.sql.gz").write_bytes(packed)
    return kept.outcome(place, data / "out")


def write(folder: Path, name: str, value: dict[str, Any]) -> None:
    text = json.dumps(value, indent=2, sort_keys=True)
    (folder / f"{name}.json").write_text(f"{text}\n", encoding="utf-8")


def write_digests() -> None:
    """Digests of what each kept version comes to now."""
    for version in kept.VERSIONS:
        with tempfile.TemporaryDirectory() as scratch:
            data = Path(scratch) / "data"
            data.mkdir()
            place = Installation(data, f"sqlite:///{scratch}/kept.sqlite3", 1)
            kept.load(version, place.database)
            place.run(["migrate", "--verbosity", 0])
            write(kept.HERE / version, "digests", kept.outcome(place, data / "out"))


def keep_version(version: str) -> None:
    folder = kept.HERE / version
    folder.mkdir()
    server = os.environ.get("CI_DATABASE_URL", "postgres://postgres@127.0.0.1:5432/postgres")
    with tempfile.TemporaryDirectory() as scratch:
        sqlite = Path(scratch) / "sqlite"
        digests = keep(folder, "sqlite", f"sqlite:///{scratch}/kept.sqlite3", sqlite)
        with scratch_database(server) as url:
            on_postgresql = keep(folder, "postgresql", url, Path(scratch) / "postgresql")
    if on_postgresql != digests:
        sys.exit("the two databases do not come to the same files")
    write(folder, "digests", digests)
    write(folder, "migrations", kept.migrations())


if __name__ == "__main__":
    [asked] = sys.argv[1:]
    write_digests() if asked == "--digests" else keep_version(asked)
