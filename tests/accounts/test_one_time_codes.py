"""Codes as authenticator apps compute them: accounts/one_time_codes.py."""

from datetime import UTC, datetime, timedelta

import pytest

from accounts import one_time_codes
from tests.cases import all_cases

# The secret of the examples in RFC 4226, appendix D, and RFC 6238, appendix B (SHA-1).
SECRET = b"12345678901234567890"
HOTP = [
    "755224",
    "287082",
    "359152",
    "969429",
    "338314",
    "254676",
    "287922",
    "162583",
    "399871",
    "520489",
]
# Seconds since 1970, and the last six digits of the code of eight.
TOTP = {
    59: "287082",
    1111111109: "081804",
    1111111111: "050471",
    1234567890: "005924",
    2000000000: "279037",
    20000000000: "353130",
}


def at(seconds: float) -> datetime:
    return datetime(1970, 1, 1, tzinfo=UTC) + timedelta(seconds=seconds)


@all_cases(("seconds", "code"), TOTP.items())
def test_codes_are_those_of_rfc_6238(seconds, code):
    assert one_time_codes.step(SECRET, code, at=at(seconds)) == seconds // 30


@all_cases(("step", "code"), [*enumerate(HOTP)])
def test_the_codes_of_steps_are_those_of_rfc_4226(step, code):
    assert one_time_codes.step(SECRET, code, at=at(30 * step + 30)) == step


@pytest.mark.parametrize(
    ("seconds", "is_right"), [(89, False), (90, True), (149.9, True), (179.9, True), (180, False)]
)
def test_a_code_is_right_during_its_step_and_one_on_each_side(seconds, is_right):
    """Step 4 lasts from 120 to 150 seconds."""
    assert (one_time_codes.step(SECRET, HOTP[4], at=at(seconds)) == 4) is is_right


@all_cases("code", ["", "28708", "2870822", "28708٢", "\x00", "é" * 300])
def test_anything_else_is_no_code(code):
    assert one_time_codes.step(SECRET, code, at=at(59)) is None


def test_the_address_of_the_qr_code_names_key_user_and_site():
    address = one_time_codes.address(SECRET, name="frieda at lamps.example")

    assert address == (
        "otpauth://totp/Touchstone:frieda%20at%20lamps.example"
        "?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=Touchstone"
    )
