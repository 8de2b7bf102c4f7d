import os
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests import once_a_run
from tests.config import every_address
from tests.config.every_address import Addresses
from tests.config.serving import free_port, serving, status, until
from tests.jobs.installation import Installation, database, sqlite_in

ICON = "/static/icon.svg"


@pytest.fixture(scope="package")
def everything(tmp_path_factory) -> tuple[Installation, Addresses]:
    """An installation with something of everything, and its addresses."""
    if os.environ.get("DATABASE_URL", "").startswith("postgres"):
        folder = tmp_path_factory.mktemp("everything")
        with database(folder) as url:
            installation = Installation(folder, url, wake_seconds=1)
            every_address.create(installation)
            yield installation, every_address.addresses(folder)
        return
    folder = tmp_path_factory.mktemp("copies") / "everything"
    shutil.copytree(once_a_run.folder("everything", fill), folder)
    yield Installation(folder, sqlite_in(folder), wake_seconds=1), every_address.addresses(folder)


def fill(folder: Path) -> None:
    with database(folder) as url:
        shutil.move(url.removeprefix("sqlite:///"), folder / "touchstone.sqlite3")
    every_address.create(Installation(folder, sqlite_in(folder), wake_seconds=1))


@pytest.fixture(scope="package")
def addresses(everything) -> Addresses:
    return everything[1]


@dataclass(frozen=True)
class WebServer:
    """One process, and `serve` that keeps it."""

    port: int
    process: subprocess.Popen[bytes]


@pytest.fixture(scope="package")
def web_server(everything) -> Iterator[WebServer]:
    """A running one, of that installation."""
    installation, _ = everything
    port, log = free_port(), installation.data / "serve.log"
    options = ("--no-worker", "--processes", "1")
    with serving(installation.environment, port, log, *options) as process:
        until(lambda: process.poll() is not None or status(port, ICON) == 200, "the web server")
        assert process.poll() is None, log.read_text(encoding="utf-8")
        yield WebServer(port, process)


@pytest.fixture(scope="package")
def port(web_server) -> int:
    """Where it listens."""
    return web_server.port
