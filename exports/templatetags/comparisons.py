"""Filters that write figures of a comparison of runs."""

from collections.abc import Callable, Mapping
from typing import Any

from django import template

from exports.comparison import summary_table
from exports.comparison.presenter import Section
from exports.templatetags.estimates import interval_or_reason, p_value
from pages.templatetags.numbers import MINUS

register = template.Library()


@register.filter
def value_text(value: float, unit: summary_table.Unit) -> str:
    return summary_table.value_text(value, unit)


@register.filter
def plus_or_minus(value: float, places: int = 2) -> str:
    """A number with a typographic minus sign if it is below 0."""
    text = f"{value:.{places}f}"
    return text.removeprefix("-") if float(text) == 0 else text.replace("-", MINUS)


@register.filter
def interval_text(interval: Mapping[str, Any], unit: summary_table.Unit) -> str:
    """An interval as 3.1 to 3.6, or why there is none."""
    return interval_or_reason(interval, lambda end: summary_table.value_text(end, unit))


@register.filter
def interval_lines(figure: Mapping[str, Any], unit: summary_table.Unit) -> list[str]:
    """The intervals of a figure: that for people like those who judged, then that for these people.

    Figures that no people judged have one interval.
    """
    return _interval_lines(figure, lambda interval: interval_text(interval, unit))


@register.filter
def signed_interval_lines(figure: Mapping[str, Any]) -> list[str]:
    return _interval_lines(figure, signed_interval)


def _interval_lines(
    figure: Mapping[str, Any], write: Callable[[Mapping[str, Any]], str]
) -> list[str]:
    own, people = figure["interval"], figure.get("people_interval")
    if people is None or (people["low"] is None and own["low"] is None):
        return [write(own)]
    these = f"these people: {write(own)}"
    return [these] if people["low"] is None else [write(people), these]


@register.filter
def signed_interval(interval: Mapping[str, Any]) -> str:
    return interval_or_reason(interval, plus_or_minus)


@register.filter
def sides_in_words(section: Section) -> str:
    """The shares of decided judgements that prefer the left and the longer answer, as a sentence."""
    left, longer = section.setup["left_bias"], section.setup["length"]["preferred"]["longer"]
    parts = []
    if left["share"]["value"] is not None:
        p = "" if left["test"]["p"] is None else f" (p {p_value(left['test']['p'])})"
        parts.append(f"{value_text(left['share']['value'], 'share')} prefer the left{p}")
    if longer["value"] is not None:
        parts.append(f"{value_text(longer['value'], 'share')} the longer")
    if not parts:
        return "Nobody preferred either"
    return f"Of the decided judgements {', '.join(parts)}"
