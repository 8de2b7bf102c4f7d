"""A real worker is killed in the middle of scoring in two stages: nothing is lost, and nothing scored twice."""

import json

import pytest

from jobs.models import JobState
from tests.jobs.installation import installed
from tests.jobs.test_worker import N_PAIRS, in_small_chunks

pytestmark = pytest.mark.worker


def scores_of(installation):
    """By scorer and texts: those of the first stage, and those of the two."""
    rows = installation.query(
        "SELECT scorer.name, references_sha256, prediction_sha256, value FROM scoring_score score"
        " JOIN scoring_scorer scorer ON scorer.id = score.scorer_id"
    )
    return {tuple(key): value for *key, value in rows}


def forgotten(installation):
    """The scoring as if it had been started just now: no scores, no parts. The calibration stays."""
    job = "(SELECT id FROM jobs_job WHERE kind = 'score')"
    installation.query("DELETE FROM scoring_score")
    installation.query(f"DELETE FROM jobs_chunk WHERE job_id = {job}")
    installation.query(
        "UPDATE jobs_job SET state = 'waiting', finished_at = NULL, result = '{}'"
        " WHERE kind = 'score'"
    )


def of_the_job(installation, column):
    (found,) = installation.query(f"SELECT {column} FROM jobs_job WHERE kind = 'score'")
    return found[0] if isinstance(found[0], dict) or column == "state" else json.loads(found[0])


def test_two_stages_that_were_killed_in_the_middle_are_finished_by_the_next_worker(
    tmp_path,
):
    (data := tmp_path / "installation").mkdir()
    with installed(data) as installation:
        installation.call("tests.scoring.two_stage_scoring:score", folder=str(tmp_path))
        undisturbed = scores_of(installation)
        assert len(undisturbed) == 2 * N_PAIRS
        forgotten(installation)
        in_small_chunks(installation)

        with installation.worker() as worker:
            worker.until(lambda: installation.count("scoring_score") > 10, "some scores")
            worker.kill()

        n_before = installation.count("scoring_score")
        assert 10 < n_before < 2 * N_PAIRS
        # Of each answer the scores of both stages are there, or neither.
        assert n_before == 2 * installation.count(
            "jobs_chunk",
            "state = 'done' AND job_id = (SELECT id FROM jobs_job WHERE kind = 'score')",
        )
        with installation.worker() as worker:
            worker.until(lambda: of_the_job(installation, "state") == JobState.DONE, "the rest")

        # The database refuses a pair twice; the chunks count what was written by each.
        found = scores_of(installation)
        assert len(found) == installation.count("scoring_score") == 2 * N_PAIRS
        assert of_the_job(installation, "result")["n_scored"] == N_PAIRS
        assert found == pytest.approx(undisturbed, abs=1e-5)
        assert installation.count("scoring_scorer", "name LIKE 'two-stage:%'") == 1
