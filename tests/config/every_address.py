"""Something of everything in an empty database, and every address that can be read, in a process of its own.

python -m tests.config.every_address FOLDER
"""

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import django

from tests.jobs.installation import ROOT, Installation

# The bytes of a file that a requester chose: a whole reply to somebody else.
FORGED = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 6\r\n\r\nFORGED"

KEPT = "addresses.json"


@dataclass(frozen=True)
class Page:
    path: str
    open_to: str  # one of the people of tests/access


@dataclass(frozen=True)
class Addresses:
    pages: dict[str, Page]  # by the name of the address
    sessions: dict[str, str]  # by person

    def cookie(self, person: str) -> str:
        return f"Cookie: sessionid={self.sessions[person]}"


def create(installation: Installation) -> None:
    """Fill it, and keep its addresses in its data folder."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.config.every_address"],
        env=installation.environment,
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    (installation.data / KEPT).write_text(done.stdout, encoding="utf-8")


def addresses(data: Path) -> Addresses:
    """Return the addresses of an installation that was filled."""
    made = json.loads((data / KEPT).read_text(encoding="utf-8"))
    return Addresses({name: Page(*page) for name, page in made["pages"].items()}, made["sessions"])


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    django.setup()
    # These have models, so they are imported after the setup.
    from django.conf import settings  # noqa: PLC0415
    from django.db import transaction  # noqa: PLC0415

    from tests.access.table import PEOPLE, address_of  # noqa: PLC0415
    from tests.access.world import build  # noqa: PLC0415
    from tests.annotation.desk_pages import client_of  # noqa: PLC0415
    from tests.crawling import api_patterns, methods_of, patterns  # noqa: PLC0415
    from tests.test_permissions import ROWS  # noqa: PLC0415

    with transaction.atomic():
        world = build()
        (settings.RELEASES / world.release.folder / "gold.json").write_bytes(FORGED)
        sessions = {
            name: client_of(user).cookies[settings.SESSION_COOKIE_NAME].value
            for name, user in world.persons.items()
            if user is not None
        }
        pages = {}
        for each in (*patterns(), *api_patterns()):
            row = ROWS[str(each.name)]
            if "GET" in methods_of(each):
                statuses = dict(zip(PEOPLE, row.expected, strict=True))
                person = min(PEOPLE, key=lambda name: statuses[name])
                pages[str(each.name)] = (address_of(str(each.name), row.options(world)), person)
    print(json.dumps({"sessions": sessions, "pages": pages}))  # noqa: T201  the caller reads it


if __name__ == "__main__":
    main()
