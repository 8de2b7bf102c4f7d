"""Second factors: accounts/actions/second_factors.py."""

from datetime import UTC, datetime, timedelta

import pytest
import time_machine
from django.db import connection

from accounts.actions import second_factors, users
from accounts.actions.second_factors import (
    CodesLockedError,
    SecondFactorError,
    WrongCodeError,
)
from accounts.models import RecoveryCode, SecondFactor, User
from accounts.permissions import NotAllowedError, has_second_factor
from audit.models import Event
from tests.accounts.phones import STEP, Phone
from tests.factories import UserFactory
from tests.jobs.threads import at_work

NOW = datetime(2026, 3, 2, 9, 0, 10, tzinfo=UTC)


@pytest.fixture(autouse=True)
def clock():
    with time_machine.travel(NOW, tick=False) as clock:
        yield clock


@pytest.fixture
def frieda(db) -> User:
    return users.create_user(name="frieda", password="long-lens-1702")


@pytest.fixture
def phone(frieda) -> Phone:
    return Phone(frieda)


def outcome(code: str, user: User) -> str:
    try:
        accepted = second_factors.check(code=code, by=user)
    except WrongCodeError:
        return "wrong"
    except CodesLockedError:
        return "locked"
    return "recovery" if accepted.is_recovery_code else "right"


def verbs() -> list[str]:
    return [event.verb for event in Event.objects.all()]


def test_a_code_works_once(frieda, phone):
    assert [outcome(phone.code(), frieda) for _ in range(2)] == ["right", "wrong"]


def test_the_code_of_the_set_up_is_used_up(frieda, phone):
    assert outcome(phone.code(-1), frieda) == "wrong"


def test_a_code_before_one_that_was_used_works_no_more(frieda, phone):
    outcome(phone.code(1), frieda)

    assert outcome(phone.code(), frieda) == "wrong"


@pytest.mark.parametrize(("n_steps", "expected"), [(-1, "right"), (1, "right"), (2, "wrong")])
def test_a_phone_whose_clock_is_half_a_minute_off_does(frieda, phone, clock, n_steps, expected):
    clock.shift(timedelta(minutes=5))

    assert outcome(phone.code(n_steps), frieda) == expected


@pytest.mark.database
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("kind", ["app", "recovery"])
def test_of_two_who_send_one_code_at_once_one_comes_in(frieda, phone, kind):
    code = phone.code() if kind == "app" else phone.recovery_codes[0]
    outcomes: list[str] = []

    def send() -> None:
        outcomes.append(outcome(code, frieda))

    with at_work(send, send, send):
        pass

    assert sorted(outcomes) == sorted(["right" if kind == "app" else kind, "wrong", "wrong"])


def test_spaces_and_hyphens_do_not_count(frieda, phone):
    code = phone.code()
    recovery_code = phone.recovery_codes[0].replace("-", " ")

    assert outcome(f" {code[:3]} {code[3:]}", frieda) == "right"
    assert outcome(recovery_code, frieda) == "recovery"


def test_each_recovery_code_works_once(frieda, phone):
    assert len(set(phone.recovery_codes)) == 10
    assert [outcome(code, frieda) for code in phone.recovery_codes] == ["recovery"] * 10
    assert outcome(phone.recovery_codes[0], frieda) == "wrong"
    assert second_factors.n_recovery_codes(frieda) == 0


def test_new_recovery_codes_end_the_old_ones(frieda, phone):
    codes = second_factors.make_recovery_codes(code=phone.code(), by=frieda)

    assert outcome(phone.recovery_codes[0], frieda) == "wrong"
    assert outcome(codes[0], frieda) == "recovery"


def test_nobody_elses_codes_do(frieda, phone):
    other = Phone(UserFactory(username="gustav"))

    assert outcome(other.code(), frieda) == "wrong"
    assert outcome(other.recovery_codes[0], frieda) == "wrong"


# Guesses


def test_five_wrong_codes_lock_the_right_one_and_the_recovery_codes_out(frieda, phone):
    wrong = [outcome(phone.wrong_code(), frieda) for _ in range(5)]

    assert wrong == ["wrong"] * 4 + ["locked"]
    assert outcome(phone.code(), frieda) == "locked"
    assert outcome(phone.recovery_codes[0], frieda) == "locked"
    assert verbs().count("entered too many wrong codes for") == 1


def test_the_wait_is_that_of_wrong_passwords_and_trying_on_does_not_put_it_off(
    frieda, phone, clock, settings
):
    settings.AXES_COOLOFF_TIME = timedelta(minutes=15)
    for _ in range(5):
        outcome(phone.wrong_code(), frieda)
    clock.shift(timedelta(minutes=14))
    with pytest.raises(CodesLockedError) as locked:
        second_factors.check(code=phone.wrong_code(), by=frieda)
    assert locked.value.free_at == NOW + timedelta(minutes=15)

    clock.shift(timedelta(minutes=1))
    accepted = second_factors.check(code=phone.code(), by=frieda)

    assert accepted.was_locked


