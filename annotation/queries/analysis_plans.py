"""The plans of analysis of batches, and what was decided after the first of them: deviations.

Nobody can say what a text forbids. So everything is a deviation that was decided of the batch after its first plan
and can change what its figures are: settings, the guideline, further judgements, closing before all are there, another
rule, items left out, and another plan. Decisions on single judgements and items (reviews, adjudications) are the work
itself, and none.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from annotation.models import AnalysisPlan, Batch, Exclusion
from audit import wording
from audit.events import target_text
from audit.models import Event

DEVIATING = {
    "changed": "the draft was changed",
    "changed the guideline of": "the guideline was changed",
    "set the largest share of": "the maximum of items per annotator was set",
    "raised the judgements of": "more judgements of each item were asked for",
    "asked for more": "one more judgement of unsettled items was asked for",
    "returned to draft": "the batch was made a draft again",
    "reopened": "the batch was opened again",
    "set the deadline": "the deadline was set",
    "added controls": "control items were added",
    "set disputes aside": "disputes were set aside",
}
# Their reasons are free texts for organisers, which can name people: releases do not tell them.
WITHOUT_DETAILS = {
    "withdrew": "the batch was withdrawn",
    "brought back": "the batch was brought back",
}
SETTLED, RENAMED, CLOSED = "settled", "renamed", "closed"
OWN_VERBS = (*DEVIATING, *WITHOUT_DETAILS, SETTLED, RENAMED, CLOSED)


@dataclass(frozen=True)
class Deviation:
    """What was decided after the first plan, in words, and when."""

    at: datetime
    what: str


def plans(batch: Batch) -> Sequence[AnalysisPlan]:
    """Return the plans of the batch in the order in which they were frozen."""
    return list(batch.analysis_plans.select_related("frozen_by").order_by("pk"))


def deviations(batch: Batch, frozen: Sequence[AnalysisPlan]) -> list[Deviation]:
    """Return what was decided after the first of these plans of the batch, in order of time; [] without a plan."""
    if not frozen:
        return []
    found = [
        Deviation(
            plan.frozen_at, f"another plan was frozen, judgements until then: {plan.n_judgements}"
        )
        for plan in frozen[1:]
    ]
    found += _acts(batch, frozen[0].frozen_at)
    found += _exclusions(batch, frozen[0].frozen_at)
    return sorted(found, key=lambda each: (each.at, each.what))


def _acts(batch: Batch, since: datetime) -> Iterator[Deviation]:
    rule = ""
    for event in _events(batch):
        details = event.details
        if event.verb == SETTLED:
            before, rule = rule, str(details.get("rule", ""))
            if event.at > since and before and before != rule:
                words = f"the batch was settled by the rule {rule}, after {before}"
                yield Deviation(event.at, words)
        elif event.at > since and (words := _words(event)):
            yield Deviation(event.at, words)


def _words(event: Event) -> str:
    """Return the deviation in words; "" if the event is none."""
    said = wording.summary(event.verb, event.details)
    if event.verb == CLOSED:
        return f"the batch was closed early: {said}" if event.details.get("n_missing") else ""
    if event.verb in DEVIATING:
        return DEVIATING[event.verb] + (f": {said}" if said else "")
    return WITHOUT_DETAILS.get(event.verb, "")


def _events(batch: Batch) -> list[Event]:
    """Return the events of the batch under each of its names while it had it, in order of time.

    An event names its batch by the name of then, and a name that one batch gave up another may have.
    """
    name, until = batch.name, None
    found: list[Event] = []
    while True:
        rows = Event.objects.filter(
            study=batch.study.slug,
            target=target_text(Batch(name=name)),
            verb__in=OWN_VERBS,
        )
        if until is not None:
            rows = rows.filter(at__lt=until)
        own = list(rows.order_by("at", "pk"))
        last = next((n for n in reversed(range(len(own))) if _is_new_name(own[n], name)), None)
        if last is None:
            return [*own, *found]
        found = [*own[last:], *found]
        name, until = str(own[last].details["before"]), own[last].at


def _is_new_name(event: Event, name: str) -> bool:
    return event.verb == RENAMED and event.details.get("after") == name


def _exclusions(batch: Batch, since: datetime) -> Iterator[Deviation]:
    """Return one deviation for the items that were left out or taken in again, with the time of the last."""
    rows = Exclusion.objects.filter(item__batch=batch, item__n_wanted__isnull=False)
    later = rows.filter(excluded_at__gt=since).order_by("excluded_at")
    for is_excluded, what in ((True, "left out"), (False, "taken in again")):
        times = list(later.filter(is_excluded=is_excluded).values_list("excluded_at", flat=True))
        if times:
            n = "1 item was" if len(times) == 1 else f"{len(times)} items were"
            yield Deviation(times[-1], f"{n} {what}, the first on {times[0]:%Y-%m-%d}")
