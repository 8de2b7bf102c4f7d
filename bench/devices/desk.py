"""An annotator who judges through the WSGI application, in this process and without a server."""

import importlib
import json
import os
import sys
from io import BytesIO
from typing import Any
from uuid import uuid4

from django.utils import timezone

from bench.load.wire import HOST

TOKEN = "b" * 32  # against forged requests: the same in cookie and header


class Desk:
    """The annotator's desk.

    `made` has its address, as bench.load.study makes it; DATABASE_URL names its database.
    """

    def __init__(self, made: dict[str, Any], session: str) -> None:
        os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
        self._application = importlib.import_module("config.wsgi").application
        settings = importlib.import_module("django.conf").settings
        cookies = {settings.SESSION_COOKIE_NAME: session, settings.CSRF_COOKIE_NAME: TOKEN}
        self._cookies = "; ".join(f"{name}={value}" for name, value in cookies.items())
        self._made = made
        self._path = f"/studies/{made['slug']}/desk/{made['batches'][0]}/"
        self._held: list[str] = []

    def page(self) -> bytes:
        return self._reply("GET", self._path, b"")

    def judge(self, n: int) -> None:
        """Judge like the desk's script, which asks for more when half of the items are judged."""
        if not self._held:
            self._feed([])
        for _ in range(n):
            judgement = {
                "assignment": self._held.pop(0),
                "client_id": uuid4().hex,
                "response": {self._made["scheme"]: self._made["labels"][0]},
                "comment": "",
                "shown_at": timezone.now().isoformat(),
                "active_seconds": 0.01,
            }
            self._feed([judgement])

    def _feed(self, submissions: list[dict[str, object]]) -> None:
        depth, n = self._made["depth"], len(self._held)
        request = {
            "submissions": submissions,
            "ahead": self._held,
            "wanted": depth - n if n <= depth / 2 else 0,
            "progress": False,
        }
        reply = self._reply("POST", f"{self._path}feed/", json.dumps(request).encode())
        answer = json.loads(reply)
        if any(result["outcome"] != "saved" for result in answer["results"]):
            sys.exit(f"not saved: {answer['results']}")
        self._held += [item["assignment"] for item in answer["items"]]

    def _reply(self, method: str, path: str, body: bytes) -> bytes:
        environ = {
            "REQUEST_METHOD": method,
            "SCRIPT_NAME": "",
            "PATH_INFO": path,
            "SERVER_NAME": HOST,
            "SERVER_PORT": "80",
            "SERVER_PROTOCOL": "HTTP/1.1",
            "REMOTE_ADDR": HOST,
            "HTTP_HOST": HOST,
            "HTTP_COOKIE": self._cookies,
            "HTTP_X_CSRFTOKEN": TOKEN,
            "CONTENT_TYPE": "application/json",
            "CONTENT_LENGTH": str(len(body)),
            "wsgi.input": BytesIO(body),
            "wsgi.errors": sys.stderr,
            "wsgi.url_scheme": "http",
            "wsgi.multithread": True,
            "wsgi.multiprocess": True,
        }
        status = []
        reply = self._application(environ, lambda line, headers, info=None: status.append(line))
        try:
            content = b"".join(reply)
        finally:
            reply.close()
        if not status[0].startswith("200"):
            sys.exit(f"{method} {path}: {status[0]}\n{content[:500].decode()}")
        return content
