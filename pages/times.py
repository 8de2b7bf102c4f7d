"""Times on pages: in UTC, and by a script (static/js/local_times.js) in the zone of the browser."""

import re
from datetime import UTC, datetime
from typing import Any

from django import forms
from django.utils.dateparse import parse_datetime
from django.utils.html import escape, format_html
from django.utils.safestring import SafeString

INPUT_FORMAT = "%Y-%m-%dT%H:%M"


def in_utc(at: datetime) -> str:
    """Return a time in words: 2026-03-02 09:00 UTC."""
    return f"{at:%Y-%m-%d %H:%M} UTC"


def time_element(at: datetime) -> SafeString:
    """Return a time as an element whose text the script replaces by the local time."""
    return format_html(
        '<time datetime="{}" data-local>{}</time>', at.isoformat(timespec="seconds"), in_utc(at)
    )


WRITTEN = re.compile(r"\b\d{4}-\d\d-\d\d \d\d:\d\d UTC\b")


def with_elements(text: str) -> SafeString:
    """Return a sentence with each time in it, as in_utc() writes it, as an element; the rest is escaped."""
    parts = []
    end = 0
    for found in WRITTEN.finditer(text):
        at = _parsed(found[0].removesuffix(" UTC"))
        if at is not None:
            parts += [escape(text[end : found.start()]), time_element(at.replace(tzinfo=UTC))]
            end = found.end()
    return SafeString("".join([*parts, escape(text[end:])]))


class LocalTimeInput(forms.DateTimeInput):
    """A date and time in UTC, or with the script in the browser's zone: then it is sent with its offset."""

    def __init__(self) -> None:
        super().__init__(attrs={"type": "datetime-local", "data-local": True}, format=INPUT_FORMAT)

    def format_value(self, value: Any) -> str | None:
        """Return the time in UTC, also of a text that was sent with an offset."""
        at = _parsed(value) if isinstance(value, str) else value
        if isinstance(at, datetime) and at.tzinfo is not None:
            try:
                at = at.astimezone(UTC)
            except OverflowError:
                return str(value)
        return super().format_value(at or value)


def _parsed(text: str) -> datetime | None:
    try:
        return parse_datetime(text)
    except ValueError:
        return None


def zone_in_help(text: str) -> SafeString:
    """Return a help text after the name of the zone, which the script replaces by the browser's."""
    return format_html("In the time zone <span data-zone>UTC</span>. {}", text)
