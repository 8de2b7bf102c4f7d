import pytest
from django.test import Client


@pytest.fixture
def client(alice) -> Client:
    client = Client()
    client.force_login(alice, backend="accounts.backends.RealPeopleBackend")
    return client
