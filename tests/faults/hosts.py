"""Hosts of one installation: each has a data folder that the others cannot reach, and what is shared."""

import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from subprocess import DEVNULL, Popen

import pytest

from tests.config.serving import free_port, serving, status, until
from tests.jobs.installation import Installation, Worker

ICON = "/static/icon.svg"
# Where a process has its own mounts, the folder of the other host is empty for it.
HIDE = 'mount -t tmpfs none "$0" && exec "$@"'


@dataclass
class Host:
    """A host with a web server and workers. `hidden` is the data folder of the other one."""

    installation: Installation
    hidden: Path
    port: int = field(default_factory=free_port)
    _running: ExitStack = field(default_factory=ExitStack)

    @property
    def _within(self) -> tuple[str, ...]:
        return ("unshare", "--mount", "sh", "-c", HIDE, str(self.hidden)) if can_hide() else ()

    def serve(self) -> None:
        log = self.installation.data / "serve.log"
        options = ("--no-worker", "--processes", "1")
        process = self._running.enter_context(
            serving(self.installation.environment, self.port, log, *options, within=self._within)
        )

        def answers() -> bool:
            assert process.poll() is None, log.read_text(encoding="utf-8")
            return status(self.port, ICON) == 200

        until(answers, "the web server")

    def work(self) -> Worker:
        return self._running.enter_context(self.installation.worker(within=self._within))

    def cut_off(self) -> None:
        """kill -9 to all of its processes."""
        self._running.close()


def can_hide() -> bool:
    """Whether this machine gives a process mounts of its own; else the folders are only different ones."""
    command = ["unshare", "--mount", "true"]
    return (
        bool(shutil.which("unshare"))
        and not subprocess.run(command, stdout=DEVNULL, stderr=DEVNULL, check=False).returncode
    )


@contextmanager
def redis_server() -> Iterator[str]:
    """The address of a Redis: that of BROKER_URL, or one of the test's own."""
    if os.environ.get("BROKER_URL", "").startswith("redis"):
        yield os.environ["BROKER_URL"]
        return
    program = shutil.which("redis-server")
    if program is None:
        pytest.skip("redis-server is not on this machine")
    port = free_port()
    process = Popen(
        [program, "--port", str(port), "--bind", "127.0.0.1", "--save", ""],
        stdout=DEVNULL,
        start_new_session=True,
    )
    try:
        yield f"redis://127.0.0.1:{port}/0"
    finally:
        process.kill()
        process.wait()
