"""Pages, looked at by somebody."""

from django.test import Client

from accounts.models import User


def browser(person: User | None = None) -> Client:
    """Signed in as the person; as nobody in particular without one."""
    client = Client()
    if person is not None:
        client.force_login(person, backend="accounts.backends.RealPeopleBackend")
    return client
