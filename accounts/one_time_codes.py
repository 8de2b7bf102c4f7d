"""Codes of six digits that change every 30 seconds (RFC 6238), as authenticator apps show them."""

import base64
from datetime import datetime

from pyotp import TOTP
from pyotp.exceptions import OTPVerificationError

N_DIGITS = 6
# Clocks differ and people type slowly: the code before and the one after are right too.
N_STEPS_BESIDE = 1


def key(secret: bytes) -> str:
    """Return the secret as people type it into an app."""
    return base64.b32encode(secret).decode("ascii")


def address(secret: bytes, *, name: str) -> str:
    """Return what the QR code for an app contains."""
    return TOTP(key(secret)).provisioning_uri(name=name, issuer_name="Touchstone")


def step(secret: bytes, code: str, *, at: datetime) -> int | None:
    """Return the number of the 30 seconds since 1970 to which the code belongs; None for a wrong one."""
    try:
        return TOTP(key(secret)).verify_and_get_timecode(
            code, for_time=at, valid_window=N_STEPS_BESIDE
        )
    except OTPVerificationError:
        return None
