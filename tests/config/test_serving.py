"""serve as people start it: real processes, ended by one Ctrl-C."""

import contextlib
import io
import json
import os
import signal
import time

import pytest

from config.management.commands.serve import Command
from tests.config import processes
from tests.config.serving import free_port, serving, status, until
from tests.jobs.installation import LONGEST, installed

pytestmark = pytest.mark.worker


@pytest.fixture
def installation(tmp_path):
    with installed(tmp_path) as installation:
        yield installation


def log(installation):
    return installation.data / "serve.log"


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_one_ctrl_c_ends_the_server_and_its_worker_and_leaves_no_process(installation, number):
    port = free_port()
    environment = installation.environment | {
        "TOUCHSTONE_LOG_LEVEL": "INFO",
        "TOUCHSTONE_LOG_FORMAT": "json",
    }
    with serving(environment, port, log(installation)) as process:
        until(lambda: status(port) == 200, "a worker that is heard of")
        assert len(processes.in_session(process.pid)) > 1

        os.killpg(process.pid, number)

        assert process.wait(LONGEST) == 0
        until(lambda: processes.in_session(process.pid) == [], "the end of every process")
    assert status(port) is None
    said = log(installation).read_text(encoding="utf-8")
    assert "Traceback" not in said
    assert said.count("as root") == (
        os.geteuid() == 0
    )  # by the server, and not by its worker again
    assert "superuser privileges" not in said
    assert said.rstrip().endswith("Ended.")
    objects = [json.loads(line) for line in said.splitlines() if line.startswith("{")]
    loggers = {each["logger"] for each in objects}
    assert {"access", "celery.apps.worker"} <= loggers


@pytest.mark.parametrize(("user", "is_advised"), [(0, True), (1000, False)])
def test_only_root_is_advised_to_take_another_user(monkeypatch, db, user, is_advised):
    monkeypatch.setattr(os, "geteuid", lambda: user)
    command = Command(stderr=io.StringIO(), stdout=io.StringIO())

    command.greet("http://127.0.0.1:8000")

    assert ("Give it a user of its own" in command.stderr.getvalue()) == is_advised


def test_a_web_server_that_is_killed_soon_after_its_start_is_replaced(installation):
    port = free_port()
    options = ("--no-worker", "--processes", "1")
    with serving(installation.environment, port, log(installation), *options) as process:
        until(lambda: status(port, "/sign-in/") == 200, "the web server")
        (killed,) = processes.children(process.pid)

        os.kill(killed, signal.SIGKILL)

        until(lambda: processes.children(process.pid) not in ([], [killed]), "another one")
        until(lambda: status(port, "/sign-in/") == 200, "the web server")
        assert process.poll() is None


def test_processes_that_die_again_and_again_end_the_server_with_a_sentence(installation):
    with serving(installation.environment, free_port(), log(installation)) as process:
        while process.poll() is None:
            for child in processes.children(process.pid):
                with contextlib.suppress(ProcessLookupError):  # it is dead already
                    os.kill(child, signal.SIGKILL)
            time.sleep(0.05)

        assert process.returncode == 1
        until(lambda: processes.in_session(process.pid) == [], "the end of every process")
    said = log(installation).read_text(encoding="utf-8")
    assert "has died (exit status -9) 5 times in a row as soon as it was started" in said
    assert "Traceback" not in said
