"""The invitations of a study, for its requesters: accounts/views/invitations.py."""

import re
from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from accounts.actions import invitations
from accounts.models import Invitation
from tests.accounts.invitations import create_invitation
from tests.cases import all_cases
from tests.jobs.clients import client_of

FILLED = {"role": "annotator", "n_most": "3", "days": "7", "note": "for the panel"}


def href(study):
    return reverse("invitations", args=[study.slug])


def page(alice, study, **asked):
    return client_of(alice).get(href(study), asked).content.decode()


def test_an_invitation_is_made_and_its_link_shown_once(study, alice):
    requester = client_of(alice)

    said = requester.post(href(study), FILLED, follow=True).content.decode()

    token = said.partition("http://testserver/join/")[2].partition("/")[0]
    invitation = invitations.open_invitation(token)
    assert (invitation.role, invitation.n_most, invitation.note) == (
        "annotator",
        3,
        "for the panel",
    )
    left = invitation.expires_at - timezone.now()
    assert timedelta(days=6, hours=23) < left <= timedelta(days=7)
    assert "/join/" not in requester.get(href(study)).content.decode()


def test_no_number_is_any_number(study, alice):
    client_of(alice).post(href(study), FILLED | {"n_most": ""})

    assert Invitation.objects.get().n_most is None
    assert "0 of any" in page(alice, study)


@all_cases(
    "wrong",
    [
        {"role": "requester"},
        {"role": ""},
        {"n_most": "0"},
        {"n_most": "-1"},
        {"n_most": "9" * 30},
        {"days": "0"},
        {"days": "366"},
        {"days": ""},
        {"note": "x" * 201},
        {"note": "\x00"},
    ],
)
def test_what_cannot_be_is_refused_in_words(study, alice, wrong):
    said = client_of(alice).post(href(study), FILLED | wrong)

    assert said.status_code == 200
    assert "errorlist" in said.content.decode()
    assert not Invitation.objects.exists()


def test_each_stands_with_its_state_and_can_be_found_by_it(study, alice, mallory):
    create_invitation(study, note="still to come")
    gone, _ = create_invitation(study, note="taken away")
    invitations.revoke(invitation=gone, by=alice)

    assert "taken away" in page(alice, study)
    found = page(alice, study, state="open")
    assert "still to come" in found
    assert "taken away" not in found
    assert "No invitation matches" in page(alice, study, q="nothing")


def test_without_any_the_page_says_what_they_are(study, alice):
    assert "Nobody is invited yet" in page(alice, study)


def test_a_note_does_no_harm(study, alice):
    create_invitation(study, note='<script>alert("1")</script>')

    assert "<script>alert" not in page(alice, study)


def test_a_long_list_takes_no_more_queries(study, alice, django_assert_max_num_queries):
    def n_queries():
        with django_assert_max_num_queries(100) as asked:
            page(alice, study)
        return len(asked)

    create_invitation(study)
    few = n_queries()
    for _ in range(30):
        create_invitation(study)

    assert n_queries() == few


# Revoking


def test_revoking_asks_first(study, alice):
    invitation, token = create_invitation(study, note="for the panel")
    requester = client_of(alice)
    where = reverse("invitation_revoke", args=[study.slug, invitation.pk])

    assert "for the panel" in requester.get(where).content.decode()
    assert invitations.open_invitation(token) == invitation

    assert requester.post(where)["Location"] == href(study)
    with pytest.raises(invitations.InvitationEndedError):
        invitations.open_invitation(token)


# A new link


def test_a_new_link_takes_the_place_of_the_old_one_and_is_shown_once(study, alice):
    invitation, token = create_invitation(study, n_most=None)
    requester = client_of(alice)
    where = reverse("invitation_link", args=[study.slug, invitation.pk])

    assert "The old link stops working" in requester.get(where).content.decode()
    assert invitations.open_invitation(token) == invitation

    shown = requester.post(where, follow=True).content.decode()

    (new,) = set(re.findall(r"/join/([\w-]+)/", shown))
    assert invitations.open_invitation(new) == invitation
    with pytest.raises(invitations.InvitationEndedError):
        invitations.open_invitation(token)
    assert new not in page(alice, study)
    assert (
        "made a new link of invitation"
        in requester.get(reverse("history", args=[study.slug])).content.decode()
    )


def test_an_invitation_that_has_ended_gets_no_new_link(study, alice):
    invitation, _ = create_invitation(study)
    invitations.revoke(invitation=invitation, by=alice)
    where = reverse("invitation_link", args=[study.slug, invitation.pk])

    shown = client_of(alice).post(where, follow=True).content.decode()

    assert "No link was created. This invitation was taken back." in shown
    assert not re.findall(r"/join/[\w-]+/", shown)
