"""Filters and tags that all templates use."""

from datetime import datetime
from typing import Any

from django import template
from django.urls import reverse
from django.utils.safestring import SafeString

from pages import documents
from pages import markdown as md
from pages.help_topics import TOPICS
from pages.times import in_utc, time_element, with_elements

register = template.Library()


@register.filter
def markdown(text: str, below: int = 1) -> SafeString:
    """Return the Markdown as HTML, below a heading of level `below`: {{ text|markdown:2 }}."""
    return md.html(text, below=below)


@register.filter
def plain_text(text: str) -> str:
    """Return the Markdown as plain words in one paragraph, for lists."""
    return md.plain_text(text)


@register.filter
def count(n: int, words: str) -> str:
    """Return a number with its noun: {{ n|count:"item" }} or {{ n|count:"child,children" }}."""
    one, _, many = words.partition(",")
    return f"{n:,} {one if n == 1 else many or one + 's'}"


@register.filter
def when(at: datetime | None) -> SafeString:
    """Return a time as an element: in UTC, and by a script in the browser's zone."""
    return time_element(at) if at else SafeString("")


@register.filter
def when_text(at: datetime | None) -> str:
    """Return a time in UTC, for an attribute: 2026-03-02 09:00 UTC."""
    return in_utc(at) if at else ""


@register.filter
def times(text: str) -> SafeString:
    """Return a sentence with the times in it as elements, which a script shows in the browser's zone."""
    return with_elements(text)


@register.filter
def share(part: float, whole: float) -> str:
    """Return a share in per cent, "undefined" if the whole is 0."""
    return f"{100 * part / whole:.0f} %" if whole else "undefined"


@register.filter
def margin(half_width: float) -> str:
    """Return half the width of an interval of a share: ± 15.7 points."""
    return f"±\u00a0{100 * half_width:.1f} points"


@register.filter
def percent(share: float) -> str:
    """Return a small share in per cent with up to two decimals: 0.77 %."""
    return f"{100 * share:.2f}".rstrip("0").rstrip(".") + " %"


@register.inclusion_tag("_components/progress.html")
def progress(n_done: int, n_all: int, label: str) -> dict[str, Any]:
    return {"n_done": n_done, "n_all": n_all, "label": label}


@register.simple_tag(takes_context=True)
def here(context: dict[str, Any], href: str, *elsewhere: str) -> SafeString:
    """Return the attribute of a navigation link to this page, or to the section it belongs to.

    `elsewhere` are the folders beside that of `href` whose pages belong to its section too.
    """
    path = context["request"].path
    if path == href:
        return SafeString(' aria-current="page"')
    beside = href.rstrip("/").rpartition("/")[0]
    folders = (href, *(f"{beside}/{each}/" for each in elsewhere))
    return SafeString(' aria-current="true"' if path.startswith(folders) else "")


@register.simple_tag(takes_context=True)
def help_address(context: dict[str, Any]) -> str:
    """Return the address of the help on this page, of all help if it has none; "" without documents."""
    if not documents.is_installed():
        return ""
    match = getattr(context.get("request"), "resolver_match", None)
    document, _, anchor = TOPICS.get(match.url_name if match else "", "").partition("#")
    return f"{reverse('help_document', args=[document])}#{anchor}" if document else reverse("help")
