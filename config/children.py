"""The processes that `serve` keeps running: web servers and the Celery worker."""

import contextlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from socket import socket

from django.conf import settings

# Celery warns of a worker that root started, over many lines. `serve` has said it by then, in one.
IGNORE_ROOT_WARNING = "ignore:You're running the worker with superuser privileges"
WORKER = (
    "-W",
    IGNORE_ROOT_WARNING,
    "-m",
    "celery",
    "--quiet",
    "--app",
    "config",
    "worker",
    "--beat",
)
# Who dies sooner after the start may have died of what the next one would die of.
SHORT_LIFE = 10.0  # seconds
# The pause before another one is tried then; twice as long each time in a row.
FIRST_PAUSE = 0.5  # seconds
# So many short lives in a row, and the next one would be short too.
MOST_SHORT_LIVES = 5
# How long an ending worker may take for the part that it is at.
PATIENCE = 10.0  # seconds


@dataclass(frozen=True)
class Child:
    """A process with all its descendants, in a process group of its own.

    Ctrl-C does not reach it: its parent ends it, with all descendants.
    """

    name: str
    process: subprocess.Popen[bytes]
    started_at: float

    @classmethod
    def start(cls, name: str, *command: str, pass_fds: tuple[int, ...] = ()) -> "Child":
        process = subprocess.Popen(  # noqa: S603  fixed arguments
            [sys.executable, *command], process_group=0, pass_fds=pass_fds
        )
        return cls(name, process, time.monotonic())

    @property
    def status(self) -> int | None:
        return self.process.returncode

    def has_ended_within(self, *, seconds: float) -> bool:
        try:
            self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            return False
        return True

    def has_failed(self) -> bool:
        """Return whether it ended by itself with an error, and was not killed."""
        return self.status is not None and self.status > 0

    def was_short_lived(self) -> bool:
        return time.monotonic() - self.started_at < SHORT_LIFE

    def end(self, *, say: Callable[[str], object]) -> None:
        """Ask it to end after its current task; kill it after PATIENCE or a second Ctrl-C."""
        self.process.terminate()
        try:
            if not self.has_ended_within(seconds=PATIENCE):
                say(
                    f"The {self.name} is killed in the middle of its work; the next one does it again."
                )
        except KeyboardInterrupt:
            say(f"The {self.name} is killed at once.")
        finally:
            with contextlib.suppress(ProcessLookupError):  # nothing of it is left
                os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()


class ProcessSlot:
    """A place for a process, which is replaced when it dies."""

    child: Child

    def __init__(self, start: Callable[[], Child]) -> None:
        self.start = start
        self.has_been_up = False
        self.n_short_lives = 0  # in a row
        self.again_at: float | None = None  # where it is empty, when it is filled again

    def fill(self) -> None:
        self.child, self.again_at = self.start(), None

    def empty(self) -> None:
        """Note that the process has died. The next one starts after a pause if it lived shortly."""
        if not self.child.was_short_lived():
            self.has_been_up, self.n_short_lives, self.again_at = True, 0, time.monotonic()
            return
        self.n_short_lives += 1
        pause = FIRST_PAUSE * 2 ** (self.n_short_lives - 1)
        self.again_at = time.monotonic() + pause

    def is_due(self) -> bool:
        return self.again_at is not None and time.monotonic() >= self.again_at

    def never_came_up(self) -> bool:
        """Return whether every process in this place failed by itself at once."""
        return self.again_at is not None and not self.has_been_up and self.child.has_failed()


def worker() -> Child:
    return Child.start("worker", *WORKER, "--loglevel", settings.LOG_LEVEL)


def web_server(listening: socket, threads: int, counts: Path) -> Child:
    """Start one of the processes that answer requests at the address; they count in files of one folder."""
    fd = listening.fileno()
    command = ("-m", "config.web", str(fd), str(threads), str(counts))
    return Child.start("web server", *command, pass_fds=(fd,))
