"""Figures of a comparison of runs as people read them."""

from collections.abc import Mapping
from typing import Any

from django import template

from exports.comparison import summary_table
from exports.comparison.presenter import Section
from exports.templatetags.estimates import MINUS, interval_or_reason, p_value

register = template.Library()


@register.filter
def written(value: float, how: summary_table.How) -> str:
    return summary_table.written(value, how)


@register.filter
def plus_or_minus(value: float, places: int = 2) -> str:
    """A number that may be below 0, with a sign as it is printed."""
    text = f"{value:.{places}f}"
    return text.removeprefix("-") if float(text) == 0 else text.replace("-", MINUS)


@register.filter
def written_interval(interval: Mapping[str, Any], how: summary_table.How) -> str:
    """3.1 to 3.6, or why there is no interval."""
    return interval_or_reason(interval, lambda end: summary_table.written(end, how))


@register.filter
def signed_interval(interval: Mapping[str, Any]) -> str:
    return interval_or_reason(interval, plus_or_minus)


@register.filter
def sides_in_words(section: Section) -> str:
    """Which shares of the decided judgements prefer the left and the longer answer."""
    left, longer = section.setup["left_bias"], section.setup["length"]["preferred"]["longer"]
    parts = []
    if left["share"]["value"] is not None:
        p = "" if left["test"]["p"] is None else f" (p {p_value(left['test']['p'])})"
        parts.append(f"{written(left['share']['value'], 'share')} prefer the left{p}")
    if longer["value"] is not None:
        parts.append(f"{written(longer['value'], 'share')} the longer")
    if not parts:
        return "Nobody preferred either"
    return f"Of the decided judgements {', '.join(parts)}"
