"""One machine as docs/deployment.md sets it up, in a folder: its commands, settings and units are the real ones.

What stands in: the user touchstone is whoever runs the tests, paths of the system lead into the folder, and
the role and the database of PostgreSQL have names of their own.
"""

import ctypes
import os
import shlex
import signal
import subprocess
import sys
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

import psycopg

from tests.config import processes
from tests.config.serving import free_port
from tests.deploy.units import Unit, unit
from tests.jobs.installation import ROOT

PASSWORD = "only-for-this-test"
# What the page calls, where only the system's own may be called.
STAND_INS = f"""
set -e
runuser() {{ shift 3; "$@"; }}
systemd-ask-password() {{ echo {PASSWORD}; }}
install() {{
    local kept=()
    while [ $# -gt 0 ]; do
        case $1 in -o|-g) shift 2 ;; *) kept+=("$1"); shift ;; esac
    done
    command install "${{kept[@]}}"
}}
"""
# Folders that Debian's packages bring.
OF_PACKAGES = ("etc/systemd/system", "etc/nginx/conf.d")
SET_MEMORY_DENY_WRITE_EXECUTE = 65  # of prctl


@dataclass(frozen=True)
class Machine:
    folder: Path
    port: int = field(default_factory=free_port)
    name: str = field(default_factory=lambda: f"touchstone_deploy_{uuid.uuid4().hex[:12]}")

    @property
    def settings_file(self) -> Path:
        return self.folder / "etc" / "touchstone" / "touchstone.env"

    @property
    def settings(self) -> dict[str, str]:
        """What systemd reads of the file."""
        lines = self.settings_file.read_text(encoding="utf-8").splitlines()
        return dict(line.split("=", 1) for line in lines if line and not line.startswith("#"))

    @property
    def environment(self) -> dict[str, str]:
        """What the commands find: nothing of the tests but where programs and PostgreSQL are."""
        kept = {name: os.environ[name] for name in ("HOME", "PATH") if name in os.environ}
        server = urlsplit(os.environ.get("DATABASE_URL", ""))
        asked = {"PGHOST": server.hostname, "PGPORT": server.port, "PGUSER": server.username}
        return (
            kept
            | {name: str(value) for name, value in asked.items() if value}
            | {"TOUCHSTONE_ENVIRONMENT_FILE": str(self.settings_file), "OMP_NUM_THREADS": "1"}
        )

    def make_folders(self) -> None:
        for each in OF_PACKAGES:
            (self.folder / each).mkdir(parents=True)

    def run(self, commands: list[str]) -> str:
        """Run the commands in one shell; returns what they print."""
        script = "\n".join([STAND_INS, *map(self.here, commands)])
        done = subprocess.run(
            ["bash", "-c", script],
            env=self.environment,
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"
        return done.stdout + done.stderr

    def here(self, command: str) -> str:
        """Return the command with the paths, the names and the port of this machine."""
        if "runuser -u postgres" in command:
            return command.replace(" touchstone", f" {self.name}")
        for path in ("/etc/", "/var/lib/", "/var/backups/"):
            command = command.replace(f" {path}", f" {self.folder}{path}")
        return command.replace("127.0.0.1:8000", f"127.0.0.1:{self.port}")

    def change_settings(self) -> None:
        """Change what the page says is to be changed, and what would be another's here."""
        text = self.settings_file.read_text(encoding="utf-8")
        own = self.settings | {
            "TOUCHSTONE_DATA": str(self.folder / "var" / "lib" / "touchstone"),
            "DATABASE_URL": self.database_url(),
            "BROKER_URL": os.environ.get("BROKER_URL", ""),
        }
        assert set(own) == set(self.settings)
        assert "touchstone.example" in text
        own["TOUCHSTONE_HOSTS"] = own["TOUCHSTONE_HOSTS"].replace(
            "touchstone.example", "judge.test"
        )
        lines = [f"{name}={value}" for name, value in own.items() if value]
        self.settings_file.write_text("\n".join(lines), encoding="utf-8")

    def database_url(self) -> str:
        server = urlsplit(os.environ["DATABASE_URL"])
        return f"postgres://{self.name}@{server.hostname}:{server.port or 5432}/{self.name}"

    @contextmanager
    def started(self, name: str) -> Iterator[subprocess.Popen[bytes]]:
        """Start the service as its unit says, in a session of its own."""
        service = unit(name, self.folder / "etc" / "systemd" / "system")
        with (self.folder / f"{name}.log").open("wb") as log:
            process = subprocess.Popen(
                self.command_of(service),
                env=self.environment | self.settings,
                cwd=service.settings["WorkingDirectory"].replace("/opt/touchstone", str(ROOT)),
                stdout=log,
                stderr=log,
                start_new_session=True,
                preexec_fn=shut_memory(service),
            )
        try:
            yield process
        finally:
            for pid in processes.in_session(process.pid):
                os.kill(pid, signal.SIGKILL)
            process.wait()

    def command_of(self, service: Unit) -> list[str]:
        program, *rest = shlex.split(service.settings["ExecStart"])
        return [
            program.replace("/opt/touchstone/.venv/bin", str(Path(sys.executable).parent)),
            *(
                each.replace("8000", str(self.port)).replace(
                    "/var/backups", f"{self.folder}/var/backups"
                )
                for each in rest
            ),
        ]

    def log(self, name: str) -> str:
        return (self.folder / f"{name}.log").read_text(encoding="utf-8")

    def remove(self) -> None:
        with psycopg.connect(os.environ["DATABASE_URL"], autocommit=True) as connection:
            connection.execute(f"DROP DATABASE IF EXISTS {self.name} WITH (FORCE)")
            connection.execute(f"DROP ROLE IF EXISTS {self.name}")


def shut_memory(service: Unit) -> object:
    """Return what makes Linux 6.3 or later do to the process what the unit says of its memory."""
    if service.settings.get("MemoryDenyWriteExecute") != "yes":
        return None
    prctl = ctypes.CDLL(None).prctl
    return lambda: prctl(SET_MEMORY_DENY_WRITE_EXECUTE, 1, 0, 0, 0)


def has_postgresql() -> bool:
    return os.environ.get("DATABASE_URL", "").startswith("postgres")
