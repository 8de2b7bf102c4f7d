"""What a sign-in costs: accounts/hashers.py."""

import pytest
from django.contrib.auth.hashers import PBKDF2PasswordHasher
from django.test import override_settings

from accounts.hashers import PasswordHasher
from tests.factories import UserFactory

pytestmark = pytest.mark.django_db


class Fewer(PBKDF2PasswordHasher):
    """The hasher after its number of iterations was changed."""

    iterations = 10


def test_a_password_is_hashed_with_as_many_iterations_as_the_setting_says(settings):
    assert PasswordHasher.iterations == settings.PASSWORD_ITERATIONS == 1_000_000


def test_after_a_change_a_password_fits_and_is_hashed_anew():
    bob = UserFactory(password=PasswordHasher().encode("try-touchstone", "salt"))

    with override_settings(PASSWORD_HASHERS=[f"{__name__}.Fewer"]):
        assert bob.check_password("try-touchstone")

    bob.refresh_from_db()
    assert bob.password.split("$")[1] == "10"
