"""What an installation shows, keeps and releases next, as digests (tests/faults/process.py)."""

import hashlib
import json
import re
import sys
from collections import Counter
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from urllib.parse import urlsplit

import time_machine
from django.conf import settings
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import call_command
from django.test.utils import override_settings, setup_test_environment
from django.urls import Resolver404, resolve

from accounts.models import Study, User
from corpus import uploads
from jobs.actions import execution, jobs
from tests.crawling import Crawler

PEOPLE = ("alice", "bob", "carol")
MOST_ALIKE = 1  # pages of one name that each person visits
OWN_SESSION = "account"  # the page that says when the visitor signed in
# What differs from one reply to the next. A claim has a random name.
VARIES = re.compile(
    r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"
    r'|csrfmiddlewaretoken" value="\w+"|(?:csrftoken|sessionid)=.*|^Expires: .*|^X-Request-Id: .*',
    re.MULTILINE,
)


def prepare() -> None:
    """A release that a worker made, and files that were sent and not imported yet."""

    study = Study.objects.get(slug="rehearsed")
    uploads.keep([SimpleUploadedFile("alder.json", b"[]")], by=study.created_by)
    job = jobs.start(
        study=study,
        kind="release",
        key="everyday",
        params={
            "dataset": study.datasets.get().pk,
            "is_rehearsal": True,
            "set_aside_disputes": True,
        },
        by=study.created_by,
    )
    execution.run(job)


def outcome(*, folder: str, at: str) -> dict[str, object]:
    """As if all of it were done at one moment: pages say when somebody signed in last."""
    setup_test_environment()
    plain = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
    staticfiles = override_settings(STORAGES=settings.STORAGES | {"staticfiles": plain})
    with staticfiles, time_machine.travel(datetime.fromisoformat(at), tick=False):
        return {"pages": pages(), "next": next_release(Path(folder))}


def pages() -> dict[str, str]:
    """The digest of every page by person and address, but of pages that are alike a few."""

    found = {}
    for name in PEOPLE:
        crawler = Crawler(User.objects.get(username=name), few_of_a_kind())
        crawler.crawl(["/", "/studies/rehearsed/releases/1/"])
        for reply in crawler.replies:
            sent = digest(VARIES.sub("", reply.sent).encode())
            found[f"{name}: {reply.asked}"] = f"{reply.status} {sent}"
    return found


def few_of_a_kind() -> Callable[[str], bool]:
    visited: Counter[str] = Counter()

    def follows(address: str) -> bool:
        path = urlsplit(address).path
        if path.startswith("/static/") or "?" in address:
            return False
        try:
            kind = str(resolve(path).url_name)
        except Resolver404:
            return False
        visited[kind] += 1
        return visited[kind] <= MOST_ALIKE and kind != OWN_SESSION

    return follows


def next_release(folder: Path) -> dict[str, str]:
    """The digests of the files of a release that is made now; its manifest has the time."""
    call_command(
        *("release", "--study", "rehearsed", "--dataset", "everyday", "--out", str(folder)),
        *("--rehearsal", "--set-aside-disputes", "--json"),
        stdout=sys.stderr,
    )
    manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    names = sorted(path for path in folder.rglob("*") if path.is_file())
    found = {str(path.relative_to(folder)): digest(path.read_bytes()) for path in names}
    return found | {"manifest.json": digest(json.dumps(manifest | {"created_at": ""}).encode())}


def digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
