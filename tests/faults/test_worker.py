"""Workers are killed while people judge; that their work alone survives is in tests/jobs/test_worker.py."""

import json

import pytest

from jobs.models import JobState
from tests.faults.annotators import Panel
from tests.faults.invariants import assert_controls_count_nowhere, assert_kept, assert_nothing_lost
from tests.faults.servers import served

pytestmark = [
    pytest.mark.faults,
    pytest.mark.database,
    pytest.mark.worker,
]

N_SCORED = 40  # in each round, each a part of its own


def test_a_job_whose_workers_are_killed_is_done_once_and_annotators_go_on(installation, rounds):
    n_scored = N_SCORED * (rounds + 1)
    # More than they can judge: they work from the beginning to the end.
    work = installation.create_work(
        n_items=100 * (rounds + 1),
        n_people=4,
        judgements_per_item=4,
        n_scored=n_scored,
        n_controls=20,
    )
    with served(installation) as server, Panel(server.port, work, pause=0.2) as panel:
        for number in range(1, rounds + 1):
            with installation.worker() as worker:
                worker.until(lambda n=number: n_scores(installation) > n * N_SCORED, "some scores")
                worker.kill()
            assert n_scores(installation) < n_scored
            panel.wait_for_answers(panel.n_answered() + 20)
            assert_nothing_lost(installation, panel)

        with installation.worker() as worker:
            worker.until(lambda: state(installation) == JobState.DONE, "the rest")
        panel.finish()

    assert panel.n_failed() == 0
    assert n_scores(installation) == n_scored
    of_the_job = (
        f"job_id = ({SCORING.format('id')})"  # others compute the figures of annotators meanwhile
    )
    assert installation.count("jobs_chunk", f"state = 'done' AND {of_the_job}") == n_scored
    assert result(installation)["n_scored"] == n_scored
    assert_kept(installation, panel)
    assert_controls_count_nowhere(installation)


SCORING = "SELECT {} FROM jobs_job WHERE kind = 'score'"


def n_scores(installation):
    return installation.count("scoring_score")


def state(installation):
    return installation.query(SCORING.format("state"))[0][0]


def result(installation):
    """SQLite keeps JSON as text."""
    stored = installation.query(SCORING.format("result"))[0][0]
    return json.loads(stored) if isinstance(stored, str) else stored
