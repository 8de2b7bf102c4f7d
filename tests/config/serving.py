"""serve as people start it, in a session of its own."""

import contextlib
import os
import random
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

from django.conf import settings
from django.test import override_settings

from config import static_files
from tests import once_a_run
from tests.config import processes
from tests.jobs.installation import LONGEST, ROOT

Found = TypeVar("Found")

# Not the seeded one, by which two processes of a run of the tests would choose the same.
_dice = random.SystemRandom()


def free_port() -> int:
    """A port on which nobody listens, below those that the kernel gives to connections."""
    while True:
        port = _dice.randrange(10_000, 32_000)
        with contextlib.suppress(OSError), socket.create_server(("127.0.0.1", port)):
            return port


def until(holds: Callable[[], Found], what: str) -> Found:
    deadline = time.monotonic() + LONGEST
    while not (found := holds()):
        assert time.monotonic() < deadline, f"waited in vain for {what}"
        time.sleep(0.05)
    return found


def status(port: int, path: str = "/health/") -> int | None:
    """What the server answers; None where nobody listens."""
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}{path}", timeout=5) as reply:
            code: int = reply.status
            return code
    except urllib.error.HTTPError as error:
        error.close()
        return error.code
    except OSError:
        return None


@contextmanager
def serving(
    environment: Mapping[str, str],
    port: int,
    log: Path,
    *options: str,
    within: Sequence[str] = (),
    collects: bool = False,
) -> Iterator[subprocess.Popen[bytes]]:
    """serve in a session of its own, as if it were the terminal's. It may not listen yet.

    `within` is a command that runs another one, such as unshare. Unless it `collects` its static files itself, it
    finds those that were collected once for this run of the tests.
    """
    if not collects:
        copy_collected(Path(environment["TOUCHSTONE_DATA"]))
    with log.open("wb") as file:
        process = subprocess.Popen(
            [*within, sys.executable, "manage.py", "serve", "--port", str(port), *options],
            env=dict(environment),
            cwd=ROOT,
            stdout=file,
            stderr=file,
            start_new_session=True,
            # A shell that runs in the background starts its children deaf to Ctrl-C.
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
        )
    try:
        yield process
    finally:
        for pid in processes.in_session(process.pid):
            os.kill(pid, signal.SIGKILL)
        process.wait()


COLLECTED, NOTE = "static", "static.json"
PRIVATE = 0o077  # as every process of Touchstone writes


def copy_collected(data: Path) -> None:
    """Put collected static files into a data folder that has none."""
    if not once_a_run.is_run() or (data / NOTE).exists():
        return
    made = once_a_run.folder("collected", _collect)
    shutil.copytree(made / COLLECTED, data / COLLECTED, dirs_exist_ok=True)
    shutil.copy(made / NOTE, data / NOTE)


def _collect(folder: Path) -> None:
    storage = {"staticfiles": {"BACKEND": "config.static_files.HashedStaticFiles"}}
    storages = settings.STORAGES | storage
    before = os.umask(PRIVATE)
    try:
        with override_settings(STATIC_ROOT=folder / COLLECTED, STORAGES=storages, DEBUG=False):
            static_files.collect()
    finally:
        os.umask(before)
