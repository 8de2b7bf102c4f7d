"""A program that uses the API as somebody does by a token."""

from datetime import timedelta
from typing import Any

from django.http.response import HttpResponseBase
from django.test import Client
from django.utils import timezone

from accounts.actions.tokens import sha256
from accounts.models import ApiToken, User

API = "/api/v1/"


class Program:
    """Sends JSON, with a token of the person's own."""

    def __init__(self, user: User | None, token: str | None = None) -> None:
        self.client = Client()
        self.headers: dict[str, str] = {}
        if user is not None:
            token = f"touchstone_of-{user.username}"
            until = timezone.now() + timedelta(days=1)
            ApiToken.objects.get_or_create(
                sha256=sha256(token), defaults={"user": user, "name": "test", "expires_at": until}
            )
        if token is not None:
            self.headers["Authorization"] = f"Bearer {token}"

    def get(self, path: str, **parameters: Any) -> HttpResponseBase:
        return self.client.get(_href(path), parameters, headers=self.headers)

    def post(self, path: str, said: Any = None) -> HttpResponseBase:
        return self.client.post(
            _href(path),
            {} if said is None else said,
            content_type="application/json",
            headers=self.headers,
        )


def _href(path: str) -> str:
    return path if path.startswith("/") else API + path
