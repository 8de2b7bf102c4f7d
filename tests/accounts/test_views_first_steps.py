"""An installation in which nobody is yet: accounts/views/first_steps.py."""

import pytest
from django.urls import reverse

from accounts.actions import first_steps
from accounts.models import User
from tests.jobs.clients import client_of

ERIN = {"name": "erin", "password": "brass-lamp-1811", "again": "brass-lamp-1811"}


def href(token=""):
    return reverse("first_steps") + (f"?token={token}" if token else "")


def test_the_door_leads_here_as_long_as_nobody_is_there(client, db):
    assert client.get("/", follow=True).redirect_chain[-1][0] == href()


def test_without_the_link_the_page_says_where_it_is_and_asks_for_nothing(client, db):
    said = client.get(href()).content.decode()

    assert "it printed a link for you" in said
    assert "create_user NAME --administrator --password-stdin" in said
    assert 'password"' not in said


@pytest.mark.parametrize("token", ["guess", "<script>alert(1)</script>", "%00", "ą"])
def test_with_another_link_it_says_so_and_makes_nobody(client, db, token):
    for response in (client.get(href(token)), client.post(href(token), ERIN)):
        assert "The link that brought you here" in response.content.decode()
    assert not User.objects.exists()


def test_the_link_makes_the_administrator_and_signs_them_in(client, db):
    link = href(first_steps.link_token())
    assert "The first administrator" in client.get(link).content.decode()

    response = client.post(link, ERIN, follow=True)

    erin = User.objects.get()
    assert (erin.username, erin.is_superuser) == ("erin", True)
    assert client.session["_auth_user_id"] == str(erin.pk)
    assert "New study" in response.content.decode()


def test_the_link_works_once(client, db):
    link = href(first_steps.link_token())
    client.post(link, ERIN)

    for other in (client_of().get(link), client_of().post(link, ERIN | {"name": "eve"})):
        assert other["Location"] == reverse("home")
    assert User.objects.count() == 1


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"name": "a b"}, "Use these characters only, and no spaces."),
        ({"name": ""}, "required"),
        ({"again": "other"}, "not the same"),
        ({"password": "password", "again": "password"}, "too common"),
    ],
)
def test_what_cannot_be_is_refused_in_words(client, db, wrong, said):
    page = client.post(href(first_steps.link_token()), ERIN | wrong)

    assert said in page.content.decode()
    assert not User.objects.exists()
