"""The demonstration, built by demo.build in a folder, lived in, and served."""

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
class Served:
    """Where it answers, and the addresses that people are handed: join, password_link."""

    url: str
    handed_out: dict[str, str]


HANDED_OUT = "handed-out.json"


def build(folder: Path) -> None:
    """A data folder with the demonstration, and a file of the addresses that are handed out."""
    environment = _environment(folder)
    _run(environment, "-m", "demo.build")
    handed_out = _run(environment, "-m", "tests.browser.lived_in")
    (folder / HANDED_OUT).write_text(handed_out, encoding="utf-8")


@contextmanager
def demonstration(folder: Path) -> Iterator[Served]:
    build(folder)
    with served_from(folder) as found:
        yield found


@contextmanager
def served_from(folder: Path) -> Iterator[Served]:
    """What was built there, served without a worker: nothing moves by itself."""
    port = free_port()
    with serving(_environment(folder), port, folder / "serve.log", "--no-worker"):
        until(lambda: status(port, "/sign-in/") == 200, "the server")
        handed_out = json.loads((folder / HANDED_OUT).read_text(encoding="utf-8"))
        yield Served(f"http://127.0.0.1:{port}", handed_out)


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
