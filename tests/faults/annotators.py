"""People at the desk, each a thread that does what the page does in their browser (static/js/desk).

What they judged waits in an outbox, with an id for each judgement, until the server says what became of it.
What fails is tried again after a pause; meanwhile they judge what was fetched ahead.
"""

import http.client
import json
import random
import threading
import time
import uuid
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from http.cookies import SimpleCookie
from typing import Any

from django.utils import timezone

from tests.config.serving import until
from tests.faults.fault_installation import CONTROL, Person, Work

FIRST_PAUSE, LONGEST_PAUSE = 0.05, 0.5  # seconds; a browser waits 1 to 30
LOST = "lost on its way"


@dataclass(frozen=True)
class Outcome:
    """The server's answer to a judgement."""

    assignment: str
    chosen: str  # the label of the person
    outcome: str
    label: str
    words: str


class UnexpectedAnswerError(Exception):
    """The server refused a request of a browser that does everything right."""


class Browser:
    """One person's desk: `judge` takes the next item, `exchange` is the desk's one data request."""

    def __init__(self, port: int, work: Work, person: Person, *, loses: float = 0) -> None:
        self.name = person.name
        self.outbox: list[dict[str, Any]] = []
        self.ahead: list[str] = []
        self.controls: set[str] = set()  # assignments of control items, which nobody real can tell
        self.outcomes: dict[str, Outcome] = {}
        self.failed: Counter[object] = Counter()  # by status, or what happened to the connection
        self.errors: set[str] = set()  # what the server said of its failures
        self.refused: set[str] = set()  # client ids that an answer with an error was for
        self._random = random.Random(person.name)
        self._loses = loses  # the share of answers that never arrive
        self._work = work
        self._cookies = {work.session_cookie: person.session}
        self._token = ""
        self._connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)

    def judge(self) -> str:
        """Judge what is on the screen; the id of the judgement."""
        client_id = uuid.uuid4().hex
        self.outbox.append(
            {
                "assignment": self.ahead.pop(0),
                "client_id": client_id,
                "response": {self._work.scheme: self._random.choice(self._work.labels)},
                "comment": "",
                "shown_at": timezone.now().isoformat(),
                "active_seconds": 0.01,
            }
        )
        return client_id

    def exchange(self, *, fetches: bool = True) -> bool:
        """Send what is in the outbox, fetch what comes next. Whether the server answered."""
        sent = list(self.outbox)
        n, depth = len(self.ahead), self._work.depth
        asked = {
            "submissions": sent,
            "ahead": self.ahead,
            "wanted": depth - n if fetches and n <= depth / 2 else 0,
        }
        answer = self._feed(asked, {each["client_id"] for each in sent})
        if answer is None:
            return False
        results = {result["client_id"]: result for result in answer["results"]}
        for each in sent:
            result = results[each["client_id"]]
            self.outcomes[each["client_id"]] = Outcome(
                result["assignment"],
                next(iter(each["response"].values())),
                result["outcome"],
                result["said"],
                result["words"],
            )
            self.outbox.remove(each)
        self.ahead += [item["assignment"] for item in answer["items"]]
        self.controls |= {
            item["assignment"] for item in answer["items"] if CONTROL in json.dumps(item)
        }
        return True

    def close(self) -> None:
        self._connection.close()

    def page(self) -> tuple[int, str]:
        """The desk's page with its status, as it comes without a script."""
        return self._request("GET", self._work.desk)

    def _feed(self, asked: dict[str, Any], ids: set[str]) -> dict[str, Any] | None:
        address = f"{self._work.desk}feed/"
        try:
            if not self._token and not self._read(self._request("GET", address), set()):
                return None
            body = json.dumps(asked)
            if self._random.random() < self._loses:
                self._send("POST", address, body)
                self.close()
                self.failed[LOST] += 1
                return None
            return self._read(self._request("POST", address, body), ids)
        except (OSError, http.client.HTTPException) as error:
            self.close()
            self.failed[type(error).__name__] += 1
            return None

    def _read(self, reply: tuple[int, str], ids: set[str]) -> dict[str, Any] | None:
        status, text = reply
        if status >= 500:
            self.failed[status] += 1
            self.errors.add(text)
            self.refused |= ids
            return None
        if status != 200:
            raise UnexpectedAnswerError(f"{self.name} was answered {status}: {text[:500]}")
        answer: dict[str, Any] = json.loads(text)
        self._token = answer["csrf"]
        return answer

    def _send(self, method: str, address: str, body: str | None = None) -> None:
        cookies = "; ".join(f"{name}={value}" for name, value in self._cookies.items())
        headers = {"Cookie": cookies, "X-CSRFToken": self._token, "X-Desk-User": self.name}
        if body is not None:
            headers["Content-Type"] = "application/json"
        self._connection.request(method, address, body, headers)

    def _request(self, method: str, address: str, body: str | None = None) -> tuple[int, str]:
        self._send(method, address, body)
        with self._connection.getresponse() as reply:
            text = reply.read().decode()
            for line in reply.headers.get_all("Set-Cookie") or []:
                self._cookies |= {name: each.value for name, each in SimpleCookie(line).items()}
            return reply.status, text


