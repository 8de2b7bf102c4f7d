"""A started installation with something of everything, and the ways to ask it."""

import http.client
import json
import subprocess
import sys
import urllib.parse
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.config.serving import free_port, serving, status, until
from tests.jobs.installation import LONGEST, ROOT, Installation

PASSWORD = "correct horse"
CSRF = "a" * 32
# Tables in which nothing is written for who asks wrongly.
KEPT = (
    "accounts_user",
    "accounts_study",
    "accounts_membership",
    "accounts_invitation",
    "accounts_apitoken",
    "annotation_batch",
    "annotation_judgement",
    "annotation_verdict",
    "annotation_adjudication",
    "annotation_reviewact",
    "corpus_dataset",
    "corpus_run",
    "exports_release",
    "jobs_job",
    "sampling_pool",
)


@dataclass(frozen=True)
class Target:
    """An address, and the status that each person gets there with its method."""

    name: str
    path: str
    elsewhere: str  # the same thing under another study; "" if it is no single thing of a study
    method: str
    data: dict[str, Any]
    is_json: bool
    expected: dict[str, int]


@dataclass(frozen=True)
class Reply:
    status: int
    headers: dict[str, str]  # names in small letters; of several of a name the last
    text: str

    @property
    def location(self) -> str:
        return self.headers.get("location", "")


@dataclass
class Found:
    """What an attack tried: how often, and what was not as it must be."""

    what: str
    n_tried: int = 0
    wrong: list[str] = field(default_factory=list)

    def tried(self, is_right: bool, said: str) -> None:
        self.n_tried += 1
        if not is_right:
            self.wrong.append(said)


@dataclass(frozen=True)
class Site:
    installation: Installation
    port: int
    log: Path
    targets: list[Target]
    sessions: dict[str, str]  # by person
    names: dict[str, str]  # user name by person
    token: str  # of the requester
    join: str  # a link for one person
    password_link: str  # the annotator's
    desk: str
    consent: str  # the digest of the text that who joins agrees to
    study: str

    def ask(
        self,
        method: str,
        path: str,
        *,
        person: str = "anonymous",
        fields: Mapping[str, Any] | None = None,
        body: bytes | None = None,
        headers: Mapping[str, str] | None = None,
        csrf: bool = True,
    ) -> Reply:
        """Send a request on a connection of its own, with the token of forms unless told otherwise."""
        cookies = [f"sessionid={self.sessions[person]}"] if person != "anonymous" else []
        sent = {"Host": f"127.0.0.1:{self.port}"}
        if csrf:
            cookies.append(f"csrftoken={CSRF}")
            sent["X-CSRFToken"] = CSRF
        if cookies:
            sent["Cookie"] = "; ".join(cookies)
        if fields is not None:
            body = urllib.parse.urlencode(fields, doseq=True).encode()
            sent["Content-Type"] = "application/x-www-form-urlencoded"
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=LONGEST)
        try:
            connection.request(method, path, body=body, headers={**sent, **(headers or {})})
            reply = connection.getresponse()
            text = reply.read().decode("utf-8", "replace")
            return Reply(
                reply.status, {name.lower(): value for name, value in reply.getheaders()}, text
            )
        finally:
            connection.close()

    def send(self, target: Target, path: str, method: str, person: str) -> Reply:
        """Ask for a target as its row says, with another address or method."""
        if method != target.method or (not target.data and not target.is_json):
            return self.ask(method, path, person=person, fields={} if method == "POST" else None)
        if target.is_json:
            json_body = json.dumps(target.data).encode()
            json_header = {"Content-Type": "application/json"}
            return self.ask(method, path, person=person, body=json_body, headers=json_header)
        if method == "GET":
            query = urllib.parse.urlencode(target.data, doseq=True)
            return self.ask(method, f"{path}?{query}", person=person)
        return self.ask(method, path, person=person, fields=target.data)

    def counts(self) -> dict[str, int]:
        """Return the number of rows of each table."""
        return {name: self.installation.count(name) for name in KEPT}


@contextmanager
def site(folder: Path, database: str, *environment: tuple[str, str]) -> Iterator[Site]:
    """Serve a new installation as people start it, with two processes and no worker."""
    installation = Installation(folder, database, wake_seconds=1)
    settings = {**installation.environment, "TOUCHSTONE_LOG_LEVEL": "INFO", **dict(environment)}
    done = subprocess.run(
        [sys.executable, "-m", "tests.attack.targets"],
        env=settings,
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise RuntimeError(done.stderr[-3000:])
    made = json.loads(done.stdout)
    targets = [Target(**each) for each in made.pop("targets")]
    port, log = free_port(), folder / "serve.log"
    with serving(settings, port, log, "--no-worker", "--processes", "2") as process:
        until(lambda: process.poll() is not None or status(port, "/sign-in/") == 200, "the server")
        yield Site(installation=installation, port=port, log=log, targets=targets, **made)
