"""The page of the consent: accounts/views/consent.py."""

import pytest
from django.urls import reverse

from accounts.actions import consent
from accounts.models import Consent


@pytest.fixture
def study_with_consent(study):
    study.consent = "# Your data\n\nWe keep it. <script>alert(1)</script>"
    study.save(update_fields=["consent"])
    return study


@pytest.fixture
def signed_in(client, bob):
    client.force_login(bob, backend="accounts.backends.RealPeopleBackend")
    return client


def href(study):
    return reverse("consent", args=[study.slug])


def agree(client, study, **more):
    return client.post(href(study), {"text": consent.sha256(study.consent), **more})


def test_the_text_is_shown_and_does_no_harm(signed_in, study_with_consent):
    page = signed_in.get(href(study_with_consent)).content.decode()

    assert "<h2>Your data</h2>" in page
    assert "<script>alert" not in page
    assert "I agree" in page


def test_who_agrees_goes_on_to_where_they_wanted(signed_in, study_with_consent, bob):
    response = agree(signed_in, study_with_consent, next="/account/")

    assert response["Location"] == "/account/"
    assert not consent.is_needed(bob, study_with_consent)


def test_nobody_is_sent_to_another_host(signed_in, study_with_consent):
    assert agree(signed_in, study_with_consent, next="//evil.example")["Location"] == reverse(
        "home"
    )


def test_a_text_that_was_changed_meanwhile_is_read_again(signed_in, study_with_consent, bob):
    old = consent.sha256(study_with_consent.consent)
    study_with_consent.consent = "Another text"
    study_with_consent.save(update_fields=["consent"])

    page = signed_in.post(href(study_with_consent), {"text": old, "next": "/account/"}, follow=True)

    assert "please read it again" in page.content.decode()
    assert "Another text" in page.content.decode()
    assert not Consent.objects.exists()


def test_who_has_agreed_sees_when(signed_in, study_with_consent):
    agree(signed_in, study_with_consent)

    page = signed_in.get(href(study_with_consent)).content.decode()
    assert "You agreed to this on" in page
    assert "I agree" not in page


def test_a_study_without_a_text_says_so(signed_in, study):
    assert "asks for no consent" in signed_in.get(href(study)).content.decode()
