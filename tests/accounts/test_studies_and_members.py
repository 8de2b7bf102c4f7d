"""Acts on people and studies leave their event, and what is refused leaves neither."""

import threading

import pytest
from django.core.exceptions import ValidationError

from accounts.actions import first_steps, members, passwords, studies, users
from accounts.actions.members import LastRequesterError
from accounts.actions.names import NameTakenError
from accounts.actions.passwords import LinkRefusedError
from accounts.actions.users import FirstStepsDoneError
from accounts.models import Role, Study, User
from accounts.permissions import NotAllowedError, roles
from audit.models import Event
from tests.conftest import member
from tests.factories import UserFactory
from tests.jobs.threads import at_work


def verbs():
    return [event.verb for event in Event.objects.all()]


def test_a_user_made_on_the_command_line_is_their_own_actor(db):
    user = users.create_user(name="erin", password=None)

    event = Event.objects.get()
    assert not user.has_usable_password()
    assert (event.actor, event.verb, event.target) == ("erin", "created", "user erin")


def test_a_name_that_is_taken_makes_neither_a_user_nor_an_event(alice):
    with pytest.raises(NameTakenError, match="there is a user alice already"):
        users.create_user(name="alice", password=None)

    assert User.objects.count() == 1
    assert verbs() == []


def test_a_name_that_cannot_be_one_is_refused(db):
    with pytest.raises(ValidationError):
        users.create_user(name="no spaces", password=None)


def test_a_study_has_its_requester_from_the_start(alice):
    study = studies.create_study(slug="lamps", title="Lamps", requester=alice)

    assert roles(alice, study) == {Role.REQUESTER}
    assert verbs() == ["created"]
    with pytest.raises(NameTakenError, match="there is a study lamps already"):
        studies.create_study(slug="lamps", title="Other lamps", requester=alice)
    assert Study.objects.count() == len(verbs()) == 1


def test_roles_are_added_to_those_held_already_and_the_pseudonym_stays(study, alice, mallory):
    first = members.add_member(study=study, user=mallory, roles=[Role.ANNOTATOR], by=alice)
    second = members.add_member(study=study, user=mallory, roles=[Role.ADJUDICATOR], by=alice)

    assert first == second
    assert second.pseudonym == "p0002"
    assert roles(mallory, study) == {Role.ANNOTATOR, Role.ADJUDICATOR}
    assert [event.details["roles"] for event in Event.objects.filter(verb="granted")] == [
        ["annotator"],
        ["adjudicator"],
    ]


@pytest.fixture
def root(db):
    return UserFactory(username="root", is_superuser=True)


def newest():
    return Event.objects.order_by("pk").last()


# Users


def test_an_administrator_makes_users_and_is_the_actor(root):
    user = users.create_user(name="erin", password=None, by=root)

    assert (newest().actor, newest().target) == ("root", "user erin")
    assert not user.is_superuser


def test_that_somebody_was_made_administrator_stands_in_the_event(root):
    assert users.create_user(name="erin", password=None, is_administrator=True).is_superuser

    assert newest().details == {"administrator": True}


def test_nobody_else_makes_users_in_their_own_name(study, alice):
    with pytest.raises(NotAllowedError, match="alice is not administrator"):
        users.create_user(name="erin", password=None, by=alice)


def test_the_first_administrator_comes_in_by_the_link_once(db):
    token = first_steps.link_token()

    user = users.create_first_administrator(token=token, name="erin", password="p")

    assert user.is_superuser
    with pytest.raises(FirstStepsDoneError):
        users.create_first_administrator(token=token, name="eve", password="p")
    assert User.objects.count() == 1


@pytest.mark.database
@pytest.mark.django_db(transaction=True)
def test_of_two_who_hold_the_link_at_once_one_becomes_the_first():
    token, ready, ends = first_steps.link_token(), threading.Barrier(2), []

    def come(name):
        ready.wait()
        try:
            users.create_first_administrator(token=token, name=name, password="p")
            ends.append("in")
        except FirstStepsDoneError:
            ends.append("too late")

    with at_work(lambda: come("erin"), lambda: come("eve")):
        pass

    assert sorted(ends) == ["in", "too late"]
    assert User.objects.count() == 1


def test_without_the_link_nobody_becomes_the_first(db):
    with pytest.raises(FirstStepsDoneError):
        users.create_first_administrator(token="guess", name="eve", password="p")

    assert not User.objects.exists()


# Studies


def test_an_administrator_makes_a_study_for_somebody_and_has_no_say_in_it(root, alice):
    study = studies.create_study(slug="lamps", title="Lamps", requester=alice, by=root)

    assert roles(alice, study) == {Role.REQUESTER}
    assert roles(root, study) == set()
    assert newest().actor == "root"
    assert newest().details["requester"] == "alice"


def test_a_requester_makes_another_study_for_themselves_only(study, alice, mallory):
    studies.create_study(slug="lamps", title="Lamps", requester=alice, by=alice)

    with pytest.raises(NotAllowedError, match="alice is not administrator"):
        studies.create_study(slug="lights", title="Lights", requester=mallory, by=alice)


def test_nobody_else_makes_a_study(bob, carol, mallory):
    for person in (bob, carol, mallory):
        with pytest.raises(
            NotAllowedError, match=f"{person} is neither administrator nor requester"
        ):
            studies.create_study(slug="lamps", title="Lamps", requester=person, by=person)


