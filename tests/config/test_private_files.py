"""Nobody else on the machine reads what an installation writes, whatever umask it is started with."""

import contextlib
import os
import shutil
import stat
from pathlib import Path

import pytest

from tests import migrated_database
from tests.config.serving import free_port, serving, status, until
from tests.config.settled_study import PASSWORD
from tests.config.visitors import Visitor
from tests.jobs.installation import Installation, sqlite_in

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

    with serving(
        place.environment, port, tmp_path / "serve.log", "--processes", "1", collects=True
    ):
        until(lambda: status(port) == 200, "a worker that is heard of")
        written = everything_in(data)
        found = open_to_others(*written)

    expected = {"touchstone.sqlite3-wal", "secret_key", "static", "staticfiles.json"}
    if "BROKER_URL" not in os.environ:
        expected.add("broker")
    assert expected <= {path.name for path in written}
    assert found == []


def test_an_open_installation_is_closed_when_it_starts_and_writes_private_files(data, tmp_path):
    study = tmp_path / "study.sqlite3"
    migrated_database.copy_to(study)
    made_elsewhere = Installation(tmp_path / "elsewhere", f"sqlite:///{study}", 1)
    dataset = made_elsewhere.call("tests.config.settled_study:create")
    for name in ("", "releases", "uploads", "broker", "static"):
        (data / name).mkdir()
    shutil.copyfile(study, data / "touchstone.sqlite3")
    (data / "secret_key").write_text("a key that everybody can read")
    place = Installation(data, sqlite_in(data), 1)
    before = everything_in(data)
    assert len(open_to_others(*before)) == len(before)
    port = free_port()

    with serving(place.environment, port, tmp_path / "serve.log", "--processes", "1"):
        until(lambda: status(port) == 200, "a worker that is heard of")
        assert open_to_others(*before) == []
        alice = Visitor(port)
        alice.sign_in("alice", PASSWORD)
        fields = {"name": "nonsense", "licence": "", "citation": ""}
        files = {"truth": ("truth.json", b"[1]"), "questions": ("questions.json", b"[1]")}
        sent = alice.upload("/studies/stones/datasets/import/", fields, files)
        options = {"dataset": str(dataset)}
        asked = alice.post("/studies/stones/releases/new/", options)
        until(lambda: list((data / "releases").rglob("manifest.json")), "the release")
        found = open_to_others(*everything_in(data))

    assert "/jobs/" in sent.url
    assert "/jobs/" in asked.url
    assert list((data / "uploads").rglob("truth.json"))
    assert found == []


def test_a_folder_that_everybody_shares_stays_as_it_is(data):
    data.mkdir()
    data.chmod(0o1777)  # as /tmp

    Installation(data, sqlite_in(data), 1).run(["migrate", "contenttypes", "--verbosity", 0])

    assert (data / "touchstone.sqlite3").exists()
    assert stat.S_IMODE(data.stat().st_mode) == 0o1777
    assert open_to_others(*data.rglob("*")) == []
