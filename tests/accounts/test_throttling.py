"""Guessing at passwords: after five wrong ones a name has to wait, at the address they came from.

After more of them over many names, or over many addresses, the address or the name has to wait.
"""

from datetime import timedelta

import pytest
import time_machine
from axes.models import AccessAttempt, AccessLog
from django.contrib.auth import authenticate
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts import known_browsers
from accounts.actions import users
from accounts.addresses import network
from accounts.models import User
from tests.jobs.clients import client_of

PASSWORD, NEW = "long-lens-1702", "brass-lamp-1811"
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


def try_on_the_account_page(client, old, address=HERE):
    fields = {"old": old, "password": NEW, "again": NEW}
    return client.post(reverse("account"), fields, REMOTE_ADDR=address).status_code


def try_on_the_page_of_the_second_factor(client, password, address=HERE):
    fields = {"code": "123456", "password": password}
    return client.post(reverse("second_factor"), fields, REMOTE_ADDR=address).status_code


IN_A_SESSION = pytest.mark.parametrize(
    "attempt", [try_on_the_account_page, try_on_the_page_of_the_second_factor]
)


@IN_A_SESSION
def test_guesses_inside_a_session_count_as_at_the_sign_in(attempt):
    frieda = User.objects.get(username="frieda")
    client = client_of(frieda)

    assert [attempt(client, f"wrong {n}") for n in range(5)] == [200, 200, 200, 200, 429]

    assert attempt(client, PASSWORD) == 429
    assert sign_in(PASSWORD).status_code == 429
    frieda.refresh_from_db()
    assert frieda.check_password(PASSWORD)


@IN_A_SESSION
def test_guesses_inside_a_session_from_many_addresses_count_together(attempt):
    client = client_of(User.objects.get(username="frieda"))

    replies = [attempt(client, f"wrong {n}", address=f"198.51.100.{n}") for n in range(20)]

    assert replies == [200] * 19 + [429]


def test_the_right_password_inside_a_session_sets_the_count_back():
    client = client_of(User.objects.get(username="frieda"))
    guess(4)

    assert try_on_the_account_page(client, PASSWORD) == 302

    assert guess(4) == [200] * 4


@IN_A_SESSION
def test_what_was_typed_inside_a_session_is_not_kept(attempt):
    attempt(client_of(User.objects.get(username="frieda")), "a slip of the brass key")

    kept = str([*AccessAttempt.objects.values()])
    assert "/account" in kept
    assert not any(typed in kept for typed in ("slip", NEW, "123456"))


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
    sign_in(PASSWORD, client=client)
    client.post(reverse("sign_out"))

    assert not AccessLog.objects.exists()
    assert not AccessAttempt.objects.exists()


def test_without_a_request_nobody_is_throttled_or_counted():
    for _ in range(6):
        assert authenticate(username="frieda", password="wrong") is None

    assert authenticate(username="frieda", password=PASSWORD) is not None
    assert sign_in(PASSWORD).status_code == 302


def addresses(n):
    return [f"198.51.{number // 250}.{number % 250 + 1}" for number in range(n)]


def test_many_names_from_one_address_shut_it_for_every_name(settings):
    settings.SIGN_IN_FAILURES_OF_ADDRESS = 10
    tries = [sign_in("Summer2026!", name=f"person{n}").status_code for n in range(10)]

    assert tries == [200] * 9 + [429]
    page = sign_in(PASSWORD)
    assert page.status_code == 429
    assert "Too many sign-ins have failed at your address" in page.content.decode()
    assert sign_in(PASSWORD, address=THERE).status_code == 302


def test_a_classroom_behind_one_address_signs_in_though_everybody_mistypes_twice(settings):
    # Enough for their slips together to shut the address, were they not forgiven with each sign-in.
    for n in range(settings.SIGN_IN_FAILURES_OF_ADDRESS // 2 + 5):
        users.create_user(name=f"pupil{n}", password=PASSWORD)
        assert sign_in("first slip", name=f"pupil{n}").status_code == 200
        assert sign_in("second slip", name=f"pupil{n}").status_code == 200
        assert sign_in(PASSWORD, name=f"pupil{n}").status_code == 302


@pytest.mark.parametrize("name", ["frieda", "nobody"])
def test_a_name_that_is_tried_from_many_addresses_waits_at_every_new_one(settings, name):
    settings.SIGN_IN_FAILURES_OF_NAME = 8
    tries = [sign_in("wrong", name=name, address=each).status_code for each in addresses(8)]

    assert tries == [200] * 7 + [429]
    page = sign_in(PASSWORD, name=name, address=HERE)
    assert page.status_code == 429
    assert "This user name was tried too often" in page.content.decode()
    assert sign_in(PASSWORD, name="gustav", address=HERE).status_code == 302


def test_who_has_signed_in_with_a_browser_is_not_shut_out_of_it_by_others(settings):
    settings.SIGN_IN_FAILURES_OF_NAME = settings.SIGN_IN_FAILURES_OF_ADDRESS = 8
    mine, another = Client(), Client()
    sign_in(PASSWORD, client=mine)
    mine.post(reverse("sign_out"))
    sign_in(PASSWORD, name="gustav", client=another)
    another.post(reverse("sign_out"))
    for address in addresses(8):
        sign_in("wrong", address=address)
    for n in range(8):
        sign_in("wrong", name=f"person{n}")

    assert sign_in(PASSWORD, client=another).status_code == 429  # it knows another name only
    assert sign_in("slip", client=mine).status_code == 200
    assert sign_in(PASSWORD, client=mine).status_code == 302


def test_a_known_browser_has_five_tries_as_any_other():
    mine = Client()
    sign_in(PASSWORD, client=mine)
    mine.post(reverse("sign_out"))

    assert guess(5, client=mine) == [200, 200, 200, 200, 429]


def test_a_browser_knows_several_people_and_forgers_none():
    shared = Client()
    for name in ("frieda", "gustav"):
        sign_in(PASSWORD, name=name, client=shared)
        shared.post(reverse("sign_out"))
    cookie = shared.cookies[known_browsers.COOKIE]

    assert known_browsers.names(cookie.value, ["frieda", "gustav", "anna"]) == {"frieda", "gustav"}
    assert known_browsers.names("frieda.gustav", ["frieda", "gustav"]) == set()
    # Every page that signs somebody in adds to it, the invitation and the password link too.
    assert cookie["path"] == "/"
    assert cookie["httponly"]


@pytest.mark.parametrize(
    ("address", "counted"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:aaaa::7", "2001:db8:1:2::"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("fe80::1%eth0", "fe80::"),
        ("", None),
        ("unix:", None),
    ],
)
def test_what_one_subscriber_has_is_counted_as_one_address(address, counted):
    assert network(address) == counted


def test_a_subscriber_of_ipv6_has_five_tries_and_not_more_from_another_of_their_addresses():
    tries = [sign_in("wrong", address=f"2001:db8:1:2::{n}").status_code for n in range(1, 6)]

    assert tries[-1] == 429
    assert sign_in(PASSWORD, address="2001:db8:1:3::1").status_code == 302
