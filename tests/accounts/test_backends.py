"""Who can sign in: accounts/backends.py and the constraint behind it."""

import pytest
from django.contrib.auth import authenticate
from django.db import IntegrityError, transaction

from accounts.actions import users
from accounts.backends import RealPeopleBackend
from accounts.models import User

PASSWORD = "long-lens-1702"


@pytest.fixture
def person(db) -> User:
    return users.create_user(name="frieda", password=PASSWORD)


@pytest.fixture
def robot(db) -> User:
    return users.create_simulated_user(name="robot")


def test_a_person_signs_in_with_the_right_password_only(person):
    assert authenticate(username="frieda", password=PASSWORD) == person
    assert authenticate(username="frieda", password="long-lens-1703") is None


def test_a_person_without_a_password_does_not_sign_in(db):
    users.create_user(name="frieda", password=None)

    for tried in ("", "!", PASSWORD):
        assert authenticate(username="frieda", password=tried) is None


def test_a_person_who_is_not_active_does_not_sign_in(person):
    User.objects.update(is_active=False)

    assert authenticate(username="frieda", password=PASSWORD) is None


def test_simulated_people_do_not_sign_in(robot):
    for tried in ("", "!", robot.password, PASSWORD):
        assert authenticate(username="robot", password=tried) is None


def test_simulated_people_do_not_sign_in_whatever_their_password_hash(person, monkeypatch):
    """The backend refuses them too, not only the constraint."""
    person.is_simulated = True
    monkeypatch.setattr(User._default_manager, "get_by_natural_key", lambda name: person)

    assert authenticate(username="frieda", password=PASSWORD) is None


def test_a_session_of_a_simulated_person_is_nobodys(robot):
    assert RealPeopleBackend().get_user(robot.pk) is None


def test_a_session_of_a_person_is_theirs(person):
    assert RealPeopleBackend().get_user(person.pk) == person


def raises_constraint_error():
    return pytest.raises(IntegrityError, match="simulated_people_cannot_sign_in")


@pytest.mark.database
def test_the_database_refuses_a_simulated_person_with_a_password(robot):
    robot.set_password(PASSWORD)

    with raises_constraint_error(), transaction.atomic():
        robot.save()


@pytest.mark.database
def test_the_database_refuses_to_make_a_person_with_a_password_simulated(person):
    with raises_constraint_error(), transaction.atomic():
        User.objects.update(is_simulated=True)


@pytest.mark.database
def test_a_simulated_person_is_not_made_with_a_password(db):
    with raises_constraint_error(), transaction.atomic():
        User.objects.create_user("robot", password=PASSWORD, is_simulated=True)
