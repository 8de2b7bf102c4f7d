"""Filters and tags that write figures of agreement."""

from collections.abc import Mapping
from typing import Any

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString

from exports.agreement import wording
from exports.agreement.charts import Cell
from exports.agreement.presenter import Main, main, quote_sentence, quoted_key
from pages.templatetags.pages import share

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


@register.simple_tag
def confusion_cell(cell: Cell, size: int) -> SafeString:
    """A cell of a confusion matrix. A page has hundreds, for which a template takes long."""
    place = format_html('x="{}" y="{}" width="{}" height="{}"', cell.x, cell.y, size, size)
    return format_html(
        "<g><title>{row}, {column}: {n}</title>"
        '<rect class="cell" {place} fill-opacity="{opacity}"/><rect class="frame" {place}/>'
        '<svg {place}><text x="50%" y="44%" text-anchor="middle">{share}</text>'
        '<text class="small-text" x="50%" y="72%" text-anchor="middle">{n}</text></svg></g>',
        row=cell.row,
        column=cell.column,
        n=cell.n,
        place=place,
        opacity=cell.opacity,
        share="\N{EN DASH}" if cell.share is None else share(cell.share, 1),
    )


@register.simple_tag
def interval_bar(interval: Mapping[str, Any]) -> SafeString:
    """The interval on a line from 0 to 1, which is 100 wide; nothing without one. The numbers stand beside it."""
    if interval["low"] is None:
        return SafeString("")
    low, high = (100 * min(1.0, max(0.0, interval[end])) for end in ("low", "high"))
    return format_html(
        '<svg class="bar chart interval-bar" viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">'
        '<line class="axis" x1="0" x2="100" y1="5" y2="5"/>'
        '<rect class="bar-1" x="{}" width="{}" height="10"/></svg>',
        round(low, 1),
        round(max(high - low, 1.0), 1),
    )


@register.filter
def minute(timestamp: str) -> str:
    """The timestamp to the minute: 2026-01-31 12:00."""
    return timestamp[:16].replace("T", " ")
