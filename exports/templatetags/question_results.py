"""Filters for the results by question."""

from typing import Any

from django import template

from exports.question_results import figures

register = template.Library()


@register.filter
def is_few(mean: Any) -> bool:
    """Return whether a mean is of so few values that it is printed grey."""
    return figures.is_few(mean)
