"""Workers are killed while people judge; that their work alone survives is in tests/jobs/test_worker.py."""

import json

import pytest

from jobs.models import JobState
from tests.faults.annotators import Panel
from tests.faults.kept import assert_kept, assert_nothing_lost
from tests.faults.servers import served

pytestmark = [
    pytest.mark.faults,
    pytest.mark.database,
    pytest.mark.worker,
]

N_SCORED = 40  # in each round, each a part of its own


def test_a_job_whose_workers_are_killed_is_done_once_and_annotators_go_on(place, rounds):
    n_scored = N_SCORED * (rounds + 1)
    # More than they can judge: they work from the beginning to the end.
    work = place.with_work(
        n_items=100 * (rounds + 1), n_people=4, judgements_per_item=4, n_scored=n_scored
    )
    with served(place) as server, Panel(server.port, work, pause=0.2) as panel:
        for number in range(1, rounds + 1):
            with place.worker() as worker:
                worker.until(lambda n=number: n_scores(place) > n * N_SCORED, "some scores")
                worker.kill()
            assert n_scores(place) < n_scored
            panel.until_told(panel.n_told() + 20)
            assert_nothing_lost(place, panel)

        with place.worker() as worker:
            worker.until(lambda: state(place) == JobState.DONE, "the rest")
        panel.go_home()

    assert panel.n_failed() == 0
    assert n_scores(place) == n_scored
    assert place.count("jobs_chunk", "state = 'done'") == n_scored
    assert result(place)["n_scored"] == n_scored
    assert_kept(place, panel)


def n_scores(place):
    return place.count("scoring_score")


def state(place):
    return place.query("SELECT state FROM jobs_job")[0][0]


def result(place):
    """SQLite keeps JSON as text."""
    stored = place.query("SELECT result FROM jobs_job")[0][0]
    return json.loads(stored) if isinstance(stored, str) else stored
