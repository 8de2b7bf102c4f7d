"""Tags of the page of what differs between two releases."""

from collections.abc import Mapping
from typing import Any

from django import template

from exports.models import Release
from exports.releases import difference_queries
from pages.templatetags.numbers import floatformat

register = template.Library()


@register.simple_tag
def comparable_releases(release: Release) -> list[Release]:
    """Return the earlier releases that this one can be compared with, newest first."""
    return difference_queries.earlier(release)


@register.filter
def figure_of_release(figure: Mapping[str, Any] | None) -> str:
    """A figure of one of two releases: 0.512 (0.412 to 0.633), a dash where the release lacks it."""
    if figure is None:
        return "\N{EN DASH}"
    if figure["value"] is None:
        return f"undefined: {figure['reason']}"
    value, interval = floatformat(figure["value"], 3), figure["interval"]
    if interval["low"] is None:
        return value
    return f"{value} ({floatformat(interval['low'], 3)} to {floatformat(interval['high'], 3)})"
