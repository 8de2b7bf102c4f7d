"""Replies to HEAD have no body, whichever server asks the application.

Django answers HEAD as GET and leaves the body to the server. Waitress sends it, so that a client or
a proxy that keeps the connection would take it for the next reply: another person's.
"""

from collections.abc import Iterable
from typing import Any
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment


def without_bodies(application: WSGIApplication) -> WSGIApplication:
    """Return the application whose replies to HEAD end after their headers."""

    def answer(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        if environ["REQUEST_METHOD"] != "HEAD":
            return application(environ, start_response)

        def start(status: str, headers: list[tuple[str, str]], *error: Any) -> Any:
            # Where nothing says how long the body of GET is, waitress would send the end of a chunked one.
            if "content-length" not in {name.lower() for name, _ in headers}:
                headers = [*headers, ("Content-Length", "0")]
            return start_response(status, headers, *error)

        body = application(environ, start)
        if hasattr(body, "close"):
            body.close()
        return []

    return answer
