"""Estimates with their intervals as people read them."""

from django import template

from exports.missed import NOTHING_JUDGED, Figure
from sampling.templatetags.sampling import fate

register = template.Library()


@register.filter
def about_so_many(figure: Figure) -> str:
    """37 (4 to 120): whole numbers, as the things that are counted are."""
    if figure.value is None:
        return "not known"
    return f"{figure.value:,.0f}{_interval(figure, 1, '')}"


@register.filter
def about_share(figure: Figure) -> str:
    """62 % (40 to 81 %)."""
    if figure.value is None:
        return "not known"
    return f"{100 * figure.value:.0f} %{_interval(figure, 100, ' %')}"


def _interval(figure: Figure, scale: int, unit: str) -> str:
    if figure.low is None or figure.high is None:
        return ""
    return f" ({scale * figure.low:,.0f} to {scale * figure.high:,.0f}{unit})"


@register.filter
def why(figure: Figure) -> str:
    """Why there is no value, or no interval; nothing where there are both."""
    return figure.reason or figure.no_interval or ""


@register.filter
def why_in_words(reason: str) -> str:
    """The reason with the strata called as on the page."""
    before, colon, names = reason.partition(NOTHING_JUDGED)
    if not colon:
        return reason
    return f"{before}{NOTHING_JUDGED}{', '.join(fate(name).lower() for name in names.split(', '))}"
