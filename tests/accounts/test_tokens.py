"""Tokens of the API: accounts/actions/tokens.py and their pages."""

from datetime import timedelta

import pytest
import time_machine
from django.contrib.sessions.models import Session
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.actions import tokens
from accounts.actions.tokens import TokenError
from accounts.models import ApiToken
from accounts.permissions import NotAllowedError
from audit.models import Event
from tests.accounts.phones import Phone


def create_token(user, name="notebook", days=90) -> tuple[ApiToken, str]:
    return tokens.make(name=name, days=days, by=user)


def browser(user) -> Client:
    client = Client()
    client.force_login(user, backend="accounts.backends.RealPeopleBackend")
    return client


def test_a_token_is_kept_as_its_hash_alone(study, alice):
    row, token = create_token(alice)

    assert len(token) > 43  # 32 bytes in base64
    assert row.sha256 == tokens.sha256(token)
    assert token not in str([*ApiToken.objects.values_list()])
    assert tokens.valid_token(token) == row


def test_no_two_tokens_are_alike(study, alice):
    assert create_token(alice)[1] != create_token(alice, "another")[1]


@pytest.mark.parametrize("given", ["", "x", "touchstone_", "\0", "é" * 300])
def test_what_is_no_token_is_nobodys(study, given):
    assert tokens.valid_token(given) is None


def test_a_token_ends_on_its_day(study, alice):
    _, token = create_token(alice, days=2)

    with time_machine.travel(timezone.now() + timedelta(days=1, hours=23)):
        assert tokens.valid_token(token) is not None
    with time_machine.travel(timezone.now() + timedelta(days=2, seconds=1)):
        assert tokens.valid_token(token) is None


def test_a_revoked_token_works_no_more_and_stays_listed(study, alice):
    row, token = create_token(alice)

    tokens.revoke(token=row, by=alice)

    row.refresh_from_db()
    assert tokens.valid_token(token) is None
    assert row.revoked_at is not None


def test_revoking_twice_keeps_the_first_time(study, alice):
    row, _ = create_token(alice)
    tokens.revoke(token=row, by=alice)
    row.refresh_from_db()
    first = row.revoked_at

    tokens.revoke(token=row, by=alice)

    row.refresh_from_db()
    assert row.revoked_at == first


def test_nobody_revokes_anothers(study, alice, carol):
    row, token = create_token(alice)

    tokens.revoke(token=row, by=carol)

    assert tokens.valid_token(token) is not None


def test_a_name_is_one_tokens_until_it_is_revoked(study, alice):
    row, _ = create_token(alice)

    with pytest.raises(TokenError, match="you have a token notebook already"):
        create_token(alice)
    tokens.revoke(token=row, by=alice)
    create_token(alice)


@pytest.mark.parametrize("change", [{"is_active": False}, {"is_simulated": True}])
def test_who_cannot_sign_in_has_no_token_either(study, alice, change):
    _, token = create_token(alice)
    type(alice).objects.filter(pk=alice.pk).update(password="!", **change)

    assert tokens.valid_token(token) is None


def test_the_day_of_its_last_use_is_written_once_a_day(study, alice, django_assert_num_queries):
    _, token = create_token(alice)

    tokens.valid_token(token)  # the first time, which is an event

    with time_machine.travel(timezone.now() + timedelta(days=1), tick=False):
        with django_assert_num_queries(2):
            tokens.valid_token(token)
        with django_assert_num_queries(1):
            tokens.valid_token(token)

        assert ApiToken.objects.get().last_used_on == timezone.now().date()


def test_annotators_and_outsiders_make_none(study, bob, mallory):
    for person in (bob, mallory):
        with pytest.raises(NotAllowedError, match=f"^{person.username} is not "):
            create_token(person)


def test_the_page_tells_a_token_once_and_no_session_or_event_keeps_it(study, alice):
    client = browser(alice)

    page = client.post(reverse("token_new"), {"name": "notebook", "days": 7})

    token = page.context["token"]
    assert token in page.text
    assert tokens.valid_token(token) is not None
    assert "no-store" in page.headers["Cache-Control"]
    assert all(token not in str(each.get_decoded()) for each in Session.objects.all())
    assert token not in str([*Event.objects.values_list()])
    again = client.get(reverse("token_new")).text
    assert token not in again
    assert "notebook" in again


@pytest.mark.parametrize(
    ("sent", "said"),
    [
        ({"name": "", "days": 7}, "required"),
        ({"name": "n" * 101, "days": 7}, "at most 100"),
        ({"name": "n", "days": 0}, "greater than or equal to 1"),
        ({"name": "n", "days": 366}, "less than or equal to 365"),
        ({"name": "notebook", "days": 7}, "you have a token notebook already"),
    ],
)
def test_what_the_form_refuses_it_says(study, alice, sent, said):
    create_token(alice)

    page = browser(alice).post(reverse("token_new"), sent)

    assert page.status_code == 400
    assert said in page.text
    assert ApiToken.objects.count() == 1


def test_revoking_asks_first(study, alice):
    row, token = create_token(alice)
    client, href = browser(alice), reverse("token_revoke", args=[row.pk])

    assert "Revoke the token “notebook”?" in client.get(href).text
    assert tokens.valid_token(token) is not None
    client.post(href)
    assert tokens.valid_token(token) is None
    assert "revoked" in client.get(reverse("token_new")).text


def test_the_account_leads_to_the_tokens_of_who_may_have_some(study, alice, bob):
    assert reverse("token_new") in browser(alice).get(reverse("account")).text
    assert reverse("token_new") not in browser(bob).get(reverse("account")).text


def test_who_is_organiser_no_more_keeps_a_token_that_opens_nothing(study, alice, carol):
    _, token = create_token(carol)
    study.memberships.get(user=carol).grants.all().delete()

    client = Client(headers={"Authorization": f"Bearer {token}"})

    assert client.get(f"/api/v1/studies/{study.slug}/disputes/").status_code == 404
    assert client.get("/api/v1/studies/").status_code == 403


def test_no_token_is_made_with_the_password_alone_where_a_study_requires_more(study, alice):
    study.requires_second_factor = True
    study.save()

    with pytest.raises(TokenError, match="Lighthouses requires a second factor"):
        create_token(alice)
    page = browser(alice).post(reverse("token_new"), {"name": "notebook", "days": 9})
    assert "Nothing was made: the study Lighthouses requires" in page.content.decode()
    assert not ApiToken.objects.exists()
    Phone(alice)
    assert create_token(alice)


def test_the_list_leaves_out_studies_whose_second_factor_is_missing(study, alice):
    _, token = create_token(alice)
    study.requires_second_factor = True
    study.save()

    listed = Client(headers={"Authorization": f"Bearer {token}"}).get("/api/v1/studies/").json()

    assert listed["results"] == []


def test_a_new_second_factor_revokes_the_tokens_that_were_made_without_it(study, alice):
    _, token = create_token(alice)

    Phone(alice)

    assert tokens.valid_token(token) is None
    event = Event.objects.get(verb="set up a second factor for")
    assert event.details == {"n_tokens_revoked": 1}
