"""Filters and tags that write estimates with their intervals."""

from collections.abc import Callable, Mapping
from typing import Any

from django import template
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from exports.results.charts import Mark
from pages.templatetags.components import undefined
from pages.templatetags.numbers import MINUS, floatformat
from pages.templatetags.pages import share
from sampling.templatetags.sampling import fate
from stats.stratified_estimate import NOTHING_JUDGED, NOTHING_OF_RUN, Figure

register = template.Library()


@register.filter
def estimated_number(figure: Figure) -> str:
    """An estimated number with its interval as whole numbers: 37 (4 to 120)."""
    if figure.value is None:
        return "not known"
    return f"{figure.value:,.0f}{_interval(figure, 1, '')}"


@register.filter
def estimated_share(figure: Figure) -> str:
    """An estimated share with its interval: 62 % (40 to 81 %)."""
    if figure.value is None:
        return "not known"
    return f"{100 * figure.value:.0f} %{_interval(figure, 100, ' %')}"


def _interval(figure: Figure, scale: int, unit: str) -> str:
    if figure.low is None or figure.high is None:
        return ""
    return f" ({scale * figure.low:,.0f} to {scale * figure.high:,.0f}{unit})"


@register.filter
def interval_ends(interval: Mapping[str, Any], places: int = 3) -> str:
    """The ends of an interval: 0.412 to 0.633."""
    return f"{floatformat(interval['low'], places)} to {floatformat(interval['high'], places)}"


@register.filter
def share_interval_ends(interval: Mapping[str, Any]) -> str:
    """The ends of an interval of shares: 41 % to 63 %."""
    return f"{share(interval['low'], 1)} to {share(interval['high'], 1)}"


@register.filter
def value_and_interval(figure: Mapping[str, Any]) -> str:
    """A value with its interval, 0.512 (0.412 to 0.633), or why either is missing."""
    if figure["value"] is None:
        return f"undefined: {figure['reason']}"
    value = floatformat(figure["value"], 3)
    if figure["low"] is None:
        return f"{value}, no interval: {figure['no_interval']}"
    return f"{value} ({interval_ends(figure)})"


@register.simple_tag
def figure_cell(figure: Mapping[str, Any]) -> SafeString:
    """A value with its interval below it, or why there is none. Tables have hundreds, for which a template takes long."""
    if figure["value"] is None:
        return format_html(
            '<span class="quiet">undefined</span><span class="under">{}</span>', figure["reason"]
        )
    value, interval = floatformat(figure["value"], 3), figure.get("interval")
    if not interval:
        return format_html("{}", value)
    below = interval_or_reason(interval, lambda end: floatformat(end, 3))
    return format_html('{} <span class="under">{}</span>', value, below)


@register.filter
def share_and_interval(rate: Mapping[str, Any]) -> str:
    """A share with its interval, 51 % (41 % to 63 %), or why it is undefined; with bounds, if answers
    are open: 51 % (41 % to 63 %); 2 not settled: 48 % to 66 %.
    """
    rest = ""
    if n_open := rate.get("n_not_settled"):
        low, high = rate["bounds"]
        rest = f"; {n_open} not settled: {share(low, 1)} to {share(high, 1)}"
    if rate["value"] is None:
        return f"undefined: {rate['reason']}{rest}"
    value, interval = share(rate["value"], 1), rate["interval"]
    ends = "" if interval["low"] is None else f" ({share_interval_ends(interval)})"
    return value + ends + rest


@register.filter
def shares_in_words(rate: Mapping[str, Any]) -> str:
    """The shares whose product a rate is, with a multiplication sign: 3 of 4, 1 of 2."""
    return " \N{MULTIPLICATION SIGN} ".join(
        f"{each['n_accepted']} of {each['n_questions']}" for each in rate["shares"]
    )


@register.filter
def undefined_reason(figure: Figure) -> str:
    """Why there is no value, or no interval; empty if there are both."""
    return figure.reason or figure.no_interval or ""


@register.filter
def reason_in_words(reason: str) -> str:
    """The reason, with the names of strata that the page has."""
    for beginning in (NOTHING_JUDGED, NOTHING_OF_RUN):
        before, colon, names = reason.partition(beginning)
        if colon:
            called = (fate(name).lower() for name in names.split(", "))
            return f"{before}{beginning}{', '.join(called)}"
    return reason


