"""Jobs and events as people read them."""

import re
from collections.abc import Iterator, Mapping
from typing import Any
from uuid import UUID

from django import template
from django.urls import NoReverseMatch, reverse

from activity import telling
from activity.models import Event, Job, JobState

register = template.Library()

# A digest says what it is by its first digits too, and is not read by people.
DIGEST = re.compile("[0-9a-f]{64}")


@register.filter
def kind_in_words(kind: str) -> str:
    return telling.kind_in_words(kind)


@register.filter
def state_in_words(job: Job) -> str:
    """A check that found its files wrong is done as a job, and yet no good news."""
    if job.state == JobState.DONE and job.result.get("found_problems"):
        return "problems found"
    return job.get_state_display().lower()


@register.filter
def tens(job: Job) -> int:
    """The per cent that are done, in steps of ten: what is said aloud must not be said each second.

    The job comes from with_progress() and is planned.
    """
    return 10 * (10 * job.n_done // job.n_units)


@register.filter
def failure(job: Job) -> str:
    """Why a job failed; where its problems stand below by row, without the list of them."""
    return job.message.partition("\n")[0] if job.n_errors else job.message


@register.filter
def told(event: Event) -> str:
    return telling.what(event.verb, event.target)


@register.filter
def how(event: Event) -> str:
    return telling.how(event.verb, event.details)


@register.filter
def leaves_out(event: Event) -> bool:
    return telling.leaves_out(event.verb)


@register.filter
def leads_to(event: Event) -> str:
    """The page of the item or job that an event speaks of; "" of others."""
    kind, _, which = event.target.partition(" ")
    try:
        if kind == "item":
            return reverse("item", args=[event.study, UUID(which)])
        if kind == "job":
            return reverse("job", args=[event.study, int(event.details["job"])])
    except (KeyError, TypeError, ValueError, NoReverseMatch):
        return ""  # of no study, or not as events are kept now
    return ""


@register.filter
def facts(values: Mapping[str, Any]) -> list[tuple[str, str]]:
    """What a job gave or an event keeps, as (what, how much or which); parts stand after their whole."""
    return list(_facts("", values))


def _facts(within: str, values: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for name, value in values.items():
        what = f"{within} {telling.in_words(name)}".strip()
        if isinstance(value, Mapping) and value:
            yield from _facts(what, value)
        else:
            yield what, _said(value)


def _said(value: Any) -> str:
    if value is None or value in ("", [], {}):
        return "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return f"{value:,}"
    if isinstance(value, list):
        return "; ".join(_said(each) for each in value)
    if isinstance(value, Mapping):
        return ", ".join(f"{what} {said}" for what, said in _facts("", value))
    text = str(value)
    return f"{text[:12]}…" if DIGEST.fullmatch(text) else text
