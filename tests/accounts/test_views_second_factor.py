"""Signing in with a second factor, and its pages: accounts/views/second_step.py and second_factor.py."""

import re
from datetime import UTC, datetime, timedelta

import pytest
import time_machine
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pyotp import TOTP

from accounts.actions import passwords, users
from accounts.models import SecondFactor, User
from accounts.permissions import has_second_factor
from tests.accounts.phones import STEP, Phone
from tests.accounts.test_views_signing_in import is_signed_in, sign_in
from tests.factories import UserFactory
from tests.jobs.clients import client_of

PASSWORD = "long-lens-1702"
NOW = datetime(2026, 3, 2, 9, 0, 10, tzinfo=UTC)
HERE = reverse("second_factor")


@pytest.fixture(autouse=True)
def clock():
    with time_machine.travel(NOW, tick=False) as clock:
        yield clock


@pytest.fixture
def frieda(db) -> User:
    return users.create_user(name="frieda", password=PASSWORD)


@pytest.fixture
def phone(frieda) -> Phone:
    return Phone(frieda)


def enter(client, code, **more):
    return client.post(reverse("sign_in_code"), {"code": code, **more})


def said(response) -> str:
    return response.content.decode()


# Signing in


def test_the_password_alone_signs_nobody_in_who_has_a_second_factor(client, phone):
    response = sign_in(client)

    assert response["Location"] == reverse("sign_in_code") + "?next=%2F"
    assert not is_signed_in(client)
    assert reverse("sign_in") in client.get(reverse("account"))["Location"]


@pytest.mark.parametrize("kind", ["app", "recovery"])
def test_a_code_signs_in_and_leads_to_where_one_wanted(client, phone, kind):
    asked = sign_in(client, next="/account/?a=1")["Location"]
    page = client.get(asked)
    code = phone.code() if kind == "app" else phone.recovery_codes[0]

    response = enter(client, code, next="/account/?a=1")

    assert '<input type="hidden" name="next" value="/account/?a=1">' in said(page)
    assert response["Location"] == "/account/?a=1"
    assert is_signed_in(client)
    left = "you have 9 recovery codes left"
    assert (left in said(client.get(reverse("account")))) is (kind == "recovery")


def test_a_wrong_code_does_not(client, phone):
    sign_in(client)

    response = enter(client, phone.wrong_code())

    assert "This code is wrong, or was used already." in said(response)
    assert not is_signed_in(client)


def test_a_code_without_the_password_is_not_even_looked_at(client, phone):
    response = enter(client, phone.code())

    assert response["Location"].startswith(reverse("sign_in"))
    assert not is_signed_in(client)
    assert SecondFactor.objects.get().n_wrong == 0


@pytest.mark.parametrize("elsewhere", ["https://evil.example/", "//evil.example", "javascript:x"])
def test_nobody_is_sent_to_another_host(client, phone, elsewhere):
    sign_in(client, next=elsewhere)

    assert enter(client, phone.code(), next=elsewhere)["Location"] == reverse("home")


def test_the_first_step_is_over_after_five_minutes(client, phone, clock):
    sign_in(client)
    clock.shift(timedelta(minutes=5, seconds=1))

    assert enter(client, phone.code())["Location"].startswith(reverse("sign_in"))
    assert not is_signed_in(client)


def test_the_first_step_is_over_once_the_password_changes_or_the_user_may_not_sign_in(
    frieda, phone
):
    changed, deactivated = Client(), Client()
    for client in (changed, deactivated):
        sign_in(client)

    frieda.refresh_from_db()
    passwords.change(password="another-1703", by=frieda)
    assert enter(changed, phone.code())["Location"].startswith(reverse("sign_in"))
    sign_in(deactivated, password="another-1703")
    User.objects.update(is_active=False)
    assert enter(deactivated, phone.code())["Location"].startswith(reverse("sign_in"))


def test_each_step_has_a_session_key_of_its_own(client, phone):
    client.get(reverse("sign_in"))
    client.session.save()
    keys = [client.session.session_key]
    sign_in(client)
    keys.append(client.session.session_key)
    enter(client, phone.code())
    keys.append(client.session.session_key)

    assert len(set(keys)) == 3
    assert "password_was_right" not in client.session


def test_too_many_wrong_codes_lock_wherever_they_come_from(phone):
    for number in range(5):
        client = Client(REMOTE_ADDR=f"192.0.2.{number}")
        sign_in(client)
        locked = enter(client, phone.wrong_code())

    assert locked.status_code == 429
    assert locked["Retry-After"] == "900"
    assert "in 15 minutes" in said(locked)
    client = Client(REMOTE_ADDR="198.51.100.1")
    sign_in(client)
    assert enter(client, phone.code()).status_code == 429
    assert not is_signed_in(client)


