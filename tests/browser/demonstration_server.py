"""The demonstration, built by demo.build in a folder, with activity of people, and served."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import Page

from demo.build import PASSWORD
from tests.config.serving import free_port, serving, status, until
from tests.jobs.installation import ROOT


@dataclass(frozen=True)
class DemonstrationServer:
    """The server's address, and the links that no page has: join, password_link."""

    url: str
    links: dict[str, str]


LINKS_FILE = "links.json"


def build(folder: Path) -> None:
    """Build a data folder with the demonstration, and a file of its links."""
    environment = _environment(folder)
    _run(environment, "-m", "demo.build")
    links = _run(environment, "-m", "tests.browser.demonstration_activity")
    (folder / LINKS_FILE).write_text(links, encoding="utf-8")


@contextmanager
def serve_demonstration(folder: Path) -> Iterator[DemonstrationServer]:
    build(folder)
    with serve_folder(folder) as found:
        yield found


@contextmanager
def serve_folder(folder: Path) -> Iterator[DemonstrationServer]:
    """Serve a built folder without a worker, so that nothing changes by itself."""
    port = free_port()
    with serving(_environment(folder), port, folder / "serve.log", "--no-worker"):
        until(lambda: status(port, "/sign-in/") == 200, "the server")
        links = json.loads((folder / LINKS_FILE).read_text(encoding="utf-8"))
        yield DemonstrationServer(f"http://127.0.0.1:{port}", links)


def _environment(folder: Path) -> dict[str, str]:
    """On SQLite in the folder, whatever the tests themselves run on."""
    chosen = {"TOUCHSTONE_DATA": str(folder), "OMP_NUM_THREADS": "1"}
    rest = {k: v for k, v in os.environ.items() if k not in {"DATABASE_URL", "BROKER_URL"}}
    return rest | chosen


def _run(environment: Mapping[str, str], *what: str) -> str:
    done = subprocess.run(
        [sys.executable, *what],
        env=environment,
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    return done.stdout


def sign_in(page: Page, name: str, password: str = PASSWORD) -> None:
    page.goto("/sign-in/")
    page.get_by_label("User name").fill(name)
    page.get_by_label("Password").fill(password)
    page.get_by_role("button", name="Sign in").click()
    page.wait_for_url(lambda url: "/sign-in/" not in url)
