"""One organiser who asks for every page in a random order, while people judge at a human pace."""

import asyncio
import http.client
import random
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from bench.load import processes
from bench.load.annotators import Annotator, Desk, Observations
from bench.load.serving import Server
from bench.load.wire import HOST

PAUSE = 1.0  # seconds that a person looks at an item
LONGEST = 120  # seconds until a reply is given up
AT_ONCE = 65_536


class Answer(NamedTuple):
    path: str
    status: int
    first_ms: float  # until the head of the reply was there
    ms: float  # until all of it was
    n_bytes: int


@dataclass
class Asked:
    """What came of all requests."""

    pages: list[Answer] = field(default_factory=list)
    downloads: list[Answer] = field(default_factory=list)
    people: Observations = field(default_factory=Observations)
    seconds: float = 0.0  # while the pages were asked for
    n_judged: int = 0  # meanwhile
    resident_mb: tuple[float, float] = (
        0.0,
        0.0,
    )  # of the largest web process: after the pages, after all


def ask_all(server: Server, survey: Mapping[str, Any], n_people: int, n_rounds: int) -> Asked:
    return asyncio.run(_ask_all(server, survey, n_people, n_rounds))


async def _ask_all(
    server: Server, survey: Mapping[str, Any], n_people: int, n_rounds: int
) -> Asked:
    asked = Asked()
    people = [
        Annotator(_desk(server, survey), each, asked.people)
        for each in survey["sessions"][:n_people]
    ]
    await asyncio.gather(*(each.sit_down() for each in people))
    is_over = asyncio.Event()
    begin = time.perf_counter()
    at_work = [
        asyncio.create_task(_judge(each, begin, is_over, n / n_people))
        for n, each in enumerate(people)
    ]
    try:
        organiser = _Organiser(server.port, f"{survey['session_cookie']}={survey['session']}")
        pages = [each["path"] for each in survey["addresses"] if each["is_page"]]
        asked.pages = await asyncio.to_thread(organiser.rounds, pages, n_rounds)
        asked.seconds, asked.n_judged = time.perf_counter() - begin, len(asked.people.answered)
        after_pages = processes.resident_mb(server.pids())
        downloads = [each["path"] for each in survey["addresses"] if not each["is_page"]]
        asked.downloads = await asyncio.to_thread(organiser.rounds, downloads, 1)
        asked.resident_mb = (after_pages, processes.resident_mb(server.pids()))
    finally:
        is_over.set()
        await asyncio.gather(*at_work)
        for each in people:
            each.connection.close()
    return asked


async def _judge(person: Annotator, begin: float, is_over: asyncio.Event, after: float) -> None:
    """Judge, but not all of them in the same moment."""
    await asyncio.sleep(after * PAUSE)
    await person.judge(begin, is_over.is_set, PAUSE)


def _desk(server: Server, survey: Mapping[str, Any]) -> Desk:
    return Desk(
        port=server.port,
        path=f"/studies/{survey['slug']}/desk/{survey['batch']}/",
        session_cookie=survey["session_cookie"],
        scheme=survey["scheme"],
        labels=survey["labels"],
        depth=survey["depth"],
    )


class _Organiser:
    def __init__(self, port: int, cookie: str) -> None:
        self._port = port
        self._headers = {"Cookie": cookie, "Accept-Encoding": "identity"}

    def rounds(self, paths: Sequence[str], n: int) -> list[Answer]:
        """Ask for each path so often, in another order each time."""
        draw = random.Random(1)
        answers: list[Answer] = []
        for _ in range(n):
            answers += [self._ask(path) for path in draw.sample(paths, len(paths))]
        return answers

    def _ask(self, path: str) -> Answer:
        connection = http.client.HTTPConnection(HOST, self._port, timeout=LONGEST)
        began = time.perf_counter()
        try:
            connection.request("GET", path, headers=self._headers)
            reply = connection.getresponse()
            first = time.perf_counter()
            n_bytes = 0
            while part := reply.read(AT_ONCE):
                n_bytes += len(part)
        except (OSError, http.client.HTTPException) as error:
            print(f"{path}: {type(error).__name__}: {error}", flush=True)
            return Answer(path, 0, 0.0, 0.0, 0)
        finally:
            connection.close()
        return Answer(
            path,
            reply.status,
            1000 * (first - began),
            1000 * (time.perf_counter() - began),
            n_bytes,
        )
