"""Filters that write figures of agreement."""

from collections.abc import Mapping
from typing import Any

from django import template

from exports.agreement import wording
from exports.agreement.presenter import Main, main, quote_sentence, quoted_key

register = template.Library()


register.filter(quote_sentence)
register.filter(quoted_key)


@register.filter
def main_figures(figures: Mapping[str, Any]) -> list[Main]:
    return main(figures)


@register.filter
def why_not_generalised(interval: Mapping[str, Any]) -> str:
    """Why there is no interval for other annotators."""
    return wording.reason(interval["reason"])


@register.filter
def interval_bar(interval: Mapping[str, Any]) -> dict[str, float] | None:
    """The coordinates of an interval on a bar from 0 to 1 that is 100 wide; None without an
    interval.
    """
    if interval["low"] is None:
        return None
    low, high = (100 * min(1.0, max(0.0, interval[end])) for end in ("low", "high"))
    return {"x": round(low, 1), "width": round(max(high - low, 1.0), 1)}


@register.filter
def minute(timestamp: str) -> str:
    """The timestamp to the minute: 2026-01-31 12:00."""
    return timestamp[:16].replace("T", " ")
