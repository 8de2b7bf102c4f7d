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
def with_figures(agreement: Mapping[str, Any]) -> dict[str, Any]:
    """The questions that have a figure; a single question also without one."""
    if len(agreement) == 1:
        return dict(agreement)
    return {asked: each for asked, each in agreement.items() if each["raw"]["value"] is not None}


@register.filter
def without_figures(agreement: Mapping[str, Any]) -> list[str]:
    """A sentence for each reason why questions have no figure, with the names of the questions."""
    shown = with_figures(agreement)
    asked_by_reason: dict[str, list[str]] = {}
    for asked, figures in agreement.items():
        if asked not in shown:
            asked_by_reason.setdefault(figures["raw"]["reason"], []).append(asked)
    return [
        f"No figure can be reported for {', '.join(asked)}: {reason}."
        for reason, asked in asked_by_reason.items()
    ]


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
