"""Sign-ins, passwords, tokens and sign-outs are events: for administrators, and for the person."""

from datetime import timedelta

import pytest
import time_machine
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts import tasks
from accounts.actions import members, passwords, tokens, users
from accounts.models import Role
from audit.models import Event
from exports.personal_data import actions
from tests.factories import UserFactory
from tests.jobs.clients import client_of
from tests.markup import one_line

PASSWORD = "long-lens-1702"
HERE = "192.0.2.77"


@pytest.fixture
def frieda(study, alice):
    person = users.create_user(name="frieda", password=PASSWORD)
    members.add(study=study, user=person, roles=[Role.ADJUDICATOR], by=alice)
    return person


@pytest.fixture
def signed_in(frieda):
    client = Client()
    sign_in(client)
    return client


def sign_in(client, name="frieda", password=PASSWORD, address=HERE):
    form = {"username": name, "password": password}
    return client.post(
        reverse("sign_in"), form, REMOTE_ADDR=address, headers={"user-agent": "Lynx"}
    )


def recorded(verb):
    return [(event.actor, event.target, event.details) for event in Event.objects.filter(verb=verb)]


def test_a_sign_in_is_one_event_with_the_network_and_without_the_browser(signed_in):
    assert recorded("signed in") == [("frieda", "user frieda", {"address": "192.0.2.0/24"})]
    assert "Lynx" not in str(list(Event.objects.values()))


def test_of_ipv6_the_first_48_bits_are_kept(frieda):
    sign_in(Client(), address="2001:db8:1:2::7")

    assert recorded("signed in")[0][2] == {"address": "2001:db8:1::/48"}


def test_who_sets_a_password_by_a_link_signs_in(frieda):
    token = passwords.link_token(frieda, by_administrator=True)
    form = {"password": "dark-stone-88", "again": "dark-stone-88"}
    Client().post(reverse("password_link", args=[token]), form)

    assert len(recorded("signed in")) == 1
    assert recorded("set a password by a link") == [("frieda", "user frieda", {})]


def test_a_wrong_password_is_an_event_of_the_person_by_nobody_known(frieda, settings):
    settings.AXES_ENABLED = True
    sign_in(Client(), password="wrong")

    assert recorded("failed to sign in as") == [("", "user frieda", {"address": "192.0.2.0/24"})]


def test_a_name_that_nobody_has_is_not_kept_for_it_may_be_a_password(frieda, settings):
    settings.AXES_ENABLED = True
    sign_in(Client(), name="my-secret-88", password="x")

    assert recorded("failed to sign in") == [("", "", {"address": "192.0.2.0/24"})]
    assert "my-secret" not in str(list(Event.objects.values()))


def test_who_has_to_wait_makes_no_more_events(frieda, settings):
    settings.AXES_ENABLED = True
    for _ in range(9):
        sign_in(Client(), password="wrong")

    assert len(recorded("failed to sign in as")) == 5


def test_signing_out_here_and_everywhere_are_events(signed_in, frieda):
    tokens.make(name="nightly", days=1, by=frieda)
    signed_in.post(reverse("sign_out"))
    signed_in.post(reverse("sign_out"))
    sign_in(signed_in)
    signed_in.post(reverse("sign_out_everywhere"), {"revoke_tokens": "on"})

    assert recorded("signed out") == [("frieda", "user frieda", {})]
    everywhere = [("frieda", "user frieda", {"n_tokens_revoked": 1})]
    assert recorded("signed out everywhere") == everywhere


def test_a_new_password_is_an_event_and_no_password_is_in_one(frieda):
    passwords.change(password="dark-stone-88", by=frieda)

    assert recorded("changed the password") == [("frieda", "user frieda", {})]
    assert "dark-stone" not in str(list(Event.objects.values()))


def test_a_token_is_made_used_for_the_first_time_and_revoked_in_an_event_each(frieda):
    token, text = tokens.make(name="nightly", days=9, by=frieda)
    start = timezone.now()
    for day in range(3):
        with time_machine.travel(start + timedelta(days=day), tick=False):
            tokens.valid_token(text)
            tokens.valid_token(text)
    tokens.revoke(token=token, by=frieda)
    tokens.revoke(token=token, by=frieda)

    nightly = [("frieda", "apitoken nightly", {})]
    assert [recorded(verb) for verb in ("made", "used", "revoked")] == [nightly] * 3
    assert text not in str(list(Event.objects.values()))


def test_who_is_shut_out_by_an_administrator_did_not_sign_out(frieda):
    users.deactivate(user=frieda, by=UserFactory(username="root", is_superuser=True))

    assert not recorded("signed out everywhere")


def test_administrators_see_access_and_roles_of_all_studies_and_can_narrow_them(
    signed_in, frieda, study, alice
):
    tokens.make(name="nightly", days=9, by=frieda)
    members.add_member(study=study, user=frieda, roles=[Role.ANNOTATOR], by=alice)
    root = client_of(UserFactory(username="root", is_superuser=True))

    def history(**query):
        return one_line(root.get(reverse("house_history"), query).content.decode())

    for part in ("signed in", "From 192.0.2.0/24", "made API token nightly", study.slug):
        assert part in history()
    assert "gave a role to user frieda" in history(kind="roles")
    assert "made API token" not in history(kind="roles")
    assert "From 192.0.2.0/24" in history(kind="sign-ins")
    assert "made API token" not in history(kind="sign-ins")
    assert "From 192.0.2.0/24" not in history(kind="users")


def test_a_person_sees_their_own_sign_ins_and_nobody_else_s(signed_in, settings):
    settings.AXES_ENABLED = True
    users.create_user(name="gustav", password=PASSWORD)
    sign_in(Client(), name="gustav", address="198.51.100.7")
    sign_in(Client(), password="wrong", address="203.0.113.7")

    page = one_line(signed_in.get(reverse("account")).content.decode())

    assert "192.0.2.0/24" in page
    assert "203.0.113.0/24" in page
    assert "a wrong password" in page
    assert "198.51.100" not in page


def test_sign_ins_are_removed_after_their_time_and_all_else_stays(signed_in, frieda, settings):
    tokens.make(name="nightly", days=9, by=frieda)
    later = timezone.now() + timedelta(days=settings.SIGN_IN_DAYS)
    with time_machine.travel(later - timedelta(hours=1), tick=False):
        tasks.clear_expired()
        assert Event.objects.filter(verb="signed in").exists()
    with time_machine.travel(later + timedelta(hours=1), tick=False):
        tasks.clear_expired()

    kept = set(Event.objects.values_list("verb", flat=True))
    assert "signed in" not in kept
    assert {"created", "made"} <= kept


def test_an_event_that_cannot_be_stored_leaves_nobody_signed_in(frieda, monkeypatch):
    def fail(**_):
        raise RuntimeError("no space")

    monkeypatch.setattr("accounts.actions.sign_ins.record", fail)
    client = Client(raise_request_exception=False)

    assert sign_in(client).status_code == 500
    assert client.get(reverse("account")).status_code == 302


def test_of_a_person_who_was_erased_no_sign_in_is_kept(signed_in, frieda):
    actions.erase(user=frieda, by=UserFactory(username="root", is_superuser=True))

    assert not recorded("signed in")
    assert "192.0.2" not in str(list(Event.objects.values()))