@register.filter
def points(difference: float) -> str:
    """A difference of shares in percentage points, with a typographic minus sign: -2.5 points."""
    return f"{signed(difference)} points"


@register.filter
def signed(difference: float) -> str:
    """A difference of shares in percentage points, without the word."""
    text = f"{100 * difference:.1f}"
    return "0.0" if text == "-0.0" else text.replace("-", MINUS)


@register.filter
def p_value(p: float) -> str:
    """A p-value: .032, or < .001."""
    return "< .001" if p < 0.001 else f"{p:.3f}".removeprefix("0")


@register.filter
def share_interval(interval: Mapping[str, Any]) -> str:
    """An interval of shares as 40 % to 81 %, or why there is none."""
    return interval_or_reason(interval, lambda end: share(end, 1))


@register.filter
def rate_interval_lines(rate: Mapping[str, Any]) -> list[str]:
    """The intervals of a rate: for people like those who judged, if there is one, with the part of its
    variance that is due to people, and for these.
    """
    return _interval_lines(rate, share_interval)


@register.simple_tag
def rate_cell(rate: Mapping[str, Any]) -> SafeString:
    """The cell of a rate: with what it rests on, its interval and its bounds, or why there is none.

    A table has one for each run and measure: as a template it took most of the time of the page.
    """
    below = [weighted_rate(rate["weighted"])] if rate.get("weighted") else []
    if n_open := rate["n_not_settled"]:
        low, high = rate["bounds"]
        below.append(f"{n_open} not settled: {share(low, 1)} to {share(high, 1)}")
    if rate["value"] is None:
        value = undefined(rate["reason"])
    else:
        value = format_html("{}", share(rate["value"], 1))
        below = [shares_in_words(rate), *rate_interval_lines(rate), *below]
    lines = format_html_join(" ", '<span class="under">{}</span>', ((line,) for line in below))
    return format_html("{} {}", value, lines)


@register.filter
def weighted_rate(weighted: Mapping[str, Any]) -> str:
    """A weighted rate with its interval: weighted 61.2 % (50.1 % to 71.3 %)."""
    if weighted["value"] is None:
        return f"weighted: {weighted['reason']}"
    interval = weighted["interval"]
    ends = "" if interval["low"] is None else f" ({share_interval_ends(interval)})"
    return f"weighted {share(weighted['value'], 1)}{ends}"


@register.filter
def pair_interval_lines(pair: Mapping[str, Any]) -> list[str]:
    """The intervals of a difference of rates, as `rate_interval_lines` has them."""
    return _interval_lines(pair, points_interval)


def _interval_lines(
    figure: Mapping[str, Any], write: Callable[[Mapping[str, Any]], str]
) -> list[str]:
    people = figure["people_interval"]
    if people["low"] is None:
        return [write(figure["interval"])]
    made = figure.get("share_of_people")
    made_by_people = [] if made is None else [f"due to people: {100 * made:.0f} %"]
    return [write(people), *made_by_people, f"these people: {write(figure['interval'])}"]


@register.filter
def points_interval(interval: Mapping[str, Any]) -> str:
    return interval_or_reason(interval, signed)


def interval_or_reason(interval: Mapping[str, Any], write: Callable[[float], str]) -> str:
    if interval["low"] is None:
        return f"no interval: {interval['reason']}"
    return f"{write(interval['low'])} to {write(interval['high'])}"


@register.filter
def rate_in_words(mark: Mark) -> str:
    """The picture of a rate in words: 60 %, 95 % interval 40 to 81 %; bounds 20 to 90 %."""
    if mark.value is None:
        return "no rate"
    words = f"{floatformat(mark.value, 0)} %"
    if mark.low is None:
        words += ", no interval"
    else:
        words += f", 95 % interval {floatformat(mark.low, 0)} to {floatformat(mark.high, 0)} %"
    if mark.span:
        words += f"; bounds {floatformat(mark.least, 0)} to {floatformat(mark.most, 0)} %"
    return words
