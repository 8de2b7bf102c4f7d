"""The worker's process: nothing of it is left when it is ended."""

import os
import signal
import subprocess
import sys
import time

import pytest

from config import worker
from config.worker import Worker
from tests.config.processes import is_there

LONGEST = 20  # seconds
# Says that it is ready and sleeps; `deaf` ignores what politely asks it to end.
SLEEP = "import signal, sys, time; {before}; print('ready', flush=True); time.sleep(600)"
DEAF = "signal.signal(signal.SIGTERM, signal.SIG_IGN)"
WITH_A_CHILD = (
    "import subprocess; child = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(600)']);"
    " print(child.pid, flush=True)"
)


@pytest.fixture
def start(monkeypatch):
    """Start a program as a worker; gives the worker and what it says first."""
    real, started = subprocess.Popen, []

    def piped(command, **options):
        return real(command, stdout=subprocess.PIPE, **options)

    def start(before="pass"):
        monkeypatch.setattr(worker, "COMMAND", ("-c", SLEEP.format(before=before)))
        monkeypatch.setattr(subprocess, "Popen", piped)
        process = Worker.started()
        started.append(process)
        return process, process.process.stdout.readline().decode().strip()

    yield start
    for each in started:
        each.process.kill()
        each.process.wait()
        each.process.stdout.close()


def gone(pid):
    deadline = time.monotonic() + LONGEST
    while is_there(pid) and time.monotonic() < deadline:
        time.sleep(0.01)
    return not is_there(pid)


def test_a_worker_that_is_asked_ends(start):
    running, _ = start()
    said = []

    running.end(say=said.append)

    assert running.status == -signal.SIGTERM
    assert said == []


def test_a_worker_that_does_not_end_in_time_is_killed_and_that_is_said(start, monkeypatch):
    monkeypatch.setattr(worker, "PATIENCE", 0.1)
    running, _ = start(DEAF)
    said = []

    running.end(say=said.append)

    assert running.status == -signal.SIGKILL
    assert said == ["The worker is killed in the middle of a part; the next worker does it again."]


def test_a_second_ctrl_c_kills_the_worker_at_once(start, monkeypatch):
    def press(running, *, seconds):
        raise KeyboardInterrupt

    running, _ = start(DEAF)
    monkeypatch.setattr(Worker, "ended_within", press)
    said = []

    running.end(say=said.append)

    assert running.status == -signal.SIGKILL
    assert said == ["The worker is killed at once."]


def test_no_process_that_the_worker_started_is_left(start):
    running, child = start(WITH_A_CHILD)
    assert is_there(child)

    running.end(say=print)

    assert gone(child)


def test_what_a_worker_that_was_killed_left_behind_is_ended_too(start):
    running, child = start(WITH_A_CHILD)
    os.kill(running.process.pid, signal.SIGKILL)
    assert running.ended_within(seconds=LONGEST)
    assert running.status == -signal.SIGKILL

    running.end(say=print)

    assert gone(child)


def test_ctrl_c_in_the_terminal_does_not_reach_the_worker_by_itself(start):
    running, _ = start()

    assert os.getpgid(running.process.pid) != os.getpgid(0)
    assert not running.ended_within(seconds=0)


@pytest.mark.parametrize(("seconds", "is_short"), [(9, True), (11, False)])
def test_a_life_of_less_than_ten_seconds_is_short(seconds, is_short):
    assert Worker(None, time.monotonic() - seconds).was_short_lived() == is_short


def test_the_workers_command_can_be_run():
    done = subprocess.run(
        [sys.executable, *worker.COMMAND, "--help"], capture_output=True, check=False, text=True
    )

    assert done.returncode == 0, done.stderr
