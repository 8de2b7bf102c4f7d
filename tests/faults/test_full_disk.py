"""SQLite's disk is full while people judge, and has room again."""

import json
from dataclasses import replace

import pytest

from tests.faults.annotators import LOST, Panel, browsers
from tests.faults.kept import assert_kept_and_full, assert_nothing_lost
from tests.faults.places import Place
from tests.faults.servers import served
from tests.faults.small_disks import small_disk

pytestmark = pytest.mark.faults

FULL = 507
N_REFUSALS = 12  # that a full disk is waited for
WORDS = "the server's disk is full: nothing of this was saved"


def test_a_full_disk_is_told_and_what_it_refused_goes_in_once_when_there_is_room(tmp_path, rounds):
    with small_disk(tmp_path / "disk") as disk:
        place = Place(tmp_path, f"sqlite:///{disk.folder / 'touchstone.sqlite3'}")
        work = place.with_work(n_items=30 * rounds, n_people=7)
        at_work, newcomer = (
            replace(work, people=people) for people in (work.people[:-1], work.people[-1:])
        )
        with (
            served(place) as server,
            Panel(server.port, at_work) as panel,
            browsers(server.port, newcomer) as (page,),
        ):
            for number in range(1, rounds + 1):
                panel.until_told(work.n_judgements * number // (rounds + 1))
                # What is written is logged first. The log begins anew, so that it has to grow.
                assert place.query("PRAGMA wal_checkpoint(TRUNCATE)") == [(0, 0, 0)]
                before = panel.failed()[FULL]

                disk.fill()

                panel.until(
                    lambda before=before: panel.failed()[FULL] >= before + N_REFUSALS,
                    "a full disk",
                )
                assert_nothing_lost(place, panel)
                assert place.query("PRAGMA integrity_check") == [("ok",)]
                place.books()
                status, said = page.page()
                assert (status, "The disk is full" in said) == (FULL, True)
                disk.free()
            panel.until_done()

        errors = {json.loads(each)["error"] for person in panel.browsers for each in person.errors}
        assert errors == {WORDS}
        assert panel.failed().keys() <= {FULL, LOST}
        refused = set().union(*(each.refused for each in panel.browsers))
        assert refused
        assert refused <= panel.told().keys()
        assert_kept_and_full(place, panel, work)
