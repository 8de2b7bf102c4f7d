"""Chromium for the tests: the system's, or one that is installed now, or a sentence that says how."""

import os
import shutil
import subprocess
import sys

# It has no windows and opens a page with a third of the work: taken first, and installed beside any other.
HEADLESS = "chromium-headless-shell"
NAMES = (HEADLESS, "chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
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
    """Install it where this is Debian and we are root; else any Chromium that is there will do."""
    if shutil.which("apt-get") and os.geteuid() == 0:
        try:
            run("apt-get", "update", "-qq")
            run("apt-get", "install", "-y", "-qq", HEADLESS)
        except subprocess.CalledProcessError as error:
            sys.stderr.write(f"{HEADLESS} was not installed: {' '.join(error.cmd)} failed\n")
    if path() is None:
        sys.exit(HOW)


def run(*command: str) -> None:
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)


if __name__ == "__main__":
    if "TOUCHSTONE_CHROMIUM" not in os.environ and not shutil.which(HEADLESS):
        install()
