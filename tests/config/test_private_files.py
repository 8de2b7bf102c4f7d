"""Nobody else on the machine reads what an installation writes, whatever umask it is started with."""

import contextlib
import os
import stat
from pathlib import Path

import pytest

from tests.config.serving import free_port, serving, status, until
from tests.config.visitors import Visitor
from tests.jobs.installation import Installation, sqlite_in
from tests.upgrades import kept

pytestmark = pytest.mark.worker


@pytest.fixture(autouse=True)
def _a_careless_umask():
    before = os.umask(0)
    yield
    os.umask(before)


@pytest.fixture
def data(tmp_path):
    """The folder of an installation, in a folder that everybody may enter."""
    return tmp_path / "data"


def open_to_others(*paths: Path) -> list[str]:
    """What somebody else may read, write or enter."""
    found = []
    for path in paths:
        with contextlib.suppress(FileNotFoundError):  # a message that a worker has read
            mode = path.lstat().st_mode
            found += [f"{stat.filemode(mode)} {path}"] * bool(mode & 0o077)
    return found


def everything_in(folder: Path) -> list[Path]:
    return [folder, *folder.rglob("*")]


def test_a_new_installation_keeps_everything_to_its_owner(data, tmp_path):
    place = Installation(data, sqlite_in(data), 1)
    place.run(["migrate", "--verbosity", 0], ["create_user", "alice"])
    port = free_port()

    with serving(place.environment, port, tmp_path / "serve.log"):
        until(lambda: status(port) == 200, "a worker that is heard of")
        written = everything_in(data)
        found = open_to_others(*written)

    expected = {"touchstone.sqlite3-wal", "secret_key", "static"}
    if "BROKER_URL" not in os.environ:
        expected.add("broker")
    assert expected <= {path.name for path in written}
    assert found == []


def test_an_open_installation_is_closed_when_it_starts_and_writes_private_files(data, tmp_path):
    for name in ("", "releases", "uploads", "broker", "static"):
        (data / name).mkdir()
    place = Installation(data, sqlite_in(data), 1)
    kept.load_without_releases(place.database)
    (data / "secret_key").write_text("a key that everybody can read")
    before = everything_in(data)
    assert len(open_to_others(*before)) == len(before)
    place.run(["migrate", "--verbosity", 0])
    port = free_port()

    with serving(place.environment, port, tmp_path / "serve.log"):
        until(lambda: status(port) == 200, "a worker that is heard of")
        alice = Visitor(port)
        alice.sign_in("alice", "try-touchstone")
        fields = {"name": "nonsense", "licence": "", "citation": ""}
        files = {"truth": ("truth.json", b"[1]"), "questions": ("questions.json", b"[1]")}
        sent = alice.upload("/studies/rehearsed/datasets/import/", fields, files)
        ((dataset,),) = place.query(
            "SELECT d.id FROM corpus_dataset d JOIN accounts_study s ON s.id = d.study_id"
            " WHERE s.slug = 'rehearsed'"
        )
        options = {"dataset": str(dataset), "is_rehearsal": "on", "set_aside_disputes": "on"}
        asked = alice.post("/studies/rehearsed/releases/new/", options)
        until(lambda: list((data / "releases").rglob("manifest.json")), "the release")
        found = open_to_others(*everything_in(data))

    assert "/jobs/" in sent.url
    assert "/jobs/" in asked.url
    assert list((data / "uploads").rglob("truth.json"))
    assert found == []


def test_a_folder_that_everybody_shares_stays_as_it_is(data):
    data.mkdir()
    data.chmod(0o1777)  # as /tmp

    Installation(data, sqlite_in(data), 1).run(["migrate", "--verbosity", 0])

    assert stat.S_IMODE(data.stat().st_mode) == 0o1777
    assert open_to_others(*data.rglob("*")) == []
