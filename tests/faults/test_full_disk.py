"""SQLite's disk is full while people judge, and has room again."""

import json
from dataclasses import replace

import pytest

from tests.faults.annotators import LOST, Panel, browsers
from tests.faults.fault_installation import FaultInstallation
from tests.faults.invariants import assert_kept_and_full, assert_nothing_lost
from tests.faults.servers import served
from tests.faults.small_disks import small_disk

pytestmark = pytest.mark.faults

FULL = 507
N_REFUSALS = 12  # that a full disk is waited for
WORDS = "the server's disk is full: nothing of this was saved"


def test_a_full_disk_is_told_and_what_it_refused_goes_in_once_when_there_is_room(tmp_path, rounds):
    with small_disk(tmp_path / "disk") as disk:
        installation = FaultInstallation(
            tmp_path, f"sqlite:///{disk.folder / 'touchstone.sqlite3'}"
        )
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