class Annotator(threading.Thread):
    """Judges until the work is over, whatever happens to the server."""

    def __init__(self, browser: Browser, is_over: Callable[[], bool], pause: float) -> None:
        super().__init__(name=browser.name, daemon=True)
        self.browser = browser
        self.trouble: BaseException | None = None
        self._is_over = is_over
        self._pause = pause  # seconds for an item

    def run(self) -> None:
        try:
            self._work()
        except Exception as trouble:
            self.trouble = trouble
        finally:
            self.browser.close()

    def _work(self) -> None:
        browser, pause, again_at = self.browser, FIRST_PAUSE, 0.0
        while not self._is_over() or browser.outbox:
            if browser.ahead and not self._is_over():
                browser.judge()
            time.sleep(self._pause)
            if time.monotonic() < again_at:
                continue
            if browser.exchange():
                pause = FIRST_PAUSE
            else:
                again_at = time.monotonic() + pause
                pause = min(2 * pause, LONGEST_PAUSE)


class Panel:
    """Annotators who work on one batch at the same time."""

    def __init__(self, port: int, work: Work, *, pause: float = 0.01, loses: float = 0.05) -> None:
        self._work = work
        self._is_finishing = threading.Event()
        self._annotators = [
            Annotator(Browser(port, work, person, loses=loses), self._is_over, pause)
            for person in work.people
        ]
        self.browsers = [each.browser for each in self._annotators]

    def n_answered(self) -> int:
        """The number of answered judgements, without those of control items."""
        return sum(
            each.assignment not in browser.controls
            for browser in self.browsers
            for each in list(browser.outcomes.values())
        )

    def outcomes(self) -> dict[str, Outcome]:
        """The outcome of each answered judgement, by client id."""
        return {
            key: outcome for each in self.browsers for key, outcome in list(each.outcomes.items())
        }

    def failed(self) -> Counter[object]:
        return sum((each.failed.copy() for each in self.browsers), Counter())

    def n_failed(self) -> int:
        """The number of failures besides lost answers."""
        return self.failed().total() - self.failed()[LOST]

    def wait_until(self, holds: Callable[[], object], what: str) -> None:
        try:
            until(lambda: self._are_well() and holds(), what)
        except AssertionError as error:
            met = f"{self.n_answered()} judgements were answered, and people met {dict(self.failed())}"
            raise AssertionError(f"{error}: {met}") from None

    def wait_for_answers(self, n: int) -> None:
        self.wait_until(lambda: self.n_answered() >= n, f"{n} judgements")

    def wait_until_done(self) -> None:
        """Wait until every judgement of the batch is answered, and finish."""
        self.wait_for_answers(self._work.n_judgements)
        self.finish()

    def finish(self) -> None:
        """Stop the annotators once their outboxes are empty."""
        self._is_finishing.set()
        self.wait_until(
            lambda: not any(each.is_alive() for each in self._annotators), "their outboxes"
        )

    def _is_over(self) -> bool:
        return self._is_finishing.is_set() or self.n_answered() >= self._work.n_judgements

    def _are_well(self) -> bool:
        for each in self._annotators:
            if each.trouble is not None:
                raise each.trouble
        return True

    def __enter__(self) -> "Panel":
        for each in self._annotators:
            each.start()
        return self

    def __exit__(self, *_: object) -> None:
        """Stop every annotator, also when the test failed."""
        self._is_finishing.set()
        for each in self._annotators:
            each.browser.outbox.clear()
            each.join(60)


@contextmanager
def browsers(port: int, work: Work) -> Iterator[Sequence[Browser]]:
    """Yield one browser for each person, for the test to drive step by step."""
    opened = [Browser(port, work, person) for person in work.people]
    try:
        yield opened
    finally:
        for each in opened:
            each.close()
