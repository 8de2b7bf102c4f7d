"""The Celery worker that stands beside the web server, as a process."""

import contextlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass

COMMAND = (
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
class Worker:
    """A worker with its beat and its pool, in a process group of its own.

    So Ctrl-C does not reach it by itself: who started it ends it, and nothing of it is left.
    """

    process: subprocess.Popen[bytes]
    started_at: float

    @classmethod
    def started(cls) -> "Worker":
        command = [sys.executable, *COMMAND]
        process = subprocess.Popen(command, process_group=0)  # noqa: S603  fixed arguments
        return cls(process, time.monotonic())

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
        """Ask it to end after the part it is at; if that takes long, or on a second Ctrl-C, kill it."""
        self.process.terminate()
        try:
            if not self.ended_within(seconds=PATIENCE):
                say("The worker is killed in the middle of a part; the next worker does it again.")
        except KeyboardInterrupt:
            say("The worker is killed at once.")
        finally:
            with contextlib.suppress(ProcessLookupError):  # nothing of it is left
                os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()
