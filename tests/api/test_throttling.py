"""How often one may ask: accounts/api/throttling.py."""

import pytest
from django.core.cache import cache


@pytest.fixture(autouse=True)
def _nothing_counted_yet():
    cache.clear()
    yield
    cache.clear()


def test_who_asks_too_often_is_told_when_to_come_back(study, alice, carol, program, settings):
    settings.API_REQUESTS_A_MINUTE = 3
    asks = program(alice)

    replies = [asks.get("studies/") for _ in range(4)]

    assert [each.status_code for each in replies] == [200, 200, 200, 429]
    assert 0 < int(replies[-1].headers["Retry-After"]) <= 60
    assert replies[-1].json()["type"].endswith("#problem-too-many")
    assert program(carol).get("studies/").status_code == 200


def test_an_address_that_sends_wrong_tokens_is_told_to_wait_and_a_right_one_is_not(
    study, alice, program, settings
):
    settings.API_WRONG_TOKENS_A_MINUTE = 2
    guesses = program(None, "touchstone_guess")

    statuses = [guesses.get("studies/").status_code for _ in range(4)]

    assert statuses == [401, 401, 429, 429]
    assert program(alice).get("studies/").status_code == 200


def test_nought_is_no_limit(study, alice, program):
    asks = program(alice)

    assert {asks.get("studies/").status_code for _ in range(40)} == {200}
