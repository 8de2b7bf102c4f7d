"""Twenty-four people judge while eight organisers do to their batch whatever can be done to it.

Nothing that was acknowledged is lost or stored twice, places are counted exactly, and an item has one
current verdict: also while connections to the database and processes of the server are killed.
"""

import http.client
import os
import random
import signal
import threading
import time
import urllib.parse
import uuid
from collections import Counter
from pathlib import Path

import psycopg

from tests.attack.site import CSRF, Found
from tests.config import processes
from tests.faults.annotators import Panel
from tests.faults.fault_installation import BatchContents, FaultInstallation, Work
from tests.faults.servers import Server, served

N_PEOPLE, N_ORGANISERS = 24, 8
SECONDS = 60
PAUSE = 0.1  # of an organiser, between two acts
ON_BATCH = {
    "pause/": {},
    "resume/": {},
    "close/": {},
    "settle/": {"rule": "majority", "expire_claims": "on"},
    "reopen/": {},
}
ON_ITEM = {
    "exclude/": {"exclude-reason": "Broken."},
    "readmit/": {"readmit-reason": "Whole."},
    "ask-again/": {"n_asked": "3"},
    "note/": {"note-text": "Look here."},
}


class Organiser(threading.Thread):
    """Does one act after another, at random; a batch that ended a way is opened again."""

    def __init__(self, n: int, port: int, work: Work, installation: FaultInstallation) -> None:
        super().__init__(name=f"organiser {n}", daemon=True)
        self.statuses: Counter[object] = Counter()
        self.is_over = threading.Event()
        self._port, self._work = port, work
        self._random = random.Random(n)
        items = installation.query("SELECT public_id FROM annotation_item")
        # SQLite has them without hyphens, and addresses have them with.
        self._items = [str(uuid.UUID(str(item))) for (item,) in items]

    def run(self) -> None:
        while not self.is_over.is_set():
            self._act()
            time.sleep(PAUSE)

    def _act(self) -> None:
        batch = self._work.desk.replace("/desk/", "/batches/")
        study = self._work.desk.partition("/desk/")[0]
        dice = self._random.random()
        if dice < 0.15:
            act, fields = self._random.choice(list(ON_BATCH.items()))
            self._post(batch + act, fields)
            # Nobody could judge in it for long otherwise.
            self._post(f"{batch}{'reopen/' if act in ('close/', 'settle/') else 'resume/'}", {})
        else:
            act, fields = self._random.choice(list(ON_ITEM.items()))
            self._post(f"{study}/items/{self._random.choice(self._items)}/{act}", fields)

    def _post(self, path: str, fields: dict[str, str]) -> None:
        headers = {
            "Cookie": f"{self._work.session_cookie}={self._work.requester}; csrftoken={CSRF}",
            "X-CSRFToken": CSRF,
            "Content-Type": "application/x-www-form-urlencoded",
        }
        connection = http.client.HTTPConnection("127.0.0.1", self._port, timeout=60)
        try:
            connection.request("POST", path, urllib.parse.urlencode(fields), headers)
            reply = connection.getresponse()
            reply.read()
            self.statuses[reply.status] += 1
        except (OSError, http.client.HTTPException) as error:
            self.statuses[type(error).__name__] += 1
        finally:
            connection.close()


def at_work(folder: Path, database: str) -> Found:
    return _judged(folder, database, is_disturbed=False)


def disturbed(folder: Path, database: str) -> Found:
    return _judged(folder, database, is_disturbed=True)


def _judged(folder: Path, database: str, *, is_disturbed: bool) -> Found:
    what = f"{N_PEOPLE} people judge, {N_ORGANISERS} organisers act, {SECONDS} s"
    found = Found(f"{what}{', backends and web processes killed' if is_disturbed else ''}")
    installation = FaultInstallation(folder, database)
    work = installation.create_work(n_items=2000, n_people=N_PEOPLE, claim_seconds=60)
    with served(installation) as server:
        organisers = [Organiser(n, server.port, work, installation) for n in range(N_ORGANISERS)]
        with Panel(server.port, work, pause=0.05) as panel:
            for each in organisers:
                each.start()
            n_kills = _wait(server, database, is_disturbed=is_disturbed)
            for each in organisers:
                each.is_over.set()
                each.join()
            panel.finish()
        statuses: Counter[object] = sum((each.statuses for each in organisers), Counter())
        _check(found, installation.batch_contents(), panel)
        n_errors = sum(
            n for status, n in statuses.items() if isinstance(status, int) and status >= 500
        )
        if not is_disturbed:
            found.tried(n_errors + panel.n_failed() == 0, f"{dict(statuses)}, {panel.failed()}")
    found.what += f", {sum(statuses.values())} acts {dict(statuses)}, {n_kills} kills"
    doubled = installation.query(
        "SELECT item_id FROM annotation_verdict v WHERE NOT EXISTS"
        " (SELECT 1 FROM annotation_verdict w WHERE w.replaces_id = v.id) GROUP BY item_id HAVING count(*) > 1"
    )
    found.tried(not doubled, f"{len(doubled)} items have two current verdicts")
    return found


def _wait(server: Server, database: str, *, is_disturbed: bool) -> int:
    """Let them work, and kill meanwhile. Return how often something was killed."""
    deadline, n_kills = time.monotonic() + SECONDS, 0
    while time.monotonic() < deadline:
        time.sleep(2)
        if not is_disturbed:
            continue
        n_kills += 1
        if n_kills % 6 == 0:
            os.kill(random.choice(processes.children(server.process.pid)), signal.SIGKILL)
        elif database.startswith("postgres"):
            with psycopg.connect(database, autocommit=True) as connection:
                connection.execute(
                    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                    " WHERE datname = current_database() AND pid <> pg_backend_pid()"
                )
    return n_kills


def _check(found: Found, contents: BatchContents, panel: Panel) -> None:
    """Compare what people were told with what is stored; batch_contents has compared the counts."""
    stored = Counter(each.client_id for each in contents.judgements)
    labels = {each.client_id: each.label for each in contents.judgements}
    for client_id, told in panel.outcomes().items():
        if told.outcome in ("saved", "late"):
            right = stored[client_id] == 1 and labels[client_id] == told.chosen
            found.tried(
                right, f"told {told.outcome}, stored {stored[client_id]} times: {client_id}"
            )
        else:
            found.tried(not stored[client_id], f"told {told.outcome}, but stored: {client_id}")
