"""The demonstration, built by demo.build in a folder of its own, lived in, and served."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import Page

from demo.build import PASSWORD
from tests.activity.installation import ROOT
from tests.config.serving import free_port, serving, status, until


@dataclass(frozen=True)
class Served:
    """Where it answers, and the addresses that people are handed: join, password_link."""

    url: str
    handed_out: dict[str, str]


@contextmanager
def demonstration(folder: Path) -> Iterator[Served]:
    """The server without a worker: nothing moves by itself."""
    environment = {**os.environ, "TOUCHSTONE_DATA": str(folder), "OMP_NUM_THREADS": "1"}
    for name in ("DATABASE_URL", "BROKER_URL"):
        environment.pop(name, None)
    _run(environment, "-m", "demo.build")
    handed_out = json.loads(_run(environment, "-m", "tests.browser.lived_in"))
    port = free_port()
    with serving(environment, port, folder / "serve.log", "--no-worker"):
        until(lambda: status(port, "/sign-in/") == 200, "the server")
        yield Served(f"http://127.0.0.1:{port}", handed_out)


def _run(environment: dict[str, str], *what: str) -> str:
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
