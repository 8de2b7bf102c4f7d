"""Installations that share a Redis, which nobody gave a queue of its own, do each their own jobs."""

import os

import pytest
import redis

from config.queues import queue_name
from tests.corpus.imports import turn
from tests.corpus.reader_files import write_file
from tests.jobs.installation import BEGINNING, Installation, database

pytestmark = pytest.mark.worker

KEYS = ("the key of production, of a test", "the key of staging, of a test")


class Neighbour(Installation):
    """One of several on the same Redis."""

    @property
    def environment(self):
        key, broker = KEYS[self.data.name == "staging"], broker_url()
        of_its_own = {"TOUCHSTONE_QUEUE": "", "TOUCHSTONE_SECRET_KEY": key, "BROKER_URL": broker}
        return super().environment | of_its_own


def broker_url():
    given = os.environ.get("BROKER_URL", "")
    return given if given.startswith("redis") else "redis://127.0.0.1:6379/0"


@pytest.fixture
def queues():
    """What waits in the queues of the two, by the key of Redis."""
    with redis.Redis.from_url(broker_url(), socket_connect_timeout=5) as server:
        try:
            server.ping()
        except redis.RedisError:
            pytest.skip(f"no Redis at {broker_url()}")
        names = [queue_name(key) for key in KEYS]
        yield lambda: [server.llen(name) for name in names]
        for name in names:
            for key in server.scan_iter(f"*{name}*"):
                server.delete(key)


@pytest.fixture
def neighbours(tmp_path):
    folders = [tmp_path / "production", tmp_path / "staging"]
    for folder in folders:
        folder.mkdir()
    with database(folders[0], *BEGINNING) as one, database(folders[1], *BEGINNING) as other:
        yield [
            Neighbour(folder, url, wake_seconds=600)
            for folder, url in zip(folders, (one, other), strict=True)
        ]


def test_a_worker_leaves_the_jobs_of_another_installation_to_its_own(neighbours, queues, tmp_path):
    production, staging = neighbours
    truth = write_file(tmp_path, [turn(1, "A stone.")], "truth.json")
    command = ["import_dataset", "--study", "stones", "--name", "touch", "--background", truth]
    done = "state = 'done'"
    production.run(command)

    with staging.worker() as worker:
        staging.run(command)
        worker.until(lambda: staging.count("jobs_job", done), "staging's own job")

    assert queues()[0] == 1
    assert production.count("jobs_job", done) == 0
    with production.worker() as worker:
        worker.until(lambda: production.count("jobs_job", done), "production's own job")
