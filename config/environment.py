"""Settings as environment variables say them, checked.

An invalid variable raises ImproperlyConfigured with its name.
"""

import logging
import os
from pathlib import Path

from django.core.exceptions import ImproperlyConfigured

A_DAY = 24 * 60 * 60  # seconds
SHORTEST_TOKEN = 20
LEVELS = [logging.getLevelName(level) for level in range(logging.DEBUG, logging.CRITICAL + 1, 10)]


def text(name: str, default: str = "") -> str:
    return os.environ.get(name, "").strip() or default


def flag(name: str, *, default: bool = False) -> bool:
    given = text(name, "1" if default else "0")
    if given.lower() in {"1", "true", "yes", "on"}:
        return True
    if given.lower() in {"0", "false", "no", "off"}:
        return False
    raise ImproperlyConfigured(f"{name}={given}: say 1 or 0")


def seconds(name: str, default: float) -> float:
    given = text(name, str(default))
    try:
        number = float(given)
    except ValueError as error:
        raise ImproperlyConfigured(f"{name}={given}: give a number of seconds") from error
    if not 0 < number <= A_DAY:
        raise ImproperlyConfigured(f"{name}={given}: give seconds above 0, at most {A_DAY} (a day)")
    return number


def count(name: str, most: int, *, least: int = 0, default: int = 0) -> int:
    given = text(name, str(default))
    if not (given.isascii() and given.isdigit() and least <= int(given) <= most):
        raise ImproperlyConfigured(f"{name}={given}: give a whole number from {least} to {most}")
    return int(given)


def level(name: str, default: str) -> str:
    given = text(name, default).upper()
    if given not in LEVELS:
        raise ImproperlyConfigured(f"{name}={given}: give one of {', '.join(LEVELS)}")
    return given


def choice(name: str, *choices: str) -> str:
    """Return the variable's value, by default the first choice."""
    given = text(name, choices[0])
    if given not in choices:
        raise ImproperlyConfigured(f"{name}={given}: give one of {', '.join(choices)}")
    return given


def token(name: str) -> str:
    given = text(name)
    if 0 < len(given) < SHORTEST_TOKEN:
        raise ImproperlyConfigured(f"{name} can be guessed: give {SHORTEST_TOKEN} letters or more")
    return given


def texts(name: str, default: str = "") -> list[str]:
    return [part.strip() for part in text(name, default).split(",") if part.strip()]


def models(name: str) -> dict[str, str]:
    """Return by the name that pages show, the last part of a folder, what the variable says."""
    models: dict[str, str] = {}
    for model in texts(name):
        shown = Path(model).name if Path(model).is_absolute() else model
        if shown in models:
            raise ImproperlyConfigured(f"{name} has two models of the name {shown}")
        models[shown] = model
    return models
