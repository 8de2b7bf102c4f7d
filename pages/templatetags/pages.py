"""What templates say in many places."""

from datetime import datetime
from typing import Any

from django import template
from django.utils.safestring import SafeString

from pages import markdown as md

register = template.Library()


@register.filter
def markdown(text: str, below: int = 1) -> SafeString:
    """What people wrote; where it stands under another heading than the page's own: {{ text|markdown:2 }}."""
    return md.html(text, below=below)


@register.filter
def count(n: int, words: str) -> str:
    """A number with its thing: {{ n|count:"item" }} or {{ n|count:"child,children" }}."""
    one, _, many = words.partition(",")
    return f"{n:,} {one if n == 1 else many or one + 's'}"


@register.filter
def when(at: datetime | None) -> str:
    """A time in UTC, as everywhere: 2026-03-02 09:00 UTC."""
    return f"{at:%Y-%m-%d %H:%M} UTC" if at else ""


@register.filter
def share(part: float, whole: float) -> str:
    """A share in per cent; of nothing it is undefined, and said so."""
    return f"{100 * part / whole:.0f} %" if whole else "undefined"


@register.filter
def percent(share: float) -> str:
    """A small share, with what is behind the point: 0.77 %."""
    return f"{100 * share:.2f}".rstrip("0").rstrip(".") + " %"


@register.inclusion_tag("_components/progress.html")
def progress(n_done: int, n_all: int, label: str) -> dict[str, Any]:
    return {"n_done": n_done, "n_all": n_all, "label": label}


@register.simple_tag(takes_context=True)
def here(context: dict[str, Any], href: str) -> SafeString:
    """What marks the link of a navigation that leads to this page, or to the part it belongs to."""
    path = context["request"].path
    if path == href:
        return SafeString(' aria-current="page"')
    return SafeString(' aria-current="true"' if path.startswith(href) else "")
