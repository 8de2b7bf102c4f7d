"""Guessing at passwords: after five wrong ones a name has to wait, at the address they came from."""

from datetime import timedelta

import pytest
import time_machine
from django.contrib.auth import authenticate
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.actions import users

PASSWORD = "long-lens-1702"
HERE, THERE = "192.0.2.1", "192.0.2.2"


@pytest.fixture(autouse=True)
def throttled(settings, db):
    settings.AXES_ENABLED = True
    users.create_user(name="frieda", password=PASSWORD)
    users.create_user(name="gustav", password=PASSWORD)


def sign_in(password, name="frieda", address=HERE, browser="Lynx", client=None, **meta):
    return (client or Client()).post(
        reverse("sign_in"),
        {"username": name, "password": password},
        REMOTE_ADDR=address,
        HTTP_USER_AGENT=browser,
        **meta,
    )


def guess(n, **how):
    return [sign_in(f"wrong {number}", **how).status_code for number in range(n)]


def test_five_wrong_passwords_shut_the_door_for_the_right_one_too():
    assert guess(5) == [200, 200, 200, 200, 429]

    assert sign_in(PASSWORD).status_code == 429


def test_another_browser_is_another_try_of_the_same_person():
    assert guess(3, browser="Lynx") + guess(2, browser="w3m") == [200, 200, 200, 200, 429]


def test_other_people_at_the_address_and_the_person_elsewhere_go_on():
    guess(5)

    assert sign_in(PASSWORD, name="gustav").status_code == 302
    assert sign_in(PASSWORD, address=THERE).status_code == 302


def test_a_right_password_sets_the_count_back():
    guess(4)
    assert sign_in(PASSWORD).status_code == 302

    assert guess(4) == [200] * 4


def test_the_page_says_when_and_that_is_when():
    start = timezone.now().replace(second=0, microsecond=0)
    with time_machine.travel(start, tick=False):
        guess(5)
    with time_machine.travel(start + timedelta(minutes=5), tick=False):
        page = sign_in(PASSWORD)
    assert "in 10 minutes" in page.content.decode()
    assert f"{start + timedelta(minutes=15):%Y-%m-%d %H:%M} UTC" in page.content.decode()
    assert page["Retry-After"] == "600"

    with time_machine.travel(start + timedelta(minutes=15, seconds=1), tick=False):
        assert sign_in(PASSWORD).status_code == 302


def test_trying_on_does_not_put_it_off():
    start = timezone.now()
    with time_machine.travel(start, tick=False):
        guess(5)
    with time_machine.travel(start + timedelta(minutes=14), tick=False):
        assert guess(3) == [429] * 3

    with time_machine.travel(start + timedelta(minutes=15, seconds=1), tick=False):
        assert sign_in(PASSWORD).status_code == 302


def test_tries_long_apart_do_not_add_up():
    start = timezone.now()
    with time_machine.travel(start, tick=False):
        guess(4)

    with time_machine.travel(start + timedelta(minutes=16), tick=False):
        assert guess(4) == [200] * 4


def test_what_a_request_says_of_its_own_way_is_not_believed():
    tries = [
        sign_in("wrong", HTTP_X_FORWARDED_FOR=f"198.51.100.{number}").status_code
        for number in range(5)
    ]

    assert tries[-1] == 429


def test_a_name_that_nobody_has_is_throttled_alike():
    """Or the page would say who is here."""
    assert guess(5, name="nobody") == guess(5)


@pytest.mark.parametrize("name", ["x" * 10_000, "\x00", "  ", "ﬁ" * 150])
def test_hostile_names_are_refused_and_break_nothing(name):
    assert set(guess(2, name=name, browser="x" * 2_000)) == {200}


def test_signing_out_and_in_again_leaves_no_trace_of_where_from(client):
    from axes.models import AccessAttempt, AccessLog  # noqa: PLC0415  they are asked for here only

    sign_in(PASSWORD, client=client)
    client.post(reverse("sign_out"))

    assert not AccessLog.objects.exists()
    assert not AccessAttempt.objects.exists()


def test_without_a_request_nobody_is_throttled_or_counted():
    for _ in range(6):
        assert authenticate(username="frieda", password="wrong") is None

    assert authenticate(username="frieda", password=PASSWORD) is not None
    assert sign_in(PASSWORD).status_code == 302
