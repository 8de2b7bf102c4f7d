"""Simulated annotators as browsers: one page, then a data request for each judgement."""

import asyncio
import json
import random
import re
import time
import uuid
from collections import Counter, deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime

from bench.load.figures import AnsweredRequest, JudgementRecord
from bench.load.wire import HOST, Connection, Reply, WireError

SAVED = ("saved", "late")
MOST_TRIES = 5  # in a row, of one request
PAUSE = 0.2  # seconds before a request is sent again
NO_PACE = 3  # judgements before a pace is known: until then it is asked for each time
RARELY = 10  # judgements after which the server is asked how far one is, as static/js/desk/progress.js does
AROUND = 60  # seconds that loading the pages and the last replies may take besides

_TOKEN = re.compile(rb'name="csrfmiddlewaretoken" value="([^"]+)"')
_USER = re.compile(rb'data-user="([^"]+)"')
_ITEM = re.compile(rb'data-item="([0-9a-f-]{36})"')
# What a browser says of itself besides.
_BROWSER = (
    "User-Agent: Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0"
    " Safari/537.36\r\nAccept: */*\r\nAccept-Language: en-GB,en;q=0.9\r\nSec-Fetch-Site: same-origin\r\n"
    "Sec-Fetch-Mode: cors\r\nSec-Fetch-Dest: empty\r\nConnection: keep-alive\r\n"
)


@dataclass(frozen=True)
class Desk:
    """The address of the annotators' desk, and what its page says."""

    port: int
    path: str  # of the desk's page; the data request's is below it
    session_cookie: str
    scheme: str
    labels: Sequence[str]
    depth: int


@dataclass
class Observations:
    """The results of the annotators of one run."""

    answered: list[AnsweredRequest] = field(default_factory=list)
    first_pages: list[float] = field(default_factory=list)  # seconds, all asked for at once
    told: list[JudgementRecord] = field(default_factory=list)
    outcomes: Counter[str] = field(default_factory=Counter)
    not_200: Counter[str] = field(default_factory=Counter)  # of every request, pages as well
    n_data_requests: int = 0
    n_bytes: int = 0  # of the replies to data requests
    dry_at: float | None = None  # when the first of them had nothing left
    generator_cpu: float = 0.0  # seconds, while they judged
    seconds: float = 0.0  # that they judged, until the last reply


class GaveUpError(Exception):
    """A request was refused, or failed too often; the annotator leaves."""


async def work(desk: Desk, sessions: Sequence[str], seconds: float) -> Observations:
    """Load the page as all annotators, then judge until the time is over or nothing is left."""
    seen = Observations()
    people = [Annotator(desk, session, seen) for session in sessions]
    try:
        async with asyncio.timeout(seconds + AROUND):
            await asyncio.gather(*(each.sit_down() for each in people))
            begin, cpu = time.perf_counter(), time.process_time()
            await asyncio.gather(
                *(
                    each.judge(begin, lambda: time.perf_counter() >= begin + seconds)
                    for each in people
                )
            )
            seen.generator_cpu = time.process_time() - cpu
            seen.seconds = time.perf_counter() - begin
    except TimeoutError:
        seen.not_200["the annotators did not come to an end"] += 1
    finally:
        for each in people:
            each.connection.close()
    return seen