def test_a_study_is_not_called_as_the_page_that_makes_studies(alice):
    with pytest.raises(ValidationError, match="cannot be called new"):
        studies.create_study(slug="new", title="New", requester=alice)


def test_what_a_study_says_of_itself_changes_with_what_stood_there_before(study, alice):
    changed = studies.describe_study(
        study=study, by=alice, title="Lighthouses", licence="CC0", consent="We keep it."
    )

    assert changed == ["licence", "consent"]
    study.refresh_from_db()
    assert (study.licence, study.consent) == ("CC0", "We keep it.")
    assert newest().verb == "described"
    assert newest().details == {
        "before": {"licence": "", "consent": ""},
        "after": {"licence": "CC0", "consent": "We keep it."},
    }


def test_where_nothing_changes_nothing_is_recorded(study, alice):
    assert studies.describe_study(study=study, by=alice, title="Lighthouses") == []

    assert verbs() == ["created"]


def test_a_study_keeps_a_title(study, alice):
    with pytest.raises(ValidationError):
        studies.describe_study(study=study, by=alice, title="")

    study.refresh_from_db()
    assert study.title == "Lighthouses"
    assert verbs() == ["created"]


# Roles


def change(study, user, *wanted, by):
    members.change_roles(membership=study.memberships.get(user=user), roles=wanted, by=by)


def test_roles_are_granted_and_taken_back_with_an_event_each(study, alice, bob):
    change(study, bob, Role.ADJUDICATOR, by=alice)

    assert roles(bob, study) == {Role.ADJUDICATOR}
    assert [
        (event.verb, event.details["roles"]) for event in Event.objects.exclude(verb="created")
    ] == [
        ("granted", ["adjudicator"]),
        ("took back", ["annotator"]),
    ]


def test_who_keeps_their_roles_leaves_no_event(study, alice, bob):
    change(study, bob, Role.ANNOTATOR, by=alice)

    assert verbs() == ["created"]


def test_somebody_without_a_role_stays_a_member_under_the_same_pseudonym(study, alice, bob):
    change(study, bob, by=alice)
    assert roles(bob, study) == set()

    change(study, bob, Role.ANNOTATOR, by=alice)
    assert study.memberships.get(user=bob).pseudonym == "p0002"


def test_the_last_requester_keeps_the_role(study, alice, bob):
    with pytest.raises(LastRequesterError, match="alice is the last requester"):
        change(study, alice, Role.ANNOTATOR, by=alice)

    assert roles(alice, study) == {Role.REQUESTER}
    assert verbs() == ["created"]


def test_a_requester_beside_another_can_lay_the_role_down(study, alice):
    second = member(study, "frieda", Role.REQUESTER, by=alice)

    change(study, alice, by=alice)

    assert roles(alice, study) == set()
    with pytest.raises(LastRequesterError):
        change(study, second, by=second)


def test_the_roles_of_a_simulated_person_are_the_rehearsals(study, alice):
    robot = UserFactory(username="robot", is_simulated=True)
    members.add_member(study=study, user=robot, roles=[Role.ANNOTATOR], by=alice)

    with pytest.raises(NotAllowedError, match="robot is simulated"):
        change(study, robot, Role.REQUESTER, by=alice)


def test_an_administrator_hands_a_study_to_somebody(study, root, mallory):
    members.hand_over(study=study, to=mallory, by=root)

    assert roles(mallory, study) == {Role.REQUESTER}
    assert (newest().actor, newest().verb, newest().study) == ("root", "granted", "lighthouses")


def test_nobody_else_hands_a_study_over(study, alice, mallory):
    for person in (alice, mallory):
        with pytest.raises(NotAllowedError, match="is not administrator"):
            members.hand_over(study=study, to=mallory, by=person)


def test_a_study_is_not_handed_to_a_simulated_person(study, root):
    robot = UserFactory(username="robot", is_simulated=True)

    with pytest.raises(NotAllowedError, match="robot is simulated"):
        members.hand_over(study=study, to=robot, by=root)


# Links to set a password (whose a requester may make: tests/accounts/test_passwords.py)


def test_that_a_requester_made_a_link_is_recorded_and_the_link_is_not(study, alice, bob):
    token = passwords.make_password_link(study=study, user=bob, by=alice)

    assert passwords.user_of_link(token) == bob
    assert (newest().actor, newest().verb, newest().target) == (
        "alice",
        "made a password link for",
        "user bob",
    )
    assert token not in str(newest().details)


def test_a_link_that_is_refused_leaves_no_event(study, alice, mallory):
    with pytest.raises(LinkRefusedError):
        passwords.make_password_link(study=study, user=mallory, by=alice)

    assert verbs() == ["created"]


def test_an_administrator_makes_links_for_everybody_who_can_sign_in(root, bob):
    for person in (root, bob):
        token = passwords.make_password_link_for_anybody(user=person, by=root)
        assert passwords.user_of_link(token) == person
    with pytest.raises(LinkRefusedError, match="robot is simulated"):
        passwords.make_password_link_for_anybody(
            user=UserFactory(username="robot", is_simulated=True), by=root
        )


def test_nobody_else_makes_links_for_everybody(study, alice, bob):
    with pytest.raises(NotAllowedError, match="alice is not administrator"):
        passwords.make_password_link_for_anybody(user=bob, by=alice)
