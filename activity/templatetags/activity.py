"""Jobs and events as people read them."""

from collections.abc import Iterator, Mapping
from typing import Any

from django import template

from activity.models import Event, Job

register = template.Library()


@register.filter
def kind_in_words(kind: str) -> str:
    """import_dataset: Import data set."""
    return kind.replace("_", " ").replace("dataset", "data set").capitalize()


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
    """What was done, as a sentence without its subject: imported data set everyday@1."""
    what, _, which = event.target.partition(" ")
    if what == "job":
        kind, _, key = which.partition(" ")
        which = f"{kind_in_words(kind).lower()}: {key}"
    return f"{event.verb} {_words(what)} {which}"


@register.filter
def facts(values: Mapping[str, Any]) -> list[tuple[str, str]]:
    """What a job gave or an event keeps, as (what, how much or which); parts stand after their whole."""
    return list(_facts("", values))


def _facts(within: str, values: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for name, value in values.items():
        what = f"{within} {_words(name)}".strip()
        if isinstance(value, Mapping) and value:
            yield from _facts(what, value)
        else:
            yield what, _said(value)


def _words(name: str) -> str:
    return name.removeprefix("n_").replace("_", " ").replace("dataset", "data set")


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
    return str(value)
