"""The kept database of the tests: made once, whole, and of these migrations."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests import migrated_database, once_a_run
from tests.migrated_database import NAME


@pytest.fixture
def made(tmp_path, monkeypatch) -> list[Path]:
    """Where databases were made, of a few bytes each; none is kept at first."""
    found: list[Path] = []

    def migrate(folder: Path) -> None:
        found.append(folder)
        (folder / NAME).write_text(f"number {len(found)}", encoding="utf-8")

    monkeypatch.setattr(migrated_database, "_migrate", migrate)
    monkeypatch.setattr(migrated_database, "KEPT", tmp_path / "cache" / "kept")
    return found


def test_processes_that_ask_at_once_have_copies_of_one(made, tmp_path):
    copies = [tmp_path / f"copy {n}" for n in range(8)]

    with ThreadPoolExecutor(len(copies)) as threads:
        list(threads.map(migrated_database.copy_to, copies))

    assert {each.read_text(encoding="utf-8") for each in copies} == {"number 1"}
    assert len(made) == 1


def test_after_another_migration_a_new_one_is_made_and_the_old_one_is_gone(
    made, tmp_path, monkeypatch
):
    migrated_database.copy_to(tmp_path / "before")
    monkeypatch.setattr(migrated_database, "_digest", lambda: "of other migrations")

    migrated_database.copy_to(tmp_path / "after")

    assert (tmp_path / "after").read_text(encoding="utf-8") == "number 2"
    assert [each.name for each in migrated_database.KEPT.iterdir()] == ["of other migrations"]


def test_what_an_interrupted_run_left_is_never_used(made, tmp_path):
    left = migrated_database.KEPT / "unfinished"
    left.mkdir(parents=True)
    (left / NAME).write_text("half of it", encoding="utf-8")

    migrated_database.copy_to(tmp_path / "copy")

    assert (tmp_path / "copy").read_text(encoding="utf-8") == "number 1"


def test_where_nothing_can_be_kept_it_is_made_once_a_run(made, tmp_path, monkeypatch):
    monkeypatch.setattr(once_a_run, "_places", [tmp_path])
    (tmp_path / "cache").write_text("a file is in the way", encoding="utf-8")

    for name in ("one", "other"):
        migrated_database.copy_to(tmp_path / name)
        assert (tmp_path / name).read_text(encoding="utf-8") == "number 1"


def test_every_migration_of_every_app_makes_another_digest(tmp_path, monkeypatch):
    before = migrated_database._digest()
    read = Path.read_bytes

    def with_another_line(path: Path) -> bytes:
        return read(path) + (b"#" if path.name.startswith("0001_") else b"")

    monkeypatch.setattr(Path, "read_bytes", with_another_line)

    assert migrated_database._digest() != before
