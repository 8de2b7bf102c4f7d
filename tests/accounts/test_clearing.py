"""Sessions that have ended and wrong passwords that no longer count are removed, by the worker's beat."""

from datetime import timedelta

import pytest
import time_machine
from axes.models import AccessAttempt
from django.conf import settings as django_settings
from django.contrib.sessions.models import Session
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts import tasks
from accounts.actions import users
from config.celery import app

PASSWORD = "long-lens-1702"


@pytest.fixture
def frieda(db):
    return users.create_user(name="frieda", password=PASSWORD)


def test_sessions_are_removed_when_they_have_ended_and_no_sooner(frieda):
    start, lasts = timezone.now(), timedelta(seconds=django_settings.SESSION_COOKIE_AGE)
    for begun in (start, start + timedelta(hours=2)):
        with time_machine.travel(begun, tick=False):
            Client().force_login(frieda)

    with time_machine.travel(start + lasts + timedelta(hours=1), tick=False):
        n_removed = tasks.clear_expired()
        left = Session.objects.values_list("expire_date", flat=True)

        assert (n_removed, list(left)) == (1, [start + timedelta(hours=2) + lasts])


def test_wrong_passwords_are_removed_when_the_wait_is_over_and_no_sooner(frieda, settings):
    settings.AXES_ENABLED = True
    start, wait = timezone.now(), settings.AXES_COOLOFF_TIME
    with time_machine.travel(start, tick=False):
        guess("frieda", "192.0.2.1")
    with time_machine.travel(start + wait / 2, tick=False):
        guess("gustav", "192.0.2.2")

    with time_machine.travel(start + wait, tick=False):
        assert tasks.clear_expired() == 0
    with time_machine.travel(start + wait + timedelta(seconds=1), tick=False):
        assert tasks.clear_expired() == 1

    assert list(AccessAttempt.objects.values_list("ip_address", flat=True)) == ["192.0.2.2"]


def guess(name, address):
    form = {"username": name, "password": "wrong"}
    assert Client().post(reverse("sign_in"), form, REMOTE_ADDR=address).status_code == 200


def test_the_beat_clears_every_hour():
    scheduled = {entry["task"]: entry["schedule"] for entry in app.conf.beat_schedule.values()}

    assert scheduled[tasks.clear_expired.name] == timedelta(hours=1)
