"""A PostgreSQL of the test's own, on a free port, gone afterwards."""

import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.config.serving import free_port

LONGEST = 60  # seconds for any of its programs


@dataclass(frozen=True)
class Cluster:
    programs: Path
    folder: Path
    port: int
    user: str | None  # as whom its programs run; None: as whoever tests

    @property
    def url(self) -> str:
        return f"postgres://postgres@127.0.0.1:{self.port}/postgres"

    def begin(self) -> None:
        who = ["--auth", "trust", "--username", "postgres"]
        self._run("initdb", *who, "--encoding", "UTF8", "--locale", "C", "--no-sync")
        where = (
            f"-p {self.port} -c listen_addresses=127.0.0.1 -c unix_socket_directories={self.folder}"
        )
        self._run("pg_ctl", "start", "-w", "-l", str(self.folder / "log"), "-o", where)

    def restart(self) -> None:
        """As a crash would: nobody is waited for, and it has to recover."""
        self._run("pg_ctl", "restart", "-w", "-m", "immediate", "-l", str(self.folder / "log"))

    def end(self) -> None:
        if (self.folder / "data" / "postmaster.pid").exists():
            self._run("pg_ctl", "stop", "-w", "-m", "immediate")

    def _run(self, program: str, *options: str) -> None:
        done = subprocess.run(
            [self.programs / program, "-D", self.folder / "data", *options],
            cwd=self.folder,
            user=self.user,
            group=self.user,
            extra_groups=None if self.user is None else [],
            # Not a pipe: the server that pg_ctl starts would hold it open.
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            timeout=LONGEST,
            check=False,
        )
        if done.returncode:
            log = self.folder / "log"
            said = log.read_text(encoding="utf-8")[-2000:] if log.exists() else "no log"
            raise RuntimeError(f"{program} ended with {done.returncode}: {said}")


@contextmanager
def cluster() -> Iterator[Cluster]:
    """Skips the test where there is none to be had."""
    programs, user = _programs(), _user()
    # Neither in pytest's folder nor in that of the process, which may be the data folder once a test ran a command in
    # it (pages/temporary_files.py): the user of PostgreSQL may not enter these.
    system = os.environ.get("TMPDIR", "/tmp")
    folder = Path(tempfile.mkdtemp(prefix="touchstone-postgresql-", dir=system))
    made = Cluster(programs, folder, free_port(), user)
    try:
        if user:
            shutil.chown(folder, user)
        made.begin()
        yield made
    finally:
        made.end()
        shutil.rmtree(folder)


def _programs() -> Path:
    """Debian keeps them by version; elsewhere they are on the path."""
    found = sorted(
        Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda each: int(each.parts[-3])
    )
    if found:
        return found[-1].parent
    if on_path := shutil.which("initdb"):
        return Path(on_path).resolve().parent
    pytest.skip("PostgreSQL's server programs (initdb, pg_ctl) are not on this machine")


def _user() -> str | None:
    """PostgreSQL does not run as root."""
    if os.geteuid() != 0:
        return None
    try:
        return pwd.getpwnam("postgres").pw_name
    except KeyError:
        pytest.skip("PostgreSQL does not run as root, and there is no user postgres")
