"""Invitations: accounts/actions/invitations.py."""

import threading
from datetime import timedelta

import pytest
import time_machine
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.utils import timezone

from accounts.actions import consent, invitations, members
from accounts.actions.consent import ConsentChangedError
from accounts.actions.invitations import InvitationEndedError, NoPlaceError
from accounts.actions.names import NameTakenError
from accounts.models import Consent, Invitation, Role, User
from accounts.permissions import roles
from audit.models import Event
from tests.accounts.invitations import create_invitation
from tests.conftest import member
from tests.factories import UserFactory
from tests.jobs.threads import at_work


def join(token, by, text=""):
    return invitations.join(token=token, consent_sha256=consent.sha256(text), by=by)


def join_as_new(token, name="erin", text=""):
    return invitations.join_as_new(
        token=token, consent_sha256=consent.sha256(text), name=name, password="brass-lamp-1811"
    )


def raises_ended_error(why):
    return pytest.raises(InvitationEndedError, match=why)


def test_who_comes_by_an_invitation_gets_its_role(study, mallory):
    invitation, token = create_invitation(study, role=Role.ADJUDICATOR)

    membership = join(token, mallory)

    assert roles(mallory, study) == {Role.ADJUDICATOR}
    assert membership.pseudonym == "p0002"
    assert membership.added_by == invitation.created_by


def test_an_open_link_brings_nobody_back_whom_a_requester_let_go(study, alice, mallory):
    _, token = create_invitation(study, n_most=None)
    membership = join(token, mallory)
    members.change_roles(membership=membership, roles=[], by=alice)

    with pytest.raises(NoPlaceError, match="Your roles in Lighthouses were taken back"):
        join(token, mallory)
    assert roles(mallory, study) == set()


def test_that_somebody_joined_is_recorded(study, mallory):
    invitation, token = create_invitation(study)
    join(token, mallory)

    event = Event.objects.order_by("pk").last()
    assert (event.actor, event.verb, event.study) == ("mallory", "joined", "lighthouses")
    assert event.details == {"role": "annotator", "invitation": invitation.pk}


def test_somebody_new_becomes_a_user_and_a_member_at_once(study):
    _, token = create_invitation(study)

    membership = join_as_new(token)

    assert membership.user.check_password("brass-lamp-1811")
    assert roles(User.objects.get(username="erin"), study) == {Role.ANNOTATOR}


def test_the_token_is_kept_nowhere(study):
    invitation, token = create_invitation(study, note="for the panel")

    assert invitation.token_sha256 == invitations.sha256(token)
    kept = [str(vars(row)) for row in (*Invitation.objects.all(), *Event.objects.all())]
    assert not any(token in text for text in kept)


def test_two_invitations_have_two_tokens(study):
    assert create_invitation(study)[1] != create_invitation(study)[1]


# How often


def test_an_invitation_is_used_as_often_as_it_says(study):
    _, token = create_invitation(study, n_most=2)
    join_as_new(token, "erin")
    join_as_new(token, "ines")

    with raises_ended_error("As many people as it was meant for"):
        join_as_new(token, "oona")
    assert not User.objects.filter(username="oona").exists()


def test_an_invitation_without_a_number_is_used_by_as_many_as_come(study):
    invitation, token = create_invitation(study, n_most=None)

    for name in ("erin", "ines", "oona"):
        join_as_new(token, name)

    invitation.refresh_from_db()
    assert invitation.n_used == 3


def test_what_does_not_come_off_uses_nothing_up(study, alice, bob):
    invitation, token = create_invitation(study)

    with pytest.raises(NoPlaceError, match="You are annotator of Lighthouses already"):
        join(token, bob)
    with pytest.raises(NoPlaceError, match="this role excludes annotating there"):
        join(token, alice)
    with pytest.raises(NameTakenError):
        join_as_new(token, "bob")
    with pytest.raises(ValidationError):
        join_as_new(token, "no spaces")

    invitation.refresh_from_db()
    assert invitation.n_used == 0
    assert Event.objects.filter(verb="joined").count() == 0


def test_an_annotator_may_be_called_to_adjudicate(study, bob):
    _, token = create_invitation(study, role=Role.ADJUDICATOR)

    join(token, bob)

    assert roles(bob, study) == {Role.ANNOTATOR, Role.ADJUDICATOR}


# When


def test_an_invitation_ends_at_its_time(study, mallory):
    _, token = create_invitation(study, expires_at=timezone.now() + timedelta(days=1))

    with (
        time_machine.travel(timezone.now() + timedelta(days=1, seconds=1), tick=False),
        raises_ended_error("The time of this invitation is over"),
    ):
        join(token, mallory)


