"""The web server as `make run` starts it, without a worker, or another one; on a free port."""

import os
import shlex
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from bench.load import processes
from bench.load.places import ROOT, Place
from bench.load.wire import HOST

LONGEST_START = 60  # seconds
LONGEST_END = 15
HEAVY = {"torch", "pandas", "scipy", "sklearn"}
# What serve says when all is well; any other line is a complaint.
GREETINGS = ("Touchstone ", "Nobody is here yet.", "Ended.")


@dataclass(frozen=True)
class Server:
    process: subprocess.Popen[bytes]
    port: int
    log: Path

    def pids(self) -> list[int]:
        return processes.in_session(self.process.pid)

    def complaints(self) -> list[str]:
        lines = self.log.read_text(encoding="utf-8", errors="replace").splitlines()
        return [line for line in lines if line.strip() and not line.startswith(GREETINGS)]


@contextmanager
def serving(place: Place, extra: Sequence[str], other: str) -> Iterator[Server]:
    """Run a server. `extra` are options of `serve`.

    `other` is a server to compare it with: a Python module and its arguments, with `{port}` for the
    port.
    """
    with socket.create_server((HOST, 0)) as taken:
        port = taken.getsockname()[1]
    log = place.folder / "serve.log"
    # The host stands last: whatever was said before it, nobody but this machine can reach the server.
    options = ["--no-worker", *extra, "--port", str(port), "--host", HOST]
    command = ["manage.py", "serve", *options]
    if other:
        place.run("manage.py", "collectstatic", "--noinput", "--verbosity", "0")
        command = ["-m", *(word.format(port=port) for word in shlex.split(other))]
    with log.open("wb") as file:
        process = subprocess.Popen(
            [sys.executable, *command],
            env=place.environment,
            cwd=ROOT,
            stdout=file,
            stderr=file,
            start_new_session=True,
        )
    server = Server(process, port, log)
    try:
        _until_it_answers(server)
        yield server
    finally:
        _end(server)


def _until_it_answers(server: Server) -> None:
    deadline = time.monotonic() + LONGEST_START
    while not _is_well(server.port):
        if server.process.poll() is not None or time.monotonic() > deadline:
            raise RuntimeError(
                "the server does not answer:\n" + "\n".join(server.complaints()[-20:])
            )
        time.sleep(0.1)


def _is_well(port: int) -> bool:
    try:
        with urllib.request.urlopen(f"http://{HOST}:{port}/sign-in/", timeout=5) as reply:
            return bool(reply.status == 200)
    except OSError:
        return False


def _end(server: Server) -> None:
    if server.process.poll() is None:
        server.process.send_signal(signal.SIGTERM)
    with suppress(subprocess.TimeoutExpired):
        server.process.wait(LONGEST_END)
    for pid in server.pids():
        os.kill(pid, signal.SIGKILL)
    server.process.wait()
