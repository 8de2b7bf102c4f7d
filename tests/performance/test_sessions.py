"""Sessions read by a compiled query end when Django's own do."""

from datetime import timedelta

from django.contrib.sessions.models import Session
from django.test import Client
from django.utils import timezone


def test_a_session_that_has_expired_signs_nobody_in(alice):
    client = Client()
    client.force_login(alice, backend="accounts.backends.RealPeopleBackend")
    assert client.get("/account/").status_code == 200

    Session.objects.update(expire_date=timezone.now() - timedelta(seconds=1))

    assert client.get("/account/").status_code == 302