def test_who_comes_in_after_that_is_told_that_somebody_knows_the_password(client, phone, clock):
    for _ in range(5):
        sign_in(client)
        enter(client, phone.wrong_code())
    clock.shift(timedelta(minutes=15))
    sign_in(client)
    enter(client, phone.code())

    assert "Too many wrong codes were entered for you." in said(client.get(reverse("account")))


def test_wrong_passwords_count_until_the_code_was_right(client, phone, settings):
    """Or whoever knows the password set the count back as often as they like."""
    settings.AXES_ENABLED = True
    for number in range(4):
        sign_in(client, password=f"wrong {number}")
    sign_in(client)

    assert sign_in(client, password="wrong").status_code == 429


def test_a_factor_that_was_removed_meanwhile_is_not_asked_for(client, frieda, phone):
    sign_in(client)
    SecondFactor.objects.all().delete()

    assert enter(client, "123456")["Location"] == reverse("sign_in")
    sign_in(client)
    assert is_signed_in(client)


def test_a_password_link_does_not_get_past_it(client, frieda, phone):
    frieda.refresh_from_db()  # the second factor ended her sessions, and links with them
    token = passwords.link_token(frieda, by_administrator=True)
    fields = {"password": "another-1703", "again": "another-1703"}

    response = client.post(reverse("password_link", args=[token]), fields, follow=True)

    assert response.redirect_chain == [(reverse("sign_in_code"), 302)]
    assert "Your password is set." in said(response)
    assert not is_signed_in(client)
    enter(client, phone.code())
    assert is_signed_in(client)


def test_a_password_link_signs_out_who_was_signed_in_before(frieda, phone):
    client = client_of(UserFactory(username="gustav"))
    frieda.refresh_from_db()  # the second factor ended her sessions, and links with them
    token = passwords.link_token(frieda, by_administrator=True)
    fields = {"password": "another-1703", "again": "another-1703"}

    client.post(reverse("password_link", args=[token]), fields)

    assert not is_signed_in(client)


def test_who_has_none_signs_in_as_ever(client, frieda):
    assert sign_in(client)["Location"] == reverse("home")
    assert is_signed_in(client)


# Setting up


def app_of(page) -> TOTP:
    key = re.search(r'id="key"[^>]* value="([A-Z2-7]{32})"', said(page))
    assert key
    return TOTP(key[1])


def send(client, page, *, code=None, password=PASSWORD, **more):
    """Send the form of the page, with the first code of its key unless another is named."""
    salt = re.search(r'name="signed_salt" value="([^"]+)"', said(page))
    assert salt
    code = app_of(page).at(timezone.now()) if code is None else code
    fields = {"code": code, "password": password, "signed_salt": salt[1]}
    return client.post(HERE, fields | more)


def test_it_is_set_up_by_password_and_first_code_and_its_codes_are_shown_once(frieda):
    client, elsewhere = client_of(frieda), client_of(frieda)

    page = send(client, client.get(HERE))

    codes = re.findall(r"\b\d{4}-\d{4}-\d{4}-\d{4}\b", said(page))
    assert len(set(codes)) == 10
    assert has_second_factor(frieda)
    assert codes[0] not in said(client.get(HERE))
    assert "no-store" in page["Cache-Control"]
    assert reverse("sign_in") in elsewhere.get(HERE)["Location"]


def test_the_page_keeps_its_key_until_it_is_used_and_shows_it_as_a_picture(frieda):
    client = client_of(frieda)
    first = client.get(HERE)

    again = send(client, first, code="000000")

    assert app_of(first).secret == app_of(again).secret
    assert "This is not the code of the key on this page." in said(again)
    assert 'aria-label="QR code' in said(again)
    assert app_of(first).secret != app_of(client.get(HERE)).secret


@pytest.mark.parametrize("whose", ["somebody else's", "an hour old", "made up"])
def test_another_form_s_key_is_replaced(frieda, clock, whose):
    client, other = client_of(frieda), client_of(UserFactory(username="gustav"))
    page = other.get(HERE) if whose == "somebody else's" else client.get(HERE)
    code = app_of(page).at(NOW)
    if whose == "an hour old":
        clock.shift(timedelta(hours=1, seconds=1))
        code = app_of(page).at(timezone.now())

    more = {"signed_salt": "x:y:z"} if whose == "made up" else {}
    again = send(client, page, code=code, **more)

    assert "This is not the code of the key on this page." in said(again)
    assert app_of(again).secret != app_of(page).secret
    assert not has_second_factor(frieda)


