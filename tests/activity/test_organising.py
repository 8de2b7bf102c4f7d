"""Acts on people and studies leave their event, and what is refused leaves neither."""

import pytest
from django.core.exceptions import ValidationError

from accounts.actions.people import NameTakenError
from accounts.models import Role, Study, User
from accounts.permissions import roles
from activity.actions import organising
from activity.models import Event


def verbs():
    return [event.verb for event in Event.objects.all()]


def test_a_user_made_on_the_command_line_is_their_own_actor(db):
    user = organising.create_user(name="erin", password=None)

    event = Event.objects.get()
    assert not user.has_usable_password()
    assert (event.actor, event.verb, event.target) == ("erin", "created", "user erin")


def test_a_name_that_is_taken_makes_neither_a_user_nor_an_event(alice):
    with pytest.raises(NameTakenError, match="there is a user alice already"):
        organising.create_user(name="alice", password=None)

    assert User.objects.count() == 1
    assert verbs() == []


def test_a_name_that_cannot_be_one_is_refused(db):
    with pytest.raises(ValidationError):
        organising.create_user(name="no spaces", password=None)


def test_a_study_has_its_requester_from_the_start(alice):
    study = organising.create_study(slug="lamps", title="Lamps", requester=alice)

    assert roles(alice, study) == {Role.REQUESTER}
    assert verbs() == ["created"]
    with pytest.raises(NameTakenError, match="there is a study lamps already"):
        organising.create_study(slug="lamps", title="Other lamps", requester=alice)
    assert Study.objects.count() == len(verbs()) == 1


def test_roles_are_added_to_those_held_already_and_the_pseudonym_stays(study, alice, mallory):
    first = organising.add_member(study=study, user=mallory, roles=[Role.ANNOTATOR], by=alice)
    second = organising.add_member(study=study, user=mallory, roles=[Role.ADJUDICATOR], by=alice)

    assert first == second
    assert second.pseudonym == "p0002"
    assert roles(mallory, study) == {Role.ANNOTATOR, Role.ADJUDICATOR}
    assert [event.details["roles"] for event in Event.objects.filter(verb="granted")] == [
        ["annotator"],
        ["adjudicator"],
    ]
