"""Requests that are answered one after the other: performance/one_at_a_time.py."""

import threading

import pytest
from django.http import HttpResponse
from django.test import RequestFactory

from performance import one_at_a_time

REQUEST = RequestFactory().get("/")
SOON = 10  # seconds


@pytest.fixture(autouse=True)
def _one_writer(monkeypatch):
    monkeypatch.setattr(one_at_a_time, "has_one_writer", lambda: True)


def started(act) -> threading.Thread:
    thread = threading.Thread(target=act, daemon=True)
    thread.start()
    return thread


class Slow:
    """A view that is at work until it is let go, and says how many are at work at a time."""

    def __init__(self) -> None:
        self.begun = threading.Semaphore(0)
        self.may_end = threading.Semaphore(0)
        self.n = self.most = 0

    def __call__(self, request) -> HttpResponse:
        self.n += 1
        self.most = max(self.most, self.n)
        self.begun.release()
        assert self.may_end.acquire(timeout=SOON)
        self.n -= 1
        return HttpResponse("done")


def begun_together(view, slow) -> None:
    """Two requests are at work at once, and end."""
    threads = [started(lambda: view(REQUEST)) for _ in range(2)]
    for _ in threads:
        assert slow.begun.acquire(timeout=SOON)
    for _ in threads:
        slow.may_end.release()
    for thread in threads:
        thread.join(SOON)
    assert slow.most == 2


def test_the_next_request_begins_when_the_one_before_has_ended(monkeypatch):
    monkeypatch.setattr(one_at_a_time, "LONGEST_WAIT", SOON)
    slow = Slow()
    view = one_at_a_time.one_request_at_a_time(slow)
    threads = [started(lambda: view(REQUEST)) for _ in range(3)]

    for _ in threads:
        assert slow.begun.acquire(timeout=SOON)
        assert not slow.begun.acquire(timeout=0.05)
        slow.may_end.release()
    for thread in threads:
        thread.join(SOON)

    assert slow.most == 1


def test_who_has_waited_too_long_goes_on(monkeypatch):
    monkeypatch.setattr(one_at_a_time, "LONGEST_WAIT", 0.01)
    slow = Slow()
    view = one_at_a_time.one_request_at_a_time(slow)

    begun_together(view, slow)
    # Only who had the turn gave it back: the next one has it to itself.
    slow.may_end.release()
    assert view(REQUEST).content == b"done"


def test_a_view_that_fails_gives_the_turn_back(monkeypatch):
    monkeypatch.setattr(one_at_a_time, "LONGEST_WAIT", SOON)

    @one_at_a_time.one_request_at_a_time
    def failing(request):
        raise LookupError

    for _ in range(2):
        with pytest.raises(LookupError):
            failing(REQUEST)


def test_where_the_database_has_many_writers_nobody_waits(monkeypatch):
    monkeypatch.setattr(one_at_a_time, "LONGEST_WAIT", SOON)
    monkeypatch.setattr(one_at_a_time, "has_one_writer", lambda: False)
    slow = Slow()
    view = one_at_a_time.one_request_at_a_time(slow)

    begun_together(view, slow)


def test_other_views_do_not_wait():
    slow = Slow()
    thread = started(lambda: one_at_a_time.one_request_at_a_time(slow)(REQUEST))
    assert slow.begun.acquire(timeout=SOON)

    assert (
        one_at_a_time.one_request_at_a_time(lambda request: HttpResponse("other"))(REQUEST).content
        == b"other"
    )

    slow.may_end.release()
    thread.join(SOON)
