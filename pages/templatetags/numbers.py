"""Numbers on pages. All templates have these filters, this floatformat in place of Django's."""

from typing import Any

from django import template
from django.template import defaultfilters

register = template.Library()

MINUS = "\N{MINUS SIGN}"


@register.filter
def floatformat(number: Any, places: int | str = -1) -> str:
    """Return the number as Django's filter does, with a minus sign in place of a hyphen."""
    return with_minus_signs(defaultfilters.floatformat(number, places))


def with_minus_signs(number: str) -> str:
    """Return a number or several in a text with minus signs, for pages: files have hyphens."""
    return number.replace("-", MINUS)
