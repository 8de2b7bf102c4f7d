"""The commands of docs/deployment.md, as they stand there."""

import re

from tests.jobs.installation import ROOT

PAGE = ROOT / "docs" / "deployment.md"
# Packages, users, a checkout, containers, systemd and the system's nginx: nothing that a test may change.
# Tests of nginx with its configuration are in tests/config/test_nginx.py.
NOT_RUN = (
    *("adduser", "apt-get", "cd", "compose", "compose()", "git", "nginx", "systemctl"),
    # The tests run in such an environment already.
    *("python3.11", ".venv/bin/pip", ".venv/bin/python"),
)


def blocks() -> list[str]:
    """The indented parts of the page, also those of its lists."""
    found: list[list[str]] = [[]]
    for line in PAGE.read_text(encoding="utf-8").splitlines():
        if line.startswith("    "):
            found[-1].append(line.strip())
        elif found[-1]:
            found.append([])
    return ["\n".join(lines) for lines in found if lines]


def commands() -> list[str]:
    """Each command on one line, in the order of the page."""
    text = "\n".join(blocks()).replace("\\\n", "")
    return [re.sub(r"\s+", " ", line) for line in text.splitlines()]


def commands_to_run() -> list[str]:
    return [
        each
        for each in commands()
        if not any(part.split()[0] in NOT_RUN for part in each.split(" | "))
    ]
