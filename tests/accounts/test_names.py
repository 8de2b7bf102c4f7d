"""A name that somebody else took first, between the look and the write: accounts/actions/names.py."""

import pytest
from django.db import IntegrityError

from accounts.actions.names import NameTakenError, error_if_taken
from accounts.models import User
from tests.factories import UserFactory


def test_who_is_second_is_told_that_the_name_is_taken(db):
    UserFactory(username="eve")

    with (
        pytest.raises(NameTakenError, match="there is an eve"),
        error_if_taken(User.objects.filter(username="eve"), "there is an eve"),
    ):
        UserFactory(username="eve")


def test_another_breach_of_the_database_is_told_as_it_is(db):
    UserFactory(username="eve")

    with pytest.raises(IntegrityError), error_if_taken(User.objects.none(), "there is an eve"):
        UserFactory(username="eve")