def test_nobody_comes_by_a_revoked_invitation_and_who_came_stays(study, alice, mallory):
    invitation, token = create_invitation(study, n_most=2)
    join_as_new(token)

    invitations.revoke(invitation=invitation, by=alice)

    with raises_ended_error("was taken back"):
        join(token, mallory)
    assert roles(User.objects.get(username="erin"), study) == {Role.ANNOTATOR}


def test_revoking_twice_is_revoking_once(study, alice):
    second = member(study, "frieda", Role.REQUESTER, by=alice)
    invitation, _ = create_invitation(study)

    for person in (alice, second):
        invitations.revoke(invitation=invitation, by=person)

    invitation.refresh_from_db()
    assert invitation.revoked_by == alice
    assert Event.objects.filter(verb="revoked").count() == 1


@pytest.mark.parametrize("token", ["", "x", "\x00", "ą" * 100])
def test_a_token_that_nobody_made_is_none(study, token):
    with raises_ended_error("There is no such invitation"):
        invitations.open_invitation(token)


def test_each_has_the_state_that_it_is_in(study, alice, mallory):
    start = timezone.now()
    of = {
        name: create_invitation(study, note=name)
        for name in ("open", "used up", "expired", "revoked")
    }
    Invitation.objects.filter(note="expired").update(expires_at=start)
    join(of["used up"][1], mallory)
    invitations.revoke(invitation=of["revoked"][0], by=alice)

    states = Invitation.objects.states(timezone.now())

    assert states == {invitation.pk: note for note, (invitation, _) in of.items()}


# Consent


@pytest.fixture
def study_with_consent(study):
    study.consent = "We keep it."
    study.save(update_fields=["consent"])
    return study


def test_who_joins_has_agreed_to_what_they_read(study_with_consent, mallory):
    _, token = create_invitation(study_with_consent)

    join(token, mallory, "We keep it.")

    assert Consent.objects.get().membership.user == mallory
    assert not consent.is_needed(mallory, study_with_consent)


def test_who_read_an_older_text_does_not_join_by_it(study_with_consent, mallory):
    invitation, token = create_invitation(study_with_consent)

    with pytest.raises(ConsentChangedError):
        join(token, mallory, "An older text")
    with pytest.raises(ConsentChangedError):
        join_as_new(token, "erin", "")

    invitation.refresh_from_db()
    assert invitation.n_used == 0
    assert roles(mallory, study_with_consent) == set()
    assert not User.objects.filter(username="erin").exists()


# What the database keeps


@pytest.mark.database
@pytest.mark.parametrize("changes", [{"n_used": 2}, {"n_most": 0}, {"role": "requester"}])
def test_the_database_refuses_an_invitation_that_cannot_be(study, changes):
    create_invitation(study)

    with pytest.raises(IntegrityError), transaction.atomic():
        Invitation.objects.update(**changes)


@pytest.mark.parametrize("role", [Role.REQUESTER, "emperor"])
def test_nobody_is_invited_to_be_requester(study, role):
    with pytest.raises(ValidationError):
        create_invitation(study, role=role)


@pytest.mark.database
@pytest.mark.django_db(transaction=True)
def test_of_many_who_come_at_once_no_more_get_in_than_it_was_made_for(study, alice):
    _, token = create_invitation(study, n_most=2)
    crowd = [UserFactory(username=name) for name in ("erin", "ines", "oona", "zita")]
    ready, ends = threading.Barrier(len(crowd)), []

    def come(person):
        ready.wait()
        try:
            join(token, person)
            ends.append("in")
        except InvitationEndedError:
            ends.append("too late")

    with at_work(*[lambda person=person: come(person) for person in crowd]):
        pass

    assert sorted(ends) == ["in", "in", "too late", "too late"]
    assert Invitation.objects.get().n_used == 2
    assert study.memberships.count() == 3


@pytest.mark.database
@pytest.mark.django_db(transaction=True)
def test_two_requesters_who_drop_each_other_leave_one(study, alice):
    second = member(study, "frieda", Role.REQUESTER, by=alice)
    ready, ends = threading.Barrier(2), []

    def drop(person):
        membership = study.memberships.get(user=person)
        ready.wait()
        try:
            members.withdraw(membership=membership, roles=[Role.REQUESTER], by=alice)
            ends.append("dropped")
        except members.LastRequesterError:
            ends.append("kept")

    with at_work(lambda: drop(alice), lambda: drop(second)):
        pass

    assert sorted(ends) == ["dropped", "kept"]