class Annotator:
    def __init__(self, desk: Desk, session: str, seen: Observations) -> None:
        self.connection = Connection(desk.port)
        self._desk = desk
        self._seen = seen
        self._random = random.Random(session)
        self._cookies = [f"{desk.session_cookie}={session}"]
        self._host = f"Host: {HOST}:{desk.port}\r\n{_BROWSER}"
        self._head = ""  # of a data request, but for its length
        self._held: deque[str] = deque()  # assignments; the first is on the screen
        self._name = uuid.uuid4().hex[:16]
        self._n = 0
        self._progress_at = RARELY  # the page said at first how far one is

    async def sit_down(self) -> None:
        """Load the page with its item, then the items ahead."""
        try:
            await self._load_page(self._seen.first_pages)
        except GaveUpError as error:
            self._seen.not_200[str(error)] += 1

    async def _load_page(self, waits: list[float] | None = None) -> None:
        """Load the page and add how long it took. If nothing is left it says so, without an item."""
        cookies = f"Cookie: {'; '.join(self._cookies)}\r\n"
        page = f"GET {self._desk.path} HTTP/1.1\r\n{self._host}{cookies}\r\n"
        asked_at = time.perf_counter()
        reply = await self._reply_to(page.encode())
        if waits is not None:
            waits.append(time.perf_counter() - asked_at)
        token, item = _TOKEN.search(reply.body), _ITEM.search(reply.body)
        if token is None or item is None:
            return
        set_cookies = [each.partition(";")[0] for each in reply.headers("set-cookie")]
        self._cookies = [self._cookies[0], *set_cookies] if set_cookies else self._cookies
        self._head = (
            f"POST {self._desk.path}feed/ HTTP/1.1\r\n{self._host}Accept-Encoding: gzip\r\n"
            f"Cookie: {'; '.join(self._cookies)}\r\nOrigin: http://{HOST}:{self._desk.port}\r\n"
            f"X-CSRFToken: {token[1].decode()}\r\nContent-Type: application/json\r\n"
        )
        if user := _USER.search(reply.body):
            self._head += f"X-Desk-User: {user[1].decode()}\r\n"
        self._held.append(item[1].decode())
        await self._exchange([])

    async def judge(self, begin: float, is_over: Callable[[], bool], pause: float = 0.0) -> None:
        """Judge until it is over or nothing is left, with so many seconds between a reply and the next one."""
        try:
            while self._held and not is_over():
                sent = self._judgement(self._held.popleft())
                asked_at = time.perf_counter()
                await self._exchange([sent])
                now = time.perf_counter()
                self._seen.answered.append(AnsweredRequest(now - begin, now - asked_at))
                await asyncio.sleep(pause)
                if not self._held:
                    await self._load_page()  # it has an item, or says why nothing comes
        except GaveUpError as error:
            self._seen.not_200[str(error)] += 1
        if not self._held and self._seen.dry_at is None:
            self._seen.dry_at = time.perf_counter() - begin

    def _judgement(self, assignment: str) -> dict[str, object]:
        self._n += 1
        return {
            "assignment": assignment,
            "client_id": f"{self._name}-{self._n}",
            "response": {self._desk.scheme: self._random.choice(self._desk.labels)},
            "comment": "",
            "shown_at": datetime.fromtimestamp(time.time(), UTC).isoformat(),
            "active_seconds": 0.01,
        }

    async def _exchange(self, submissions: list[dict[str, object]]) -> None:
        """Send one data request: submissions, and a request for further items."""
        n = len(self._held)
        wanted = (
            self._desk.depth - n if n <= self._desk.depth / 2 else 0
        )  # as static/js/desk/next_item.js does
        asked = {
            "submissions": submissions,
            "ahead": list(self._held),
            "wanted": wanted,
            "progress": wanted > 0 and not NO_PACE <= self._n < self._progress_at,
        }
        if asked["progress"]:
            self._progress_at = self._n + RARELY
        body = json.dumps(asked).encode()
        request = f"{self._head}Content-Length: {len(body)}\r\n\r\n".encode() + body
        reply = await self._reply_to(request)
        self._seen.n_data_requests += 1
        self._seen.n_bytes += reply.n_bytes
        answer = json.loads(reply.content())
        for sent, result in zip(submissions, answer["results"], strict=True):
            self._seen.outcomes[result["outcome"]] += 1
            if result["outcome"] in SAVED:
                assignment = str(sent["assignment"]).replace("-", "")
                self._seen.told.append(
                    JudgementRecord(str(sent["client_id"]), assignment, label_of(sent["response"]))
                )
        self._held.extend(item["assignment"] for item in answer["items"])

    async def _reply_to(self, request: bytes) -> Reply:
        """Return the reply if it is a good one; retry temporary failures, as a browser does."""
        for _ in range(MOST_TRIES):
            try:
                reply = await self.connection.ask(request)
            except (OSError, WireError) as error:
                self._seen.not_200[type(error).__name__] += 1
            else:
                if reply.status == 200:
                    return reply
                self._seen.not_200[str(reply.status)] += 1
                if reply.status < 500:
                    raise GaveUpError(f"somebody left: {reply.status}")
            await asyncio.sleep(PAUSE)
        raise GaveUpError("somebody left: it failed too often")


def label_of(response: object) -> str:
    """Return the label of a response of a scheme with one question."""
    if not isinstance(response, dict) or len(response) != 1:
        raise ValueError(f"{response!r} answers more or less than one question")
    return str(next(iter(response.values())))
