"""The processes that `serve` keeps running: those of the web server, and the Celery worker beside them."""

import contextlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from socket import socket

# Celery warns of a worker that root started, over many lines and past what the server says of itself. What
# it warns of is pickled messages; ours are JSON, and only wake.
NO_WORD_OF_ROOT = "ignore:You're running the worker with superuser privileges"
WORKER = (
    "-W",
    NO_WORD_OF_ROOT,
    "-m",
    "celery",
    "--quiet",
    "--app",
    "config",
    "worker",
    "--beat",
    "--loglevel",
    "WARNING",
)
# Who dies sooner after the start dies of what the next one would die of.
SHORT_LIFE = 10.0  # seconds
# How long an ending worker may take for the part that it is at.
PATIENCE = 10.0  # seconds


@dataclass(frozen=True)
class Child:
    """A process with all that it starts, in a process group of its own.

    So Ctrl-C does not reach it by itself: who started it ends it, and nothing of it is left.
    """

    name: str
    process: subprocess.Popen[bytes]
    started_at: float

    @classmethod
    def started(cls, name: str, *command: str, pass_fds: tuple[int, ...] = ()) -> "Child":
        process = subprocess.Popen(  # noqa: S603  fixed arguments
            [sys.executable, *command], process_group=0, pass_fds=pass_fds
        )
        return cls(name, process, time.monotonic())

    @property
    def status(self) -> int | None:
        return self.process.returncode

    def ended_within(self, *, seconds: float) -> bool:
        try:
            self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            return False
        return True

    def was_short_lived(self) -> bool:
        return time.monotonic() - self.started_at < SHORT_LIFE

    def end(self, *, say: Callable[[str], object]) -> None:
        """Ask it to end after what it is at; if that takes long, or on a second Ctrl-C, kill it."""
        self.process.terminate()
        try:
            if not self.ended_within(seconds=PATIENCE):
                say(
                    f"The {self.name} is killed in the middle of its work; the next one does it again."
                )
        except KeyboardInterrupt:
            say(f"The {self.name} is killed at once.")
        finally:
            with contextlib.suppress(ProcessLookupError):  # nothing of it is left
                os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()


def worker() -> Child:
    return Child.started("worker", *WORKER)


def web(listening: socket, threads: int) -> Child:
    """One of the processes that answer what comes in at the address."""
    fd = listening.fileno()
    return Child.started("web server", "-m", "config.web", str(fd), str(threads), pass_fds=(fd,))
