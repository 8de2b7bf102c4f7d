"""What the work of a thread belongs to, for every line that it logs: a request or a job.

A request's stays until the next one begins on the thread: what Django and the web server log after the
reply belongs to it too.
"""

import re
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

request_id: ContextVar[str] = ContextVar("request_id", default="")
# Why the request was refused, where nobody but the log hears of it.
refusal: ContextVar[str] = ContextVar("refusal", default="")
job_id: ContextVar[str] = ContextVar("job_id", default="")

WELL_FORMED = re.compile(r"[0-9A-Za-z-]{8,64}")


def begin_request(given: str) -> str:
    """Begin a request and return its id: the given one if it is well-formed, else a new one."""
    chosen = given if WELL_FORMED.fullmatch(given) else secrets.token_hex(8)
    request_id.set(chosen)
    refusal.set("")
    return chosen


@contextmanager
def job(number: int) -> Iterator[None]:
    token = job_id.set(str(number))
    try:
        yield
    finally:
        job_id.reset(token)