def test_neither_the_key_nor_a_recovery_code_is_in_the_session(frieda):
    client = client_of(frieda)
    first = client.get(HERE)

    codes = re.findall(r"\b\d{4}-\d{4}-\d{4}-\d{4}\b", said(send(client, first)))

    session = str(dict(client.session))
    assert codes
    assert not any(secret in session for secret in (app_of(first).secret, *codes))


@pytest.mark.parametrize("password", ["wrong", ""])
def test_it_takes_the_password(frieda, password):
    client = client_of(frieda)

    send(client, client.get(HERE), password=password)

    assert not has_second_factor(frieda)


def test_after_the_codes_one_goes_on_to_where_one_wanted(frieda):
    client = client_of(frieda)
    page = client.get(HERE, {"next": "/work/"})
    assert '<input type="hidden" name="next" value="/work/">' in said(page)

    assert 'href="/work/">I have saved them' in said(send(client, page, next="/work/"))


# Afterwards


def test_the_account_says_whether_it_is_on(frieda):
    account = reverse("account")
    assert "Set up a second factor" in said(client_of(frieda).get(account))

    phone = Phone(frieda)

    assert "Your second factor" in said(client_of(User.objects.get()).get(account))
    assert phone.recovery_codes


def test_new_recovery_codes_take_a_code(frieda, phone):
    client, href = client_of(User.objects.get()), reverse("recovery_codes")

    assert "This code is wrong" in said(client.post(href, {"code": phone.wrong_code()}))
    page = client.post(href, {"code": phone.code()})

    codes = re.findall(r"\b\d{4}-\d{4}-\d{4}-\d{4}\b", said(page))
    assert len(set(codes)) == 10
    assert not set(codes) & set(phone.recovery_codes)


def test_turning_it_off_takes_a_code_and_says_which_studies_require_it(study, alice):
    phone = Phone(alice)
    study.requires_second_factor = True
    study.save()
    client, href = client_of(User.objects.get(pk=alice.pk)), reverse("second_factor_off")

    assert "Lighthouses requires a second factor" in said(client.get(href))
    assert "This code is wrong" in said(client.post(href, {"code": phone.wrong_code()}))
    assert has_second_factor(alice)
    page = client.post(href, {"code": phone.code()}, follow=True)
    assert "Your second factor is turned off" in said(page)
    assert not has_second_factor(alice)


@pytest.mark.parametrize("name", ["recovery_codes", "second_factor_off"])
def test_guesses_at_these_pages_are_locked_too(frieda, phone, name):
    client = client_of(User.objects.get())

    replies = [client.post(reverse(name), {"code": phone.wrong_code()}) for _ in range(5)]

    assert [reply.status_code for reply in replies] == [200] * 4 + [429]
    assert client.post(reverse(name), {"code": phone.code()}).status_code == 429


@pytest.mark.parametrize("name", ["recovery_codes", "second_factor_off"])
def test_these_pages_lead_to_the_set_up_who_has_none(frieda, name):
    client = client_of(frieda)

    assert client.get(reverse(name))["Location"] == HERE
    assert client.post(reverse(name), {"code": "123456"})["Location"] == HERE


def test_few_recovery_codes_are_warned_of(frieda, phone, clock):
    client = client_of(User.objects.get())
    assert "Make new recovery codes" not in said(client.get(HERE))

    for code in phone.recovery_codes[:8]:
        clock.shift(STEP)
        sign_in(client := Client())
        enter(client, code)

    assert "Make new recovery codes" in said(client.get(HERE))


# Administrators


def test_an_administrator_removes_it_once_asked(frieda, phone):
    root = client_of(UserFactory(username="root", is_superuser=True))
    href = reverse("user_second_factor", args=[frieda.pk])

    assert href in said(root.get(reverse("house")))
    assert "Be sure that it is frieda who asks" in said(root.get(href))
    assert has_second_factor(frieda)
    page = root.post(href, follow=True)

    assert "frieda has no second factor any more." in said(page)
    assert href not in said(page)
    assert root.get(href).status_code == 404
    assert "removed the second factor of user frieda" in said(root.get(reverse("house_history")))


def test_an_administrator_s_own_takes_a_code(db):
    root = UserFactory(username="root", is_superuser=True)
    Phone(root)
    root.refresh_from_db()
    client, href = client_of(root), reverse("user_second_factor", args=[root.pk])

    assert href not in said(client.get(reverse("house")))
    assert "with a code" in said(client.post(href, follow=True))
    assert has_second_factor(root)
