"""Databases of released versions, kept to be upgraded by every later state.

A version has a folder with its database as SQL for both engines (the demonstration's), the digests of the
release and of the comparison that it makes of them, and the sha256 of its migrations. `python -m tests.upgrades`
makes the folder of the present version, once, before it is released.
"""

import gzip
import hashlib
import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import psycopg

from tests.golden import folders
from tests.jobs.installation import ROOT, Installation

HERE = Path(__file__).parent
VERSIONS = sorted(path.name for path in HERE.iterdir() if (path / "digests.json").is_file())
# Makes a database one of an earlier version.
NEWEST_NOT_APPLIED = (
    "DELETE FROM django_migrations WHERE id = (SELECT max(id) FROM django_migrations)"
)
RELEASE = (
    *("release", "--study", "rehearsed", "--dataset", "everyday"),
    *("--rehearsal", "--set-aside-disputes"),
)
COMPARISON = ("compare_systems", "--study", "compared")


def sql(version: str, engine: str) -> str:
    packed = (HERE / version / f"{engine}.sql.gz").read_bytes()
    return gzip.decompress(packed).decode("utf-8")


def value(version: str, name: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((HERE / version / f"{name}.json").read_text("utf-8"))
    return found


def load(version: str, url: str) -> None:
    """Fill an empty database with that of the version."""
    if url.startswith("sqlite:"):
        with closing(sqlite3.connect(url.removeprefix("sqlite:///"))) as connection:
            connection.executescript(sql(version, "sqlite"))
        return
    with psycopg.connect(url, autocommit=True) as server:
        server.execute(sql(version, "postgresql").encode("utf-8"))


def load_without_releases(url: str) -> None:
    """Fill an empty database with that of the newest version, but for the releases: their files are not kept."""
    load(VERSIONS[-1], url)
    place = Installation(Path(), url, 1)
    for table in ("exports_releasedifference", "exports_release"):
        place.query(f"DELETE FROM {table}")


def outcome(place: Installation, out: Path) -> dict[str, Any]:
    """Digests of a release and of a comparison that the installation makes."""
    place.run([*RELEASE, "--out", out / "release"], [*COMPARISON, "--out", out / "comparison"])
    return folders.digests(out)


def migrations() -> dict[str, str]:
    """Path -> sha256 of every migration."""
    files = sorted(ROOT.glob("*/migrations/0*.py"))
    return {
        path.relative_to(ROOT).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in files
    }
