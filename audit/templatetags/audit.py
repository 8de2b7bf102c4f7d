"""Events in words."""

from uuid import UUID

from django import template
from django.urls import NoReverseMatch, reverse

from audit import wording
from audit.models import Event

register = template.Library()


@register.filter
def act(event: Event) -> str:
    return wording.action_in_words(event.verb, event.target)


@register.filter
def summary(event: Event) -> str:
    return wording.summary(event.verb, event.details)


@register.filter
def is_abridged(event: Event) -> bool:
    return wording.is_abridged(event.verb)


@register.filter
def target_url(event: Event) -> str:
    """Return the address of the item or job of an event; empty for other events."""
    kind, _, which = event.target.partition(" ")
    try:
        if kind == "item":
            return reverse("item", args=[event.study, UUID(which)])
        if kind == "job":
            return reverse("job", args=[event.study, int(event.details["job"])])
    except (KeyError, TypeError, ValueError, NoReverseMatch):
        return ""  # of no study, or not as events are kept now
    return ""
