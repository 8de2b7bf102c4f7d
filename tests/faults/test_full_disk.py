"""SQLite's disk is full while people judge, and has room again."""

import json
from dataclasses import replace

import pytest

from tests import migrated_database
from tests.config.raw_http import Connection
from tests.faults.annotators import LOST, Panel, browsers
from tests.faults.fault_installation import FaultInstallation
from tests.faults.invariants import assert_kept_and_full, assert_nothing_lost
from tests.faults.servers import served
from tests.faults.small_disks import small_disk
from tests.jobs.installation import sqlite_in

pytestmark = pytest.mark.faults

FULL = 507
UPLOAD = 3_000_000  # bytes: waitress keeps them in a file
N_REFUSALS = 12  # that a full disk is waited for
WORDS = "the server's disk is full: nothing of this was saved"


def migrated(folder):
    """The address of a new database there."""
    migrated_database.copy_to(folder / "touchstone.sqlite3")
    return sqlite_in(folder)


def test_a_full_disk_is_told_and_what_it_refused_goes_in_once_when_there_is_room(tmp_path, rounds):
    with small_disk(tmp_path / "disk") as disk:
        installation = FaultInstallation(tmp_path, migrated(disk.folder))
        work = installation.create_work(n_items=30 * rounds, n_people=7)
        at_work, newcomer = (
            replace(work, people=people) for people in (work.people[:-1], work.people[-1:])
        )
        with (
            served(installation) as server,
            Panel(server.port, at_work) as panel,
            browsers(server.port, newcomer) as (page,),
        ):
            for number in range(1, rounds + 1):
                panel.wait_for_answers(work.n_judgements * number // (rounds + 1))
                # What is written is logged first. The log begins anew, so that it has to grow.
                assert installation.query("PRAGMA wal_checkpoint(TRUNCATE)") == [(0, 0, 0)]
                before = panel.failed()[FULL]

                disk.fill()

                panel.wait_until(
                    lambda before=before: panel.failed()[FULL] >= before + N_REFUSALS,
                    "a full disk",
                )
                assert_nothing_lost(installation, panel)
                assert installation.query("PRAGMA integrity_check") == [("ok",)]
                installation.batch_contents()
                status, said = page.page()
                assert (status, "The disk is full" in said) == (FULL, True)
                disk.free()
            panel.wait_until_done()

        errors = {json.loads(each)["error"] for person in panel.browsers for each in person.errors}
        assert errors == {WORDS}
        assert panel.failed().keys() <= {FULL, LOST}
        refused = set().union(*(each.refused for each in panel.browsers))
        assert refused
        assert refused <= panel.outcomes().keys()
        assert_kept_and_full(installation, panel, work)


def test_an_upload_for_which_there_is_no_room_is_refused_in_words(tmp_path):
    with small_disk(tmp_path / "data") as disk:
        database = tmp_path / "database"
        database.mkdir()
        installation = FaultInstallation(disk.folder, migrated(database))
        work = installation.create_work(n_items=1, n_people=1)
        with served(installation) as server:
            disk.fill()
            with Connection(server.port) as connection:
                connection.send(
                    "POST",
                    "/studies/stones/datasets/import/",
                    f"Cookie: {work.session_cookie}={work.requester}",
                    f"Content-Length: {UPLOAD}",
                    "Content-Type: multipart/form-data; boundary=b",
                )
                connection.send_bytes(bytes(UPLOAD))

                refused = connection.read("POST")

                assert (refused.status, b"disk is full" in refused.body) == (FULL, True)
                assert connection.is_at_its_end()
            disk.free()
            with Connection(server.port) as connection:
                connection.send("GET", "/sign-in/")
                assert connection.read("GET").status == 200
            assert "Traceback" not in server.log()
