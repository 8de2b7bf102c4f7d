"""Parts: exactly what a test asks for is there when it begins, whatever the tests before it did."""

import pytest

from accounts.models import Study, User
from tests.factories import StudyFactory, UserFactory
from tests.parts import part

n_made = 0


@part
def owner() -> User:
    return UserFactory(username="owner")


@part
def owned(owner: User) -> Study:
    return StudyFactory(slug="owned", created_by=owner)


@part
def alone() -> User:
    return UserFactory(username="alone")


@part
def counted(owned: Study) -> Study:
    global n_made
    n_made += 1
    return owned


@part
def carol(owned: Study) -> User:
    """Instead of the one in tests/conftest.py."""
    return UserFactory(username="another carol")


@pytest.mark.parametrize("time", ["first", "second"])
def test_what_one_test_changes_another_does_not_see(owned, owner, time):
    assert (owned.title, Study.objects.get().title) == ("A study", "A study")
    assert owned.created_by is owner

    owned.title = owner.username = "changed"
    owned.save()
    StudyFactory(slug=time)


def test_only_what_is_asked_for_and_what_it_needs_is_there(alone):
    assert (User.objects.get(), Study.objects.count()) == (alone, 0)


@pytest.mark.django_db(transaction=True)
def test_rows_are_there_without_a_transaction_around_the_test(owned):
    assert Study.objects.get().created_by == owned.created_by


def test_a_test_that_asks_for_no_part_has_nothing(db):
    assert not User.objects.exists()


def test_a_part_is_made_otherwise_in_a_module(carol, owner):
    assert set(User.objects.all()) == {carol, owner}


def test_parts_are_made_once(counted, alone):
    assert n_made == 1


def test_the_order_in_which_a_test_asks_makes_no_difference(alone, counted):
    assert n_made == 1
