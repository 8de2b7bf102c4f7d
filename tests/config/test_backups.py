"""backup and restore: what was backed up is whole again at another place, or nothing is."""

import json
import os
import shutil
import stat
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path

import pytest
from django.utils import timezone

from config.backups import databases, making, releases, restoring
from config.backups.manifest import digest
from tests.config import buckets
from tests.config.backups import (
    back_up,
    changed,
    empty_place,
    restore,
    result_of,
    results,
    start,
)
from tests.jobs.installation import Installation, installed
from tests.upgrades import kept

pytestmark = [pytest.mark.database, pytest.mark.worker]

# A release, by a worker, and an upload.
PREPARE = ["tests.config.whole_installation:prepare"]
SERVER = os.environ.get("DATABASE_URL", "sqlite:")
on_postgresql = pytest.mark.skipif(
    not SERVER.startswith("postgres"), reason="it is about PostgreSQL's programs"
)


@pytest.fixture(scope="module")
def original(tmp_path_factory) -> Iterator[Installation]:
    """The demonstration with one release, that a worker made, and an upload."""
    with empty_place(tmp_path_factory.mktemp("original"), SERVER) as place:
        kept.load_without_releases(place.database)
        results(place, ["migrate", "--verbosity", 0], PREPARE)
        yield place


@pytest.fixture(scope="module")
def backup(original, tmp_path_factory) -> Path:
    return back_up(original, tmp_path_factory.mktemp("backups"))


@pytest.fixture
def place(tmp_path) -> Iterator[Installation]:
    """An empty installation."""
    with empty_place(tmp_path / "place", SERVER) as made:
        yield made


def files_of(place):
    return {
        str(path.relative_to(place.data)): path.read_bytes()
        for name in ("releases", "uploads")
        for path in (place.data / name).rglob("*")
        if path.is_file()
    }


def manifest_of(backup):
    return json.loads((backup / "manifest.json").read_text(encoding="utf-8"))


def test_what_is_restored_elsewhere_shows_keeps_and_releases_what_the_original_does(
    original, backup, place, tmp_path
):
    restored = restore(place, backup)

    assert restored["notes"] == []
    assert (place.data / "secret_key").read_text() == (original.data / "secret_key").read_text()
    assert files_of(place) == files_of(original)
    now = timezone.now().isoformat()
    works = [
        start(each, "outcome", folder=str(tmp_path / f"release of {n}"), at=now)
        for n, each in enumerate((original, place))
    ]
    before, after = map(result_of, works)
    assert len(before["pages"]) > 80
    assert after["pages"] == before["pages"]
    assert after["next"] == before["next"]


def test_a_backup_is_its_owner_s_alone(backup):
    modes = {stat.S_IMODE(path.stat().st_mode) for path in (backup, *backup.rglob("*"))}

    assert modes == {0o600, 0o700}


def test_files_made_after_the_backup_stay_when_the_database_is_put_back(backup, place, tmp_path):
    results(place, ["restore", backup], PREPARE)
    later = files_of(place)
    with empty_place(tmp_path / "database", SERVER) as empty:
        put_back = Installation(place.data, empty.database, 1)

        results(put_back, ["restore", backup, "--keep-files"], PREPARE)

    now = files_of(place)
    assert {name: now.get(name) for name in later} == later
    assert len(now) > len(later)


def test_restore_refuses_a_place_where_something_is(original, backup, place):
    (place.data / "releases").mkdir()
    (place.data / "releases" / "gold.json").write_text("[]")

    (over_the_original,) = results(original, ["restore", backup])
    (beside_files,) = results(place, ["restore", backup])

    assert "has tables: name an empty one in DATABASE_URL" in over_the_original
    assert "is not empty (releases/gold.json): name another one" in beside_files
    assert files_of(place) == {"releases/gold.json": b"[]"}


