"""The link of an installation in which nobody is yet: accounts/actions/first_steps.py."""

import pytest

from accounts.actions import first_steps


def test_the_link_opens_as_long_as_nobody_is_there(db):
    assert first_steps.is_needed()
    assert first_steps.is_valid(first_steps.link_token())


def test_whoever_comes_in_shuts_it(alice):
    assert not first_steps.is_needed()
    assert not first_steps.is_valid(first_steps.link_token())


def test_the_link_of_another_installation_does_not_open(db, settings):
    token = first_steps.link_token()

    settings.SECRET_KEY = "another-key"

    assert not first_steps.is_valid(token)


@pytest.mark.parametrize("token", ["", ":", "first administrator", "x" * 300, "\x00", "ą"])
def test_nonsense_does_not_open(db, token):
    assert not first_steps.is_valid(token)
