"""Without the bucket that TOUCHSTONE_FILES names nothing starts, and it is said why."""

import subprocess
import sys

import pytest

from tests.config import buckets
from tests.config.serving import free_port
from tests.jobs.installation import LONGEST, ROOT, installed

pytestmark = pytest.mark.worker

SERVE = ("manage.py", "serve", "--no-worker")
WORKER = ("-m", "celery", "-A", "config", "worker")


@pytest.fixture(scope="module")
def environment(tmp_path_factory):
    """That of an installation with a bucket."""
    folder = tmp_path_factory.mktemp("installation")
    with installed(folder) as place, buckets.bucket(folder / "s3.log") as bucket:
        yield place.environment | bucket


@pytest.mark.parametrize(
    ("command", "is_there", "said"),
    [
        (SERVE, True, "The specified bucket does not exist"),
        (WORKER, False, "Could not connect to the endpoint"),
    ],
)
def test_neither_server_nor_worker_starts_without_the_bucket(environment, command, is_there, said):
    wrong = {"TOUCHSTONE_FILES": "s3://nothing-here"}
    if not is_there:
        wrong = {"AWS_ENDPOINT_URL_S3": f"http://127.0.0.1:{free_port()}"}
    ended = subprocess.run(
        [sys.executable, *command],
        env=environment | wrong,
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=LONGEST,
        check=False,
    )

    assert ended.returncode == 1
    assert "the files of releases cannot be listed: the storage of TOUCHSTONE_FILES" in ended.stderr
    assert said in ended.stderr
    assert "Traceback" not in ended.stderr
