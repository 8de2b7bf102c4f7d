"""The web server is killed while people judge."""

import pytest

from tests.faults.annotators import Panel
from tests.faults.invariants import (
    assert_controls_count_nowhere,
    assert_kept_and_full,
    assert_nothing_lost,
)
from tests.faults.servers import served

pytestmark = [pytest.mark.faults, pytest.mark.database]


def test_what_was_told_to_be_saved_outlasts_a_server_that_is_killed(installation, rounds):
    work = installation.create_work(n_items=30 * rounds, n_people=6, n_controls=20)
    with served(installation) as server, Panel(server.port, work) as panel:
        for number in range(1, rounds + 1):
            panel.wait_for_answers(work.n_judgements * number // (rounds + 1))

            if number % 2:
                server.kill()
            else:
                server.kill_the_first()

            assert_nothing_lost(installation, panel)
            server.start()
        panel.wait_until_done()
        n_refused = panel.failed()["ConnectionRefusedError"]

    assert n_refused >= rounds
    assert_kept_and_full(installation, panel, work)
    assert_controls_count_nowhere(installation)
