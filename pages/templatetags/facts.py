"""Stored values by name as a list of facts."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from django import template

from pages.words import name_in_words

register = template.Library()

# Of a digest people read the first digits.
DIGEST = re.compile("[0-9a-f]{64}")


@register.filter
def facts(values: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Return a job's result or an event's details as (name, value), nested ones flattened."""
    return list(_facts("", values))


def _facts(within: str, values: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for name, value in values.items():
        what = f"{within} {name_in_words(name)}".strip()
        if isinstance(value, Mapping) and value:
            yield from _facts(what, value)
        else:
            yield what, _in_words(value)


def _in_words(value: Any) -> str:
    if value is None or value in ("", [], {}):
        return "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return f"{value:,}"
    if isinstance(value, list):
        return "; ".join(_in_words(each) for each in value)
    if isinstance(value, Mapping):
        return ", ".join(f"{part} {text}" for part, text in _facts("", value))
    text = str(value)
    return f"{text[:12]}…" if DIGEST.fullmatch(text) else text
