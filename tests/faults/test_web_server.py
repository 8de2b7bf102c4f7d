"""The web server is killed while people judge."""

import pytest

from tests.faults.annotators import Panel
from tests.faults.kept import assert_kept_and_full, assert_nothing_lost
from tests.faults.servers import served

pytestmark = [pytest.mark.faults, pytest.mark.database]


def test_what_was_told_to_be_saved_outlasts_a_server_that_is_killed(place, rounds):
    work = place.with_work(n_items=30 * rounds, n_people=6)
    with served(place) as server, Panel(server.port, work) as panel:
        for number in range(1, rounds + 1):
            panel.until_told(work.n_judgements * number // (rounds + 1))

            if number % 2:
                server.kill()
            else:
                server.kill_the_first()

            assert_nothing_lost(place, panel)
            server.start()
        panel.until_done()
        n_refused = panel.failed()["ConnectionRefusedError"]

    assert n_refused >= rounds
    assert_kept_and_full(place, panel, work)
