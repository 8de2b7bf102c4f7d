"""One's own account, and the link to set a password: accounts/views/account.py."""

import pytest
from django.test import Client
from django.urls import reverse

from accounts.actions import members, passwords, tokens, users
from accounts.models import Role, User

PASSWORD, NEW = "long-lens-1702", "brass-lamp-1811"


@pytest.fixture
def frieda(study, alice) -> User:
    user = users.create_user(name="frieda", password=PASSWORD)
    members.add(study=study, user=user, roles=[Role.ANNOTATOR], by=alice)
    return user


def browser(name="frieda", password=PASSWORD) -> Client:
    client = Client()
    assert client.login(username=name, password=password)
    return client


def is_signed_in(client):
    return client.get(reverse("account")).status_code == 200


def change(client, old=PASSWORD, password=NEW, again=NEW):
    return client.post(reverse("account"), {"old": old, "password": password, "again": again})


def test_the_page_says_who_one_is_and_where(frieda):
    page = browser().get(reverse("account")).content.decode()

    assert "Lighthouses" in page
    assert "annotator" in page
    assert "p0002" in page


def test_a_new_password_ends_the_sessions_elsewhere_and_not_this_one(frieda):
    here, elsewhere = browser(), browser()

    change(here)

    frieda.refresh_from_db()
    assert frieda.check_password(NEW)
    assert is_signed_in(here)
    assert not is_signed_in(elsewhere)


@pytest.mark.parametrize(
    ("sent", "said"),
    [
        ({"old": "wrong"}, "This is not your present password."),
        ({"again": "brass-lamp-1812"}, "The two passwords are not the same."),
        ({"password": "short", "again": "short"}, "too short"),
        ({"password": "frieda-1", "again": "frieda-1"}, "too similar"),
        ({"password": "", "again": ""}, "required"),
    ],
)
def test_a_password_that_cannot_be_is_refused_in_words(frieda, sent, said):
    page = change(browser(), **sent)

    assert said in page.content.decode()
    frieda.refresh_from_db()
    assert frieda.check_password(PASSWORD)


def test_signing_out_everywhere_ends_every_session(frieda):
    here, elsewhere = browser(), browser()

    response = here.post(reverse("sign_out_everywhere"))

    assert response["Location"] == reverse("sign_in")
    assert not is_signed_in(here)
    assert not is_signed_in(elsewhere)
    assert is_signed_in(browser())


def test_signing_out_everywhere_touches_nobody_else(frieda):
    users.create_user(name="gustav", password=PASSWORD)
    other = browser("gustav")

    browser().post(reverse("sign_out_everywhere"))

    assert is_signed_in(other)


# The link


def follow(client, token, password=NEW, again=NEW):
    href = reverse("password_link", kwargs={"token": token})
    return client.post(href, {"password": password, "again": again})


def test_a_link_sets_the_password_and_signs_in(frieda, client):
    response = follow(client, passwords.link_token(frieda, by_administrator=True))

    assert response["Location"] == reverse("home")
    assert is_signed_in(client)
    assert is_signed_in(browser(password=NEW))


def test_looking_at_a_link_does_not_use_it_up(frieda, client):
    token = passwords.link_token(frieda, by_administrator=True)
    href = reverse("password_link", kwargs={"token": token})

    assert "frieda" in client.get(href).content.decode()

    assert follow(client, token).status_code == 302


def test_a_link_that_was_used_says_so(frieda, client):
    token = passwords.link_token(frieda, by_administrator=True)
    follow(client, token)

    for response in (
        follow(Client(), token, "other-lamp-1811", "other-lamp-1811"),
        Client().get(reverse("password_link", kwargs={"token": token})),
    ):
        assert response.status_code == 410
        assert "This link does not work any more" in response.content.decode()
    frieda.refresh_from_db()
    assert frieda.check_password(NEW)


def test_a_link_ends_the_sessions_of_the_person(frieda, client):
    elsewhere = browser()
    frieda.refresh_from_db()  # the link is for the person as they are after that
    follow(client, passwords.link_token(frieda, by_administrator=True))

    assert not is_signed_in(elsewhere)


def test_a_bad_password_does_not_use_the_link_up(frieda, client):
    token = passwords.link_token(frieda, by_administrator=True)

    assert "too similar" in follow(client, token, "frieda-1", "frieda-1").content.decode()

    assert follow(client, token).status_code == 302


def test_who_opens_a_link_as_somebody_else_is_told_and_changes_over(frieda):
    users.create_user(name="gustav", password=PASSWORD)
    client, token = browser("gustav"), passwords.link_token(frieda, by_administrator=True)

    page = client.get(reverse("password_link", kwargs={"token": token})).content.decode()
    assert "You are signed in as gustav." in page

    follow(client, token)
    assert client.session["_auth_user_id"] == str(frieda.pk)


@pytest.mark.parametrize("token", ["x", "1-a-b", "9" * 300, "<script>"])
def test_nonsense_is_no_link(client, alice, token):
    href = reverse("password_link", kwargs={"token": token})

    assert client.get(href).status_code == 410


@pytest.fixture
def gwen(study, alice) -> User:
    """An adjudicator with two API tokens."""
    user = users.create_user(name="gwen", password=PASSWORD)
    members.add(study=study, user=user, roles=[Role.ADJUDICATOR], by=alice)
    for name in ("notebook", "nightly"):
        tokens.make(name=name, days=9, by=user)
    return user


def set_by_link(client, **sent):
    link = passwords.link_token(User.objects.get(username="gwen"), by_administrator=True)
    return client.post(
        reverse("password_link", args=[link]), {"password": NEW, "again": NEW} | sent
    )


WAYS_OUT = {
    "sign out everywhere": lambda client, **sent: client.post(reverse("sign_out_everywhere"), sent),
    "new password": lambda client, **sent: client.post(
        reverse("account"), {"old": PASSWORD, "password": NEW, "again": NEW} | sent
    ),
    "password link": set_by_link,
}


@pytest.mark.parametrize("way", WAYS_OUT)
def test_who_shuts_everybody_out_may_shut_out_programs_too(gwen, way):
    response = WAYS_OUT[way](browser("gwen"), revoke_tokens="on")

    assert response.status_code == 302
    assert tokens.n_valid(gwen) == 0


@pytest.mark.parametrize("way", WAYS_OUT)
def test_programs_go_on_where_that_is_not_chosen(gwen, way):
    response = WAYS_OUT[way](browser("gwen"))

    assert response.status_code == 302
    assert tokens.n_valid(gwen) == 2


def test_the_account_asks_for_both_forms_whether_tokens_end_too(gwen):
    page = browser("gwen").get(reverse("account")).content.decode()

    assert page.count("Revoke the 2 API tokens too") == 2
    assert page.count('id="id_revoke_tokens"') == page.count('id="everywhere_revoke_tokens"') == 1


def test_who_has_no_token_is_asked_nothing_of_them(frieda):
    assert "revoke_tokens" not in browser().get(reverse("account")).content.decode()
