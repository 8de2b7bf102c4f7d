"""Figures of a comparison of runs as people read them."""

from django import template

from exports.comparison import summary_table
from exports.templatetags.estimates import MINUS

register = template.Library()


@register.filter
def written(value: float, how: summary_table.How) -> str:
    return summary_table.written(value, how)


@register.filter
def plus_or_minus(value: float, places: int = 2) -> str:
    """A number that may be below 0, with a sign as it is printed."""
    text = f"{value:.{places}f}"
    return text.removeprefix("-") if float(text) == 0 else text.replace("-", MINUS)
