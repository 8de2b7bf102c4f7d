"""Clients of people."""

from http.cookies import SimpleCookie

from django.test import Client

from accounts.models import User


def client_of(person: User | None = None) -> Client:
    """A client signed in as the person; signed out without one."""
    client = Client()
    if person is not None:
        client.force_login(person, backend="accounts.backends.RealPeopleBackend")
    return client


class SignedInOnce:
    """The client of a person, for very many requests that are each undone: signing in costs as much as a request."""

    def __init__(self, person: User | None, *, checks: bool = False) -> None:
        self._client = Client(enforce_csrf_checks=checks)
        if person is not None:
            self._client.force_login(person, backend="accounts.backends.RealPeopleBackend")
        self._cookies = self._client.cookies.output(header="", sep="\n")

    def anew(self) -> Client:
        """The client as it was when the person had just signed in: without the cookies of replies since."""
        self._client.cookies = SimpleCookie(self._cookies)
        return self._client
