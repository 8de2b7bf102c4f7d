"""Signing in and out: accounts/views/signing_in.py."""

import pytest
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest
from django.urls import reverse

from accounts.actions import users
from accounts.backends import SESSION_BACKEND
from accounts.models import User
from accounts.views import session_start
from audit.models import Event
from performance.sessions import SessionStore

PASSWORD = "long-lens-1702"


@pytest.fixture
def frieda(db) -> User:
    return users.create_user(name="frieda", password=PASSWORD)


def sign_in(client, name="frieda", password=PASSWORD, **more):
    return client.post(reverse("sign_in"), {"username": name, "password": password, **more})


def is_signed_in(client):
    return "_auth_user_id" in client.session


def test_a_name_and_its_password_sign_in(client, frieda):
    response = sign_in(client)

    assert response["Location"] == reverse("home")
    assert is_signed_in(client)


@pytest.mark.parametrize(
    ("name", "password"), [("frieda", "wrong"), ("nobody", PASSWORD), ("", "")]
)
def test_anything_else_does_not(client, frieda, name, password):
    response = sign_in(client, name, password)

    assert response.status_code == 200
    assert not is_signed_in(client)


def test_a_wrong_name_and_a_wrong_password_are_told_alike(client, frieda):
    """Or the page would say who is here."""
    said = "No user has this name and this password."

    assert said in sign_in(client, "frieda", "wrong").content.decode()
    assert said in sign_in(client, "nobody", "wrong").content.decode()


def test_who_may_not_sign_in_is_told_the_same(client, frieda):
    User.objects.update(is_active=False)

    assert "No user has this name and this password." in sign_in(client).content.decode()


def test_one_goes_on_to_where_one_wanted(client, frieda):
    assert sign_in(client, next="/account/?a=1")["Location"] == "/account/?a=1"


@pytest.mark.parametrize(
    "elsewhere",
    [
        "https://evil.example/",
        "//evil.example",
        "/\\evil.example",
        "javascript:alert(1)",
        "http:/x",
        "",
    ],
)
def test_nobody_is_sent_to_another_host(client, frieda, elsewhere):
    assert sign_in(client, next=elsewhere)["Location"] == reverse("home")

    client.force_login(frieda, backend="accounts.backends.RealPeopleBackend")
    response = client.get(reverse("sign_in"), {"next": elsewhere})
    assert response["Location"] == reverse("home")


def test_the_wish_survives_a_wrong_password(client, frieda):
    page = sign_in(client, password="wrong", next="/account/").content.decode()

    assert '<input type="hidden" name="next" value="/account/">' in page


def test_a_password_is_never_written_back(client, frieda):
    assert "not-this-one" not in sign_in(client, password="not-this-one").content.decode()


def test_signing_out_ends_the_session(client, frieda):
    sign_in(client)

    response = client.post(reverse("sign_out"))

    assert response["Location"] == reverse("sign_in")
    assert not is_signed_in(client)


def test_a_link_signs_nobody_out(client, frieda):
    sign_in(client)

    assert client.get(reverse("sign_out")).status_code == 405
    assert is_signed_in(client)


def test_where_nobody_is_yet_the_door_leads_to_the_first_steps(client, db):
    assert client.get(reverse("sign_in"))["Location"] == reverse("first_steps")


def test_another_session_key_after_signing_in(client, frieda):
    client.get(reverse("sign_in"))
    client.session.save()
    before = client.session.session_key

    sign_in(client)

    assert client.session.session_key != before


@pytest.fixture
def under_way(rf) -> HttpRequest:
    request = rf.post(reverse("sign_in"))
    request.session = SessionStore()
    return request


def test_whoever_is_deactivated_while_they_sign_in_gets_no_session(frieda, under_way):
    User.objects.filter(pk=frieda.pk).update(is_active=False)

    with pytest.raises(PermissionDenied):
        session_start.begin(under_way, frieda, backend=SESSION_BACKEND)

    assert under_way.session.is_empty()


def test_whoever_is_renamed_while_they_sign_in_is_recorded_by_the_new_name(frieda, under_way):
    User.objects.filter(pk=frieda.pk).update(username="fredericka")

    session_start.begin(under_way, frieda, backend=SESSION_BACKEND)

    assert set(Event.objects.filter(verb="signed in").values_list("target", flat=True)) == {
        "user fredericka"
    }
