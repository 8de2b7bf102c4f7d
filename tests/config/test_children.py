"""The processes that serve keeps: nothing of them is left when they are ended."""

import os
import signal
import subprocess
import sys
import time

import pytest

from config import children
from config.children import Child
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
        monkeypatch.setattr(children, "WORKER", ("-c", SLEEP.format(before=before)))
        monkeypatch.setattr(subprocess, "Popen", piped)
        process = children.worker()
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
    monkeypatch.setattr(children, "PATIENCE", 0.1)
    running, _ = start(DEAF)
    said = []

    running.end(say=said.append)

    assert running.status == -signal.SIGKILL
    assert said == ["The worker is killed in the middle of its work; the next one does it again."]


def test_a_second_ctrl_c_kills_the_worker_at_once(start, monkeypatch):
    def press(running, *, seconds):
        raise KeyboardInterrupt

    running, _ = start(DEAF)
    monkeypatch.setattr(Child, "has_ended_within", press)
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
    assert running.has_ended_within(seconds=LONGEST)
    assert running.status == -signal.SIGKILL

    running.end(say=print)

    assert gone(child)


def test_ctrl_c_in_the_terminal_does_not_reach_the_worker_by_itself(start):
    running, _ = start()

    assert os.getpgid(running.process.pid) != os.getpgid(0)
    assert not running.has_ended_within(seconds=0)


@pytest.mark.parametrize(("seconds", "is_short"), [(9, True), (11, False)])
def test_a_life_of_less_than_ten_seconds_is_short(seconds, is_short):
    assert Child("worker", None, time.monotonic() - seconds).was_short_lived() == is_short


@pytest.mark.parametrize(
    ("says", "is_heard"),
    [
        ("platforms._warn_or_raise_security_error(0, 0, 0, 0, False)", False),
        ("warnings.warn(SecurityWarning(platforms.ASSUMING_ROOT))", True),
        ("warnings.warn('it burns')", True),
    ],
)
def test_of_the_workers_warnings_only_that_of_root_is_not_heard(says, is_heard):
    options = children.WORKER[: children.WORKER.index("-m")]
    code = f"import warnings; from celery import platforms, exceptions; {says}"
    code = code.replace("SecurityWarning", "exceptions.SecurityWarning")

    done = subprocess.run(
        [sys.executable, *options, "-c", code], capture_output=True, check=True, text=True
    )

    assert ("Warning" in done.stderr) == is_heard


def test_the_workers_command_can_be_run():
    done = subprocess.run(
        [sys.executable, *children.WORKER, "--help"], capture_output=True, check=False, text=True
    )

    assert done.returncode == 0, done.stderr
