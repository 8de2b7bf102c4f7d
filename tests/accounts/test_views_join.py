"""Coming in by an invitation: accounts/views/join.py."""

import pytest
from django.urls import reverse

from accounts.actions import consent, invitations
from accounts.models import Consent, Role, User
from accounts.permissions import roles
from tests.accounts.invitations import create_invitation
from tests.jobs.clients import client_of

NEW = {"name": "erin", "password": "brass-lamp-1811", "again": "brass-lamp-1811"}


@pytest.fixture
def study_with_consent(study):
    study.consent = "We **keep** it. <img src=x onerror=alert(1)>"
    study.description = "Who built them?"
    study.save(update_fields=["consent", "description"])
    return study


def href(token):
    return reverse("join", kwargs={"token": token})


def agreed(study):
    return {"text": consent.sha256(study.consent), "agrees": "on"}


def test_one_page_says_what_it_is_and_asks_for_everything(study_with_consent):
    _, token = create_invitation(study_with_consent)

    said = client_of().get(href(token)).content.decode()

    for words in ("Lighthouses", "Who built them?", "<strong>keep</strong>", 'name="password"'):
        assert words in said
    assert "onerror" not in said.replace("&lt;img src=x onerror=alert(1)&gt;", "")


def test_somebody_new_comes_in_agrees_and_is_signed_in_at_their_work(study_with_consent):
    _, token = create_invitation(study_with_consent)
    client = client_of()

    response = client.post(href(token), NEW | agreed(study_with_consent))

    erin = User.objects.get(username="erin")
    assert response["Location"] == reverse("work")
    assert client.session["_auth_user_id"] == str(erin.pk)
    assert roles(erin, study_with_consent) == {Role.ANNOTATOR}
    assert not consent.is_needed(erin, study_with_consent)


def test_who_does_not_agree_does_not_come_in(study_with_consent):
    _, token = create_invitation(study_with_consent)
    sent = NEW | agreed(study_with_consent)
    del sent["agrees"]

    said = client_of().post(href(token), sent).content.decode()

    assert "Without your consent you cannot take part." in said
    assert not User.objects.filter(username="erin").exists()


def test_a_text_that_was_changed_meanwhile_is_read_and_ticked_again(study_with_consent):
    _, token = create_invitation(study_with_consent)
    sent = NEW | agreed(study_with_consent)
    study_with_consent.consent = "We sell it."
    study_with_consent.save(update_fields=["consent"])

    said = client_of().post(href(token), sent).content.decode()

    assert "has just been changed" in said
    assert "We sell it." in said
    assert " checked" not in said
    assert consent.sha256("We sell it.") in said
    assert not User.objects.filter(username="erin").exists()


def test_a_study_without_a_text_asks_for_no_consent(study):
    _, token = create_invitation(study)

    assert 'name="agrees"' not in client_of().get(href(token)).content.decode()
    client_of().post(href(token), NEW | {"text": consent.sha256("")})

    assert roles(User.objects.get(username="erin"), study) == {Role.ANNOTATOR}
    assert not Consent.objects.exists()


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"name": "bob"}, "This user name is taken"),
        ({"name": "no spaces"}, "Use these characters only, and no spaces."),
        ({"name": "x" * 151}, "at most 150"),
        ({"again": "another-1811"}, "The two passwords are not the same."),
        ({"password": "short", "again": "short"}, "too short"),
        ({"name": "brass-lamp-1811"}, "too similar"),
    ],
)
def test_what_cannot_be_is_refused_in_words_and_uses_nothing_up(study, bob, wrong, said):
    invitation, token = create_invitation(study)

    page = client_of().post(href(token), NEW | {"text": consent.sha256("")} | wrong)

    assert said in page.content.decode()
    invitation.refresh_from_db()
    assert invitation.n_used == 0
    assert invitations.open_invitation(token) == invitation


def test_who_is_signed_in_joins_as_they_are(study_with_consent, mallory):
    _, token = create_invitation(study_with_consent)
    client = client_of(mallory)
    assert "You join as mallory" in client.get(href(token)).content.decode()

    client.post(href(token), agreed(study_with_consent))

    assert roles(mallory, study_with_consent) == {Role.ANNOTATOR}
    assert not consent.is_needed(mallory, study_with_consent)


def test_who_is_signed_in_and_is_asked_for_nothing_joins_by_the_button(study, mallory):
    _, token = create_invitation(study)

    client_of(mallory).post(href(token), {})

    assert roles(mallory, study) == {Role.ANNOTATOR}


def test_an_adjudicator_goes_to_the_start_page(study, mallory):
    _, token = create_invitation(study, role=Role.ADJUDICATOR)

    assert client_of(mallory).post(href(token), {})["Location"] == reverse("home")


def test_looking_joins_nobody(study, mallory):
    _, token = create_invitation(study)

    client_of(mallory).get(href(token))

    assert roles(mallory, study) == set()


@pytest.mark.parametrize("method", ["get", "post"])
def test_whom_it_gives_nothing_is_told_so(study, alice, bob, method):
    invitation, token = create_invitation(study)

    for person, why in ((bob, "You are annotator of Lighthouses already."), (alice, "requester")):
        said = getattr(client_of(person), method)(href(token)).content.decode()
        assert "There is nothing to join" in said
        assert why in said
    invitation.refresh_from_db()
    assert invitation.n_used == 0


@pytest.mark.parametrize("method", ["get", "post"])
def test_an_invitation_that_has_ended_says_how(study, alice, method):
    invitation, token = create_invitation(study)
    invitations.revoke(invitation=invitation, by=alice)

    for asked, why in ((token, "was taken back"), ("x", "no such invitation"), ("<b>", "no such")):
        response = getattr(client_of(), method)(href(asked))
        assert response.status_code == 410
        assert why in response.content.decode()


def test_the_way_over_the_sign_in_leads_back(study):
    _, token = create_invitation(study)

    assert (
        f"{reverse('sign_in')}?next=/join/{token}/" in client_of().get(href(token)).content.decode()
    )
