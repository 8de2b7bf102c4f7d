"""What is promised of money: sampling/pay.py."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sampling import pay
from sampling.pay import FLOORS, SIGNS, Money, hours, price, wage, work_time
from tests.cases import all_cases

rewards = st.decimals("0.0001", "99999.9999", places=4)
times = st.floats(0.001, 1e6)


def usd(amount) -> Money:
    return Money(Decimal(str(amount)), "USD")


@all_cases(
    ("amount", "words"),
    [
        ("0.72", "$0.72"),
        ("0.06", "$0.06"),
        ("0.0600", "$0.06"),
        ("0.065", "$0.065"),
        ("0.0001", "$0.0001"),
        ("7", "$7.00"),
        ("1234.5", "$1,234.50"),
        ("0", "$0.00"),
    ],
)
def test_an_amount_has_two_to_four_places(amount, words):
    assert str(usd(amount)) == words


@all_cases("code", SIGNS)
def test_every_currency_has_its_sign_before_the_amount(code):
    assert str(Money(Decimal("0.5"), code)) == f"{SIGNS[code]}0.50"


def test_amounts_are_added_up_exactly():
    assert usd("0.1").times(3).amount == Decimal("0.3")
    assert usd("0.0333").times(3).units == 999


@pytest.mark.parametrize(("amount", "said"), [("0.0600", "0.06"), ("100.0000", "100"), ("7", "7")])
def test_a_reward_is_shown_in_a_form_without_zeros_behind_it(amount, said):
    assert str(usd(amount).shortest) == said


def test_what_is_unpaid_has_no_price():
    assert price(None, "") is None
    assert price(Decimal("0.06"), "USD") == usd("0.06")


def test_hours_are_of_one_person():
    assert hours(120, 30) == 1.0
    assert hours(0, 30) == 0.0


@pytest.mark.parametrize(
    ("hours", "words"),
    [
        (0, "less than a minute"),
        (0.2, "12 min"),
        (0.99, "59 min"),
        (1, "1.0 hours"),
        (1234.56, "1,234.6 hours"),
    ],
)
def test_a_time_of_work_is_in_minutes_below_an_hour(hours, words):
    assert work_time(hours) == words


@pytest.mark.parametrize(("reward", "seconds"), [("0.06", 30), ("0.12", 60)])
def test_the_shared_task_paid_seven_twenty_an_hour_under_the_minimum(reward, seconds):
    paid = wage(usd(reward), seconds)

    assert paid.per_hour == usd("7.20")
    assert paid.against == "under the US federal minimum, $7.25"
    assert paid.is_low


@pytest.mark.parametrize(
    ("per_hour", "against", "is_low"),
    [
        ("7.25", "under Prolific's floor, $8.00", True),
        ("8", "under what Prolific recommends, $12.00", False),
        ("11.999", "under what Prolific recommends, $12.00", False),
        ("12", "at or above what Prolific recommends, $12.00", False),
    ],
)
def test_a_wage_that_reaches_a_floor_is_not_under_it(per_hour, against, is_low):
    paid = wage(usd(per_hour), 3600)

    assert (paid.against, paid.is_low) == (against, is_low)


@pytest.mark.parametrize("seconds", [None, 0, 0.0])
def test_of_no_time_a_wage_is_undefined_and_no_floor_is_missed(seconds):
    paid = wage(usd("0.06"), seconds)

    assert (paid.per_hour, paid.met, paid.missed) == (None, (), ())
    assert paid.against == "no time is known yet"
    assert not paid.is_low


def test_a_currency_without_a_floor_is_said_to_have_none():
    paid = wage(Money(Decimal("0.06"), "EUR"), 30)

    assert str(paid.per_hour) == "€7.20"
    assert paid.against == "no floor is known for EUR"
    assert not paid.is_low


@given(rewards, times, times)
def test_who_is_slower_earns_no_more_an_hour(reward, one, other):
    quick, slow = sorted((one, other))

    assert wage(usd(reward), slow).per_hour.amount <= wage(usd(reward), quick).per_hour.amount


@given(rewards, times)
def test_every_floor_is_either_met_or_missed(reward, seconds):
    paid = wage(usd(reward), seconds)

    assert paid.met + paid.missed == FLOORS["USD"]


@given(rewards)
def test_ten_thousandths_are_whole(reward):
    assert Decimal(usd(reward).units) == reward * 10**pay.PLACES
