"""Chromium for the tests: the system's, or one that is installed now, or a sentence that says how."""

import os
import shutil
import subprocess
import sys

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
HOW = (
    "The browser tests need Chromium. Install it (Debian, Ubuntu: apt-get install chromium;"
    " elsewhere: .venv/bin/playwright install chromium), or name one in TOUCHSTONE_CHROMIUM."
)


def path() -> str | None:
    """Where Chromium is; None where there is none."""
    given = os.environ.get("TOUCHSTONE_CHROMIUM")
    if given:
        return given
    return next((found for name in NAMES if (found := shutil.which(name))), None)


def install() -> None:
    """Debian's, where this is Debian and we may; else the one that Playwright keeps for itself."""
    if shutil.which("apt-get") and os.geteuid() == 0:
        run("apt-get", "update", "-qq")
        run("apt-get", "install", "-y", "-qq", "chromium")
    if path() is None:
        sys.exit(HOW)


def run(*command: str) -> None:
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)


if __name__ == "__main__":
    if path() is None:
        install()