def test_who_guesses_on_after_the_wait_has_one_try_for_each(frieda, phone, clock):
    for _ in range(5):
        outcome(phone.wrong_code(), frieda)

    for _ in range(3):
        clock.shift(timedelta(minutes=15))
        assert outcome(phone.wrong_code(), frieda) == "locked"
        assert outcome(phone.code(), frieda) == "locked"


def test_a_right_code_sets_the_count_back(frieda, phone):
    for _ in range(4):
        outcome(phone.wrong_code(), frieda)
    assert outcome(phone.code(), frieda) == "right"

    assert [outcome(phone.wrong_code(), frieda) for _ in range(4)] == ["wrong"] * 4


def test_what_is_wrong_counts_though_what_it_was_for_fails(frieda, phone):
    with pytest.raises(WrongCodeError):
        second_factors.remove_own(code=phone.wrong_code(), by=frieda)

    assert SecondFactor.objects.get().n_wrong == 1


# What is stored


def test_the_database_alone_computes_no_code(frieda, phone, settings):
    """Whoever has a copy of it, and another secret key."""
    code, recovery_code = phone.code(), phone.recovery_codes[0]
    stored = str([*SecondFactor.objects.values_list(), *RecoveryCode.objects.values_list()])
    salt = SecondFactor.objects.get().salt
    secret = second_factors.secret(frieda, salt)
    settings.SECRET_KEY = "another"

    assert second_factors.secret(frieda, salt) != secret
    assert outcome(code, frieda) == "wrong"
    assert outcome(recovery_code, frieda) == "wrong"
    assert not any(code.replace("-", "") in stored for code in phone.recovery_codes)


def test_the_history_has_every_act_and_no_secret(frieda, phone, clock):
    root = UserFactory(username="root", is_superuser=True)
    outcome(phone.recovery_codes[0], frieda)
    second_factors.make_recovery_codes(code=phone.code(), by=frieda)
    clock.shift(STEP)
    second_factors.remove_own(code=phone.code(), by=frieda)
    Phone(frieda)
    second_factors.remove(user=frieda, by=root)
    Phone(frieda)
    second_factors.remove_by_command(user=frieda)

    events = [(event.actor, event.verb, event.details) for event in Event.objects.all()]
    assert events[1:] == [
        ("frieda", "set up a second factor for", {}),
        ("frieda", "used a recovery code of", {}),
        ("frieda", "made new recovery codes for", {}),
        ("frieda", "removed the second factor of", {}),
        ("frieda", "set up a second factor for", {}),
        ("root", "removed the second factor of", {}),
        ("frieda", "set up a second factor for", {}),
        ("frieda", "removed the second factor of", {"by_command": True}),
    ]
    assert {event.study for event in Event.objects.all()} == {""}


# Who may


def test_nobody_gets_a_second_one(frieda, phone):
    salt = second_factors.new_salt()
    other = Phone(UserFactory(username="gustav"))

    with pytest.raises(WrongCodeError):
        second_factors.set_up(salt=salt, code=other.code(), by=frieda)
    with pytest.raises(SecondFactorError, match="has a second factor already"):
        Phone(frieda)
    assert SecondFactor.objects.filter(user=frieda).count() == 1


def test_a_factor_that_goes_between_code_and_recovery_codes_is_said(frieda, phone, monkeypatch):
    check = second_factors.check

    def check_and_lose_it(**sent):
        check(**sent)
        SecondFactor.objects.all().delete()

    monkeypatch.setattr(second_factors, "check", check_and_lose_it)

    with pytest.raises(SecondFactorError, match="has no second factor"):
        second_factors.make_recovery_codes(code=phone.code(), by=frieda)


def test_only_administrators_remove_that_of_others_and_not_their_own(frieda, phone):
    root = UserFactory(username="root", is_superuser=True)
    Phone(root)

    with pytest.raises(NotAllowedError):
        second_factors.remove(user=root, by=frieda)
    with pytest.raises(SecondFactorError, match="with a code"):
        second_factors.remove(user=root, by=root)
    assert has_second_factor(root)


def test_there_is_nothing_to_remove_or_to_check_without_one(frieda):
    root = UserFactory(username="root", is_superuser=True)

    for act in (
        lambda: second_factors.remove(user=frieda, by=root),
        lambda: second_factors.remove_by_command(user=frieda),
        lambda: second_factors.check(code="123456", by=frieda),
    ):
        with pytest.raises(SecondFactorError, match="has no second factor"):
            act()


def test_a_user_who_is_deleted_leaves_none(frieda, phone):
    frieda.delete()

    assert not SecondFactor.objects.exists()
    assert not RecoveryCode.objects.exists()
    assert connection.check_constraints() is None
