"""PostgreSQL is restarted while people judge."""

import pytest

from tests.faults.annotators import Panel
from tests.faults.clusters import cluster
from tests.faults.kept import assert_kept_and_full, assert_nothing_lost
from tests.faults.places import Place
from tests.faults.servers import served

pytestmark = pytest.mark.faults


def test_what_was_told_to_be_saved_outlasts_a_restart_of_postgresql(tmp_path, rounds):
    with cluster() as postgresql:
        place = Place(tmp_path, postgresql.url)
        work = place.with_work(n_items=30 * rounds, n_people=6)
        with served(place) as server, Panel(server.port, work) as panel:
            for number in range(1, rounds + 1):
                panel.until_told(work.n_judgements * number // (rounds + 1))
                n_failed = panel.n_failed()

                postgresql.restart()

                assert_nothing_lost(place, panel)
                panel.until(lambda before=n_failed: panel.n_failed() > before, "a failure")
            panel.until_done()
            is_same_server = server.is_alive()

        assert is_same_server  # it came back by itself
        assert_kept_and_full(place, panel, work)
