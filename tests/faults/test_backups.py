"""Backups while people judge; a backup that is killed or for which there is no room is none."""

import os
import subprocess
import sys

import pytest

from tests.config.backups import back_up, empty_place, restore, results
from tests.config.serving import until
from tests.faults.annotators import Panel
from tests.faults.fault_installation import FaultInstallation
from tests.faults.invariants import assert_kept
from tests.faults.servers import served
from tests.faults.small_disks import SIZE, small_disk
from tests.jobs.installation import ROOT, installed

pytestmark = [pytest.mark.faults, pytest.mark.database]


def names(folder):
    return sorted(path.name for path in folder.iterdir())


def test_a_backup_made_while_people_judge_has_what_was_saved_before_it_and_is_consistent(
    installation, rounds, tmp_path_factory
):
    folder = tmp_path_factory.mktemp("backups")
    work = installation.create_work(n_items=200 * rounds, n_people=6)
    before = {}
    # Not as fast as they can: the backups would have the processor last.
    with served(installation) as server, Panel(server.port, work, pause=0.1) as panel:
        for _ in range(rounds):
            # On a slow machine a backup may take until all is judged.
            panel.wait_for_answers(min(panel.n_answered() + 20, work.n_judgements))
            told = set(panel.outcomes())
            before[back_up(installation, folder / "backups")] = told
        panel.finish()
        n_failed = panel.n_failed()

    assert n_failed == 0
    assert_kept(installation, panel)
    stored = installation.stored()
    for number, (backup, told) in enumerate(before.items()):
        with empty_place(folder / f"restored {number}", installation.database) as empty:
            place = FaultInstallation(empty.data, empty.database)
            restore(place, backup)
            restored = place.stored()
            if number == rounds - 1:
                place.batch_contents()  # its counts are right
        assert told <= restored <= stored


def test_a_backup_that_was_killed_leaves_nothing_that_looks_like_one(tmp_path):
    backups, data = tmp_path / "backups", tmp_path / "data"
    data.mkdir()
    with installed(data) as place:
        endless = data / "releases" / "a release"
        endless.parent.mkdir()
        os.mkfifo(endless)  # it is read until somebody has written
        process = subprocess.Popen(
            [sys.executable, "manage.py", "backup", str(backups)], env=place.environment, cwd=ROOT
        )
        try:
            until(lambda: list(backups.glob(".unfinished-*/database.*")), "a backup in the midst")
            (meanwhile,) = results(place, ["backup", backups])
        finally:
            process.kill()
            process.wait()
        left = names(backups)

        endless.unlink()
        backup = back_up(place, backups)

    assert f"another backup is being made in {backups}" in meanwhile
    assert not [name for name in left if name.startswith("touchstone-")]
    assert names(backups) == [".lock", backup.name]


def test_a_backup_for_which_there_is_no_room_is_refused_in_a_sentence(tmp_path):
    data = tmp_path / "data"
    data.mkdir()
    with small_disk(tmp_path / "disk") as disk, installed(data) as place:
        (disk.folder / "others").write_bytes(bytes(SIZE - 300_000))

        (said,) = results(place, ["backup", disk.folder / "backups"])

        assert said.startswith("refused: ")
        assert any(word in said for word in ("No space left on device", "is full"))
        assert names(disk.folder / "backups") == [".lock"]
