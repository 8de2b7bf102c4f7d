"""What a pilot's judgements and verdicts say. Read once, and kept until something of it changes."""

import hashlib
import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import asdict, dataclass

from django.core.cache import cache
from django.db.models import Count, Max

from annotation import schemes
from annotation.models import Batch, Judgement
from annotation.queries import expected_labels
from annotation.queries.expected_labels import Answer
from exports.after_pilot import queries
from exports.after_pilot.figures import LabelDisputes, Yield
from exports.after_pilot.queries import Times
from jobs.basis import Basis

KEPT_SECONDS = 24 * 60 * 60


@dataclass(frozen=True)
class PilotFigures:
    """The figures that do not depend on what is asked for on the page.

    spent           the seconds of judgements
    accepted        the yield, as queries.batch_yield()
    disputes        by label
    answers         by the person's key how often they gave each answer, as expected_labels.answers_by_person()
    why_no_answers  why there are none; "" if there are
    """

    spent: Times
    accepted: Yield | None
    disputes: list[LabelDisputes]
    answers: Mapping[int, Counter[Answer]]
    why_no_answers: str = ""


def pilot_figures(batch: Batch, basis: Basis) -> PilotFigures:
    """Return the figures; `basis` is that of the agreement in the batch, read for this request.

    A batch of the shared task's size takes a second to read, and the page asks again with each bar that is tried.
    """
    key = _key(batch, basis)
    found: PilotFigures | None = cache.get(key)
    if found is None:
        found = _read(batch)
        cache.set(key, found, KEPT_SECONDS)
    return found


def _key(batch: Batch, basis: Basis) -> str:
    """Return what is equal only while all that is read is: decisions and judgements are only ever added."""
    judgements = Judgement.objects.filter(assignment__item__batch=batch).order_by()
    added = judgements.aggregate(n=Count("pk"), last=Max("pk"))
    name = [batch.pk, batch.created_at.isoformat(), asdict(basis), added]
    return f"after-pilot-{hashlib.sha256(json.dumps(name).encode()).hexdigest()}"


def _read(batch: Batch) -> PilotFigures:
    answers: Mapping[int, list[Answer]] = {}
    why_none = ""
    try:
        answers = expected_labels.answers_by_person(batch)
    except (expected_labels.NotSettledError, schemes.WrongSchemeError) as error:
        why_none = str(error)
    return PilotFigures(
        queries.times(batch),
        queries.batch_yield(batch),
        queries.disputes(batch),
        {person: Counter(own) for person, own in answers.items()},
        why_none,
    )
