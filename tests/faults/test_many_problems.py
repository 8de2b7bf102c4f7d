"""A file that is wrong from end to end stops nobody: its problems are counted, and the first are kept."""

import json

import pytest

from jobs.actions.jobs import MOST_ERRORS
from tests.faults.annotators import browsers
from tests.faults.servers import served

pytestmark = [pytest.mark.faults, pytest.mark.database, pytest.mark.worker]

N_WRONG = 20_000
COMMAND = ("import_dataset", "--study", "stones", "--name", "nonsense", "--background")
# The judgements ask for a job of their own: the figures of their batch.
OF_THE_IMPORT = "kind = 'import_dataset'"


def test_judgements_are_stored_while_a_worker_finds_a_file_wrong_from_end_to_end(
    installation, tmp_path
):
    work = installation.create_work(n_items=2_000, n_people=1, judgements_per_item=1)
    file = tmp_path / "nonsense.json"
    file.write_text(json.dumps(["nothing"] * N_WRONG))
    with served(installation) as server, browsers(server.port, work) as (browser,):
        with installation.worker() as worker:
            installation.run([*COMMAND, "--format", "scai", file])

            def judge_until_the_job_ends():
                if not browser.ahead:
                    browser.exchange()
                browser.judge()
                assert browser.exchange(), browser.errors
                return installation.count("jobs_job", f"{OF_THE_IMPORT} AND state = 'failed'")

            worker.until(judge_until_the_job_ends, "the end of the import")

        assert browser.failed.total() == 0
        assert {each.outcome for each in browser.outcomes.values()} == {"saved"}
    counted = installation.query(f"SELECT n_errors FROM jobs_job WHERE {OF_THE_IMPORT}")
    assert counted == [(N_WRONG,)]
    assert installation.count("jobs_joberror") == MOST_ERRORS