def test_restore_refuses_a_backup_that_does_not_fit_and_writes_nothing(backup, place, tmp_path):
    manifest = manifest_of(backup)
    later = [*manifest["migrations"], "jobs.9999_of_tomorrow"]
    other = {"sqlite": "postgresql", "postgresql": "sqlite"}[manifest["engine"]]
    release = next(name for name in manifest["files"] if name.endswith("gold.json"))
    damaged = changed(backup, tmp_path / "damaged")
    (damaged / release).write_text("[]")
    incomplete = changed(backup, tmp_path / "incomplete")
    (incomplete / release).unlink()
    no_database = changed(backup, tmp_path / "no database")
    database = next(name for name in manifest["files"] if name.startswith("database."))
    (no_database / database).write_bytes(b"nonsense")
    some = manifest["files"][release]
    files = manifest["files"] | {database: asdict(digest(no_database / database))}
    (no_database / "manifest.json").write_text(json.dumps(manifest | {"files": files}))
    refused = {
        tmp_path: "is no backup: there is no manifest.json",
        damaged: f"{release} of {damaged} is not what was backed up",
        incomplete: f"{incomplete} has lost {release}",
        no_database: "cannot copy" if manifest["engine"] == "sqlite" else "pg_restore failed",
        changed(backup, tmp_path / "version", version="99.0"): "99.0, which is later than this",
        changed(backup, tmp_path / "migration", migrations=later): "which is later than this",
        changed(backup, tmp_path / "engine", engine=other): "and DATABASE_URL names one of",
        changed(backup, tmp_path / "format", format=2): "of a format that this version does not",
        changed(backup, tmp_path / "files", files=None): "is damaged",
        changed(
            backup, tmp_path / "kind", engine="oracle"
        ): "that Touchstone does not know (oracle)",
        changed(backup, tmp_path / "unnamed", files={}): "names no database: take another",
        changed(backup, tmp_path / "outside", files={"../key": some}): "is damaged",
    }

    *said, nothing_there, whole = results(
        place, *(["restore", each] for each in refused), ["backup", tmp_path], ["restore", backup]
    )

    for part, sentence in zip(refused.values(), said, strict=True):
        assert sentence.startswith("refused: ")
        assert part in sentence
    assert "there is nothing to back up: the database is not set up" in nothing_there
    assert whole.startswith("made_at: ")  # all others left the place empty


def test_a_backup_of_an_earlier_version_is_restored_and_says_what_is_next(place, tmp_path):
    (tmp_path / "earlier").mkdir()
    with installed(tmp_path / "earlier") as earlier:
        earlier.query(kept.NEWEST_NOT_APPLIED)
        backup = back_up(earlier, tmp_path / "backups")

    restored = restore(place, backup)

    assert len(restored["notes"]) == 1
    assert "run manage.py migrate" in restored["notes"][0]
    assert place.count("accounts_user", "username = 'alice'") == 1


def test_all_but_the_newest_backups_are_removed_and_nothing_else(original, tmp_path):
    backups = tmp_path / "backups"
    (backups / "touchstone-of-somebody").mkdir(parents=True)
    command = ["backup", backups, "--json"]

    said = results(original, command, [*command, "--keep", 2], [*command, "--keep", 2])

    first, second, third = map(json.loads, said)
    assert second["removed"] == []
    assert third["removed"] == [first["backup"]]
    names = {Path(each["backup"]).name for each in (second, third)}
    left = {path.name for path in backups.iterdir()}
    assert left == names | {"touchstone-of-somebody", ".lock"}


def test_a_key_of_the_environment_is_not_in_the_backup_and_both_commands_say_so(
    original, place, tmp_path
):
    (said,) = results(original, ["backup", tmp_path / "b", "--json"], TOUCHSTONE_SECRET_KEY="other")
    made = json.loads(said)

    restored = restore(place, made["backup"])

    assert made["notes"] == [making.KEY_IS_ELSEWHERE]
    assert restored["notes"] == [restoring.KEY_IS_MISSING]


def test_files_are_restored_into_a_bucket_and_backed_up_from_it(backup, place, tmp_path):
    with buckets.bucket(tmp_path / "s3.log") as bucket:
        commands = (["restore", backup], ["backup", tmp_path / "b", "--json"])
        _, said = results(place, *commands, **bucket)
        n_stored = len(buckets.names(bucket))

    again = manifest_of(Path(json.loads(said)["backup"]))["files"]
    files = {
        name: each
        for name, each in manifest_of(backup)["files"].items()
        if name.startswith(("releases/", "uploads/"))
    }
    assert n_stored == len(files) > 10
    assert {name: again.get(name) for name in files} == files
    assert files_of(place) == {}


def test_a_backup_in_the_data_folder_is_refused(original):
    (said,) = results(original, ["backup", original.data / "backups"])

    assert "is in the data folder, and would be lost with it" in said


def test_files_of_recorded_releases_that_are_not_there_make_no_backup(original, tmp_path):
    backups = tmp_path / "backups"
    first = back_up(original, backups)
    with empty_place(tmp_path / "other data folder", "sqlite:") as other:
        elsewhere = Installation(other.data, original.database, 1)
        shutil.copy(original.data / "secret_key", other.data)
        command = ["backup", backups, "--keep", 1, "--json"]

        refused, said = results(elsewhere, command, [*command, "--incomplete"])

    incomplete = json.loads(said)
    assert "there is no backup: files of release 1 of rehearsed (" in refused
    assert "TOUCHSTONE_FILES and TOUCHSTONE_DATA" in refused
    assert any(note.startswith(releases.INCOMPLETE) for note in incomplete["notes"])
    assert incomplete["removed"] == []
    assert first.exists()


