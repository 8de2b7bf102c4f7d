"""Estimates with their intervals as people read them."""

from django import template

from sampling.templatetags.sampling import fate
from stats.stratified_estimate import NOTHING_JUDGED, NOTHING_OF_RUN, Figure

register = template.Library()
MINUS = "\N{MINUS SIGN}"


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
    for beginning in (NOTHING_JUDGED, NOTHING_OF_RUN):
        before, colon, names = reason.partition(beginning)
        if colon:
            called = (fate(name).lower() for name in names.split(", "))
            return f"{before}{beginning}{', '.join(called)}"
    return reason


@register.filter
def points(difference: float) -> str:
    """A difference of shares in points of per cent, with a sign as it is printed: -2.5 points."""
    return f"{signed(difference)} points"


@register.filter
def signed(difference: float) -> str:
    """The same without the word, where the other end of an interval has it."""
    text = f"{100 * difference:.1f}"
    return "0.0" if text == "-0.0" else text.replace("-", MINUS)


@register.filter
def p_value(p: float) -> str:
    """.032; below .001 only that."""
    return "< .001" if p < 0.001 else f"{p:.3f}".removeprefix("0")
