"""People with a browser before a real server: cookies, forms with their CSRF token, files."""

import urllib.error
import urllib.parse
import urllib.request
import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from http.cookiejar import CookieJar


@dataclass(frozen=True)
class Reply:
    status: int
    url: str  # where the redirects led
    text: str


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *args: object) -> None:
        return None


class Visitor:
    """Somebody with a cookie jar of their own."""

    def __init__(self, port: int, jar: CookieJar | None = None) -> None:
        self.port = port
        self.jar = CookieJar() if jar is None else jar
        self._opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(self.jar))
        self._here = urllib.request.build_opener(
            _NoRedirect, urllib.request.HTTPCookieProcessor(self.jar)
        )

    def cookie(self, name: str) -> str:
        """The value of the cookie, or ""."""
        return next((each.value or "" for each in self.jar if each.name == name), "")

    def get(self, path: str) -> Reply:
        return self._open(urllib.request.Request(self._href(path)))

    def download(self, path: str) -> bytes:
        with self._opener.open(self._href(path), timeout=60) as reply:
            content: bytes = reply.read()
            return content

    def get_with_cookie(self, path: str, cookie: str) -> Reply:
        """Ask with a cookie that somebody made up."""
        return self._open(urllib.request.Request(self._href(path), headers={"Cookie": cookie}))

    def post(self, path: str, fields: Mapping[str, str], *, follows: bool = True) -> Reply:
        sent = urllib.parse.urlencode({**fields, **self._token(path)}).encode()
        return self._open(urllib.request.Request(self._href(path), sent), follows=follows)

    def post_without_cookies(self, path: str) -> Reply:
        """Send an empty form as a browser that keeps no cookies."""
        return self._open(urllib.request.Request(self._href(path), b""))

    def upload(
        self, path: str, fields: Mapping[str, str], files: Mapping[str, tuple[str, bytes]]
    ) -> Reply:
        """Send a form with files: field -> name and bytes."""
        mark = uuid.uuid4().hex
        parts = [
            f'--{mark}\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n'.encode()
            for name, value in {**fields, **self._token(path)}.items()
        ]
        for field, (name, content) in files.items():
            head = f'Content-Disposition: form-data; name="{field}"; filename="{name}"'
            parts.append(f"--{mark}\r\n{head}\r\n\r\n".encode() + content + b"\r\n")
        body = b"".join([*parts, f"--{mark}--\r\n".encode()])
        kind = {"Content-Type": f"multipart/form-data; boundary={mark}"}
        return self._open(urllib.request.Request(self._href(path), body, kind))

    def sign_in(self, name: str, password: str) -> None:
        reply = self.post("/sign-in/", {"username": name, "password": password})
        assert self.cookie("sessionid"), reply.text

    def _href(self, path: str) -> str:
        return urllib.parse.urljoin(f"http://127.0.0.1:{self.port}/", path)

    def _token(self, path: str) -> dict[str, str]:
        if not self.cookie("csrftoken"):
            self.get(path)
        return {"csrfmiddlewaretoken": self.cookie("csrftoken")}

    def _open(self, request: urllib.request.Request, *, follows: bool = True) -> Reply:
        try:
            opener = self._opener if follows else self._here
            with opener.open(request, timeout=60) as reply:
                return Reply(reply.status, reply.url, reply.read().decode())
        except urllib.error.HTTPError as error:
            with error:
                return Reply(error.code, error.url or "", error.read().decode())