def test_only_older_backups_of_the_same_installation_are_removed(original, backup, tmp_path):
    backups = tmp_path / "backups"
    backups.mkdir()
    future = changed(backup, backups / "touchstone-29991231-000000")
    others = changed(backup, backups / "touchstone-20200101-000000", installation="another")
    old = changed(backup, backups / "touchstone-20200101-000001")

    (said,) = results(original, ["backup", backups, "--keep", 1, "--json"])

    made = json.loads(said)
    assert made["removed"] == [str(old)]
    assert all(Path(each).exists() for each in (made["backup"], future, others))
    assert any(
        "made while the clock was ahead" in note and future.name in note for note in made["notes"]
    )


def test_what_is_still_being_received_is_not_in_a_backup(original, tmp_path):
    half = original.data / "uploads" / "tmp1.upload"
    half.write_bytes(b"half")
    try:
        backup = back_up(original, tmp_path)
    finally:
        half.unlink()

    assert "uploads/tmp1.upload" not in manifest_of(backup)["files"]


def test_the_key_is_as_before_where_the_database_cannot_be_restored(backup, place, tmp_path):
    broken = changed(backup, tmp_path / "broken")
    manifest = manifest_of(backup)
    database = next(name for name in manifest["files"] if name.startswith("database."))
    (broken / database).write_bytes(b"nonsense")
    files = manifest["files"] | {database: asdict(digest(broken / database))}
    (broken / "manifest.json").write_text(json.dumps(manifest | {"files": files}))
    results(place, ["backup", tmp_path / "none"])  # makes the key
    key = (place.data / "secret_key").read_text()

    (said,) = results(place, ["restore", broken])

    assert said.startswith("refused: ")
    assert (place.data / "secret_key").read_text() == key


@pytest.mark.parametrize(
    ("program", "version", "server", "is_refused"),
    [
        ("pg_dump", 15, 15, False),
        ("pg_dump", 14, 15, True),
        ("pg_dump", 17, 15, False),
        ("pg_restore", 16, 15, False),
        ("pg_restore", 17, 16, True),
        ("pg_restore", 18, 17, False),
        ("pg_restore", 16, 17, True),
    ],
)
def test_a_client_that_the_server_does_not_understand_is_refused(
    program, version, server, is_refused
):
    flaw = databases.client_flaw(program, version, server)

    assert (f"postgresql-client-{server})" in flaw) is is_refused


def test_a_dump_that_only_a_later_server_can_take_is_noted():
    assert "to a server of version 17 or later" in databases.dump_flaw(17, 15)
    assert not databases.dump_flaw(16, 15)
    assert not databases.dump_flaw(18, 17)


@on_postgresql
def test_without_a_pg_dump_that_is_as_new_as_the_server_that_is_said(original, tmp_path):
    programs, backups = tmp_path / "programs", tmp_path / "backups"
    programs.mkdir()

    (missing,) = results(original, ["backup", backups], PATH=str(programs))
    old = programs / "pg_dump"
    old.write_text("#!/bin/sh\necho 'pg_dump (PostgreSQL) 9.6.24'\n")
    old.chmod(0o700)
    (too_old,) = results(original, ["backup", backups], PATH=str(programs))

    assert "there is no pg_dump on this machine: install PostgreSQL's client" in missing
    assert "pg_dump is of version 9 and the server of version" in too_old
    assert [path.name for path in backups.iterdir()] == [".lock"]


@on_postgresql
def test_the_password_stands_on_no_command_line(original, tmp_path):
    wrapper = tmp_path / "pg_dump"
    wrapper.write_text(
        '#!/bin/sh\n[ "$1" = --version ] || { echo "$@"; echo "$PGPASSWORD"; } > "$0.seen"\n'
        'PATH="$REAL_PATH" exec pg_dump "$@"\n'
    )
    wrapper.chmod(0o700)
    database = original.database.replace("postgres@", "postgres:not-to-be-seen@")
    path = {"PATH": f"{tmp_path}:{os.environ['PATH']}", "REAL_PATH": os.environ["PATH"]}

    (said,) = results(original, ["backup", tmp_path / "b"], DATABASE_URL=database, **path)

    assert said.startswith("backup: ")
    line, password = (tmp_path / "pg_dump.seen").read_text().splitlines()
    assert "not-to-be-seen" not in line
    assert password == "not-to-be-seen"
