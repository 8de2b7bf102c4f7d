"""Users, studies and roles: accounts/actions/studies.py."""

import pytest
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction

from accounts import permissions
from accounts.actions import members, studies, users
from accounts.actions.names import NameTakenError
from accounts.models import Membership, Role, RoleGrant, Study, User
from tests.conftest import member
from tests.factories import StudyFactory, UserFactory


def test_a_new_person_can_sign_in_with_their_password(db):
    person = users.create_user(name="frieda", password="long-lens-1702")

    assert person.check_password("long-lens-1702")
    assert not person.is_simulated
    assert not person.is_staff


def test_without_a_password_nobody_can_sign_in_as_a_new_person(db):
    assert not users.create_user(name="frieda", password=None).has_usable_password()


def test_a_name_is_given_once(db):
    users.create_user(name="frieda", password=None)

    with pytest.raises(NameTakenError, match="there is a user frieda already"):
        users.create_user(name="frieda", password=None)


@pytest.mark.parametrize("name", ["", "two words", "a" * 151])
def test_a_name_that_is_none_is_refused(db, name):
    with pytest.raises(ValidationError):
        users.create_user(name=name, password=None)


def test_who_asks_for_a_study_is_its_first_requester(db):
    person = UserFactory(username="frieda")

    study = studies.create_study(slug="beacons", title="Beacons", requester=person)

    assert permissions.roles(person, study) == {Role.REQUESTER}
    assert study.created_by == person


def test_a_study_has_a_slug_of_its_own(study, alice):
    with pytest.raises(NameTakenError, match="there is a study lighthouses already"):
        studies.create_study(slug="lighthouses", title="More", requester=alice)


@pytest.mark.parametrize(("slug", "title"), [("two words", "T"), ("", "T"), ("s", "")])
def test_a_study_without_a_proper_slug_or_title_is_refused(alice, slug, title):
    with pytest.raises(ValidationError):
        studies.create_study(slug=slug, title=title, requester=alice)

    assert not Study.objects.exists()


def test_a_member_can_hold_several_roles_and_gets_more(study, alice):
    person = member(study, "frieda", Role.ANNOTATOR, Role.ADJUDICATOR, by=alice)

    members.add(study=study, user=person, roles=[Role.REQUESTER], by=alice)

    assert permissions.roles(person, study) == set(Role)
    assert Membership.objects.filter(user=person).count() == 1


def test_a_role_given_twice_is_held_once_and_the_first_giver_stands(study, alice, bob):
    members.add(study=study, user=bob, roles=[Role.ANNOTATOR], by=bob)

    grant = RoleGrant.objects.get(membership__user=bob)
    assert (grant.role, grant.granted_by) == (Role.ANNOTATOR, alice)


def test_pseudonyms_are_counted_within_the_study_and_stay(study, alice, bob, dora):
    assert [str(each.pseudonym) for each in study.memberships.all()] == ["p0001", "p0002", "p0003"]

    members.add(study=study, user=bob, roles=[Role.ADJUDICATOR], by=alice)

    assert study.memberships.get(user=bob).pseudonym == "p0002"


def test_the_pseudonym_of_who_left_is_not_given_to_the_next(study, alice, bob, dora):
    study.memberships.get(user=bob).delete()

    member(study, "frieda", Role.ANNOTATOR, by=alice)

    assert study.memberships.get(user__username="frieda").number == 4


def test_in_another_study_the_same_person_has_another_pseudonym(alice, bob):
    elsewhere = studies.create_study(slug="beacons", title="Beacons", requester=bob)

    assert elsewhere.memberships.get(user=bob).pseudonym == "p0001"


# What the database refuses


@pytest.mark.database
def test_nobody_is_in_a_study_twice_and_no_pseudonym_is_shared(study, alice, bob, mallory):
    here = {"study": study, "added_by": alice}

    with pytest.raises(IntegrityError), transaction.atomic():
        Membership.objects.create(user=bob, number=99, **here)
    with pytest.raises(IntegrityError), transaction.atomic():
        Membership.objects.create(user=mallory, number=2, **here)


@pytest.mark.database
def test_a_role_is_known_and_held_once(study, alice, bob):
    held = {"membership": study.memberships.get(user=bob), "granted_by": alice}

    for role in ("annotator", "emperor"):
        with pytest.raises(IntegrityError), transaction.atomic():
            RoleGrant.objects.create(**held, role=role)


@pytest.mark.database
def test_two_users_never_share_a_name(alice):
    with pytest.raises(IntegrityError), transaction.atomic():
        UserFactory(username="alice")
    with pytest.raises(IntegrityError), transaction.atomic():
        User.objects.filter(pk=UserFactory().pk).update(username="alice")


@pytest.mark.database
def test_two_studies_never_share_a_slug(study):
    with pytest.raises(IntegrityError), transaction.atomic():
        StudyFactory(slug=study.slug)
