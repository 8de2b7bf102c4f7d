"""Clients of people."""

from django.test import Client

from accounts.models import User


def client_of(person: User | None = None) -> Client:
    """A client signed in as the person; signed out without one."""
    client = Client()
    if person is not None:
        client.force_login(person, backend="accounts.backends.RealPeopleBackend")
    return client
