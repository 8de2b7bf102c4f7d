"""What a connection may take of the web server before anybody has signed in on it.

Waitress reads a request to its end before it calls the application, however long it is and takes. So
these limits are a parser and a channel of waitress.
"""

import copy
import logging
import resource
import time
from collections.abc import Mapping
from typing import Any

from django.conf import settings
from django.contrib.auth import SESSION_KEY
from django.db import Error as DatabaseError
from django.db import connection
from django.http import parse_cookie
from django.utils import timezone
from waitress.channel import HTTPChannel
from waitress.parser import HTTPRequestParser, ParsingError

from accounts.actions.tokens import sha256
from accounts.models import ApiToken
from config.request_bodies import Body, InsufficientStorageError
from performance.sessions import SessionStore

logger = logging.getLogger(__name__)

# Bytes of a body that are taken from anybody. A desk whose session has ended sends up to a hundred
# judgements with their comments before it hears so. Waitress writes no body to the disk that is so small.
MOST_SIGNED_OUT = 256 * 1024
MOST_HEADERS = 32 * 1024  # bytes
# Seconds for a whole request; of a larger body, for each part of it.
LONGEST_WAIT = 60
LOOK_EVERY = 10  # seconds: for connections to close
MOST_CONNECTIONS = 1_000  # of a process
FILES_A_CONNECTION = 3


def options() -> dict[str, Any]:
    """Return waitress's options, after raising the limit of open files of this process."""
    return {
        "max_request_header_size": MOST_HEADERS,
        "connection_limit": _connection_limit(),
        "channel_timeout": LONGEST_WAIT,
        "cleanup_interval": LOOK_EVERY,
        "asyncore_use_poll": True,  # select() knows 1,024 files
    }


def _connection_limit() -> int:
    files, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = MOST_CONNECTIONS * FILES_A_CONNECTION
    if 0 <= files < wanted:  # -1 is no limit
        files = wanted if most == resource.RLIM_INFINITY else min(wanted, most)
        resource.setrlimit(resource.RLIMIT_NOFILE, (files, most))
    return MOST_CONNECTIONS if files < 0 else min(MOST_CONNECTIONS, files // FILES_A_CONNECTION)


class Parser(HTTPRequestParser):  # type: ignore[misc]
    """A request with one length, and with a large body only if it comes from somebody who has signed in."""

    may_be_large = False
    adj: Any
    body_rcv: Any
    error: Any
    expect_continue: bool

    def received(self, data: bytes) -> int:
        consumed: int = super().received(data)
        if self.completed and self.body_rcv is not None and not self.error:
            body = self.body_rcv.getbuf()
            body.flush()
            if body.is_incomplete:
                self.error = InsufficientStorageError(
                    "The server's disk is full: nothing of this was saved. Tell the administrator, and send it "
                    "again as soon as there is room."
                )
        return consumed

    def parse_header(self, header_plus: bytes) -> None:
        super().parse_header(header_plus)
        if self.body_rcv is not None:
            self.body_rcv.buf = Body(self.adj.inbuf_overflow)
        if self.chunked and "CONTENT_LENGTH" in self.headers:
            # A proxy may have read the other one, and take a reply to what is hidden in the body for the next.
            raise ParsingError("a body has one length")
        if not self.chunked and self.content_length < MOST_SIGNED_OUT:
            return
        self.may_be_large = is_signed_in(self.headers)
        if not self.may_be_large:
            self.adj = copy.copy(self.adj)
            self.adj.max_request_body_size = MOST_SIGNED_OUT
            # Who waits for leave to send the body hears at once that it is too large.
            self.expect_continue = self.expect_continue and self.chunked


class Channel(HTTPChannel):  # type: ignore[misc]
    """A connection that is closed where a request is not whole in LONGEST_WAIT, however often a byte comes."""

    parser_class = Parser
    began_at = 0.0

    def received(self, data: bytes) -> bool:
        earlier = self.request
        is_taken: bool = super().received(data)
        if self.request is not earlier:
            self.began_at = time.time()
        if self.request is not None and not self.request.may_be_large:
            self.last_activity = self.began_at
        return is_taken


def is_signed_in(headers: Mapping[str, str]) -> bool:
    """Return whether the request has somebody's session or token; False where the database does not answer."""
    cookies = parse_cookie(headers.get("COOKIE", ""))
    kind, _, token = headers.get("AUTHORIZATION", "").partition(" ")
    try:
        if kind.lower() == "bearer":
            return (
                ApiToken.objects.valid(timezone.now()).filter(sha256=sha256(token.strip())).exists()
            )
        return SESSION_KEY in SessionStore(cookies.get(settings.SESSION_COOKIE_NAME))
    except DatabaseError:
        logger.exception("it cannot be seen whether who sends a large body has signed in")
        return False
    finally:
        connection.close()  # large bodies are rare, and nobody else asks on this thread
