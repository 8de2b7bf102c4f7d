"""PostgreSQL is restarted while people judge."""

import pytest

from tests.faults.annotators import Panel
from tests.faults.clusters import cluster
from tests.faults.fault_installation import FaultInstallation
from tests.faults.invariants import (
    assert_controls_count_nowhere,
    assert_kept_and_full,
    assert_nothing_lost,
)
from tests.faults.servers import served

pytestmark = pytest.mark.faults


def test_what_was_told_to_be_saved_outlasts_a_restart_of_postgresql(tmp_path, rounds):
    with cluster() as postgresql:
        installation = FaultInstallation(tmp_path, postgresql.url)
        work = installation.create_work(n_items=30 * rounds, n_people=6, n_controls=20)
        with served(installation) as server, Panel(server.port, work) as panel:
            for number in range(1, rounds + 1):
                panel.wait_for_answers(work.n_judgements * number // (rounds + 1))
                n_failed = panel.n_failed()

                postgresql.restart()

                assert_nothing_lost(installation, panel)
                panel.wait_until(lambda before=n_failed: panel.n_failed() > before, "a failure")
            panel.wait_until_done()
            is_same_server = server.is_alive()

        assert is_same_server  # it came back by itself
        assert_kept_and_full(installation, panel, work)
        assert_controls_count_nowhere(installation)
