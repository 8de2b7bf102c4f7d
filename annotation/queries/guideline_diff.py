"""The difference between a guideline and the one of the same study and scheme that somebody read before."""

from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache

from django.db.models import Q

from accounts.models import User
from annotation.models import Batch, GuidelineReading
from pages import markdown
from performance.compiled_queries import Compiled
from text import diff
from text.diff import Part

# Readings of guidelines of the study and scheme, without empty ones but `guideline`.
READINGS = Compiled(
    lambda *, study, scheme, guideline, reader: (
        GuidelineReading.objects.filter(
            Q(guideline=guideline) | ~Q(guideline__text=""),
            read_by=reader,
            guideline__study=study,
            guideline__scheme=scheme,
        )
        .order_by("read_at", "pk")
        .values_list("pk", "guideline", "read_at")
    )
)


@dataclass(frozen=True)
class Change:
    """The difference between a batch's guideline and the one that the person read before it."""

    read_at: datetime  # of the earlier guideline
    parts: list[Part]


def change_since_reading(batch: Batch, annotator: User) -> Change | None:
    """The change since the person last read a guideline of the same study and scheme.

    None if they read none before this one, or if no word differs.
    """
    before = _previous_reading(batch, annotator)
    if before is None:
        return None
    parts = changed_parts(before.guideline.text, batch.guideline.text)
    return Change(before.read_at, parts) if parts else None


@lru_cache(maxsize=64)
def changed_parts(before: str, after: str) -> list[Part]:
    """Cached, because everybody in the batch sees the same."""
    return diff.changes(*map(markdown.blocks, (before, after)))


def _previous_reading(batch: Batch, annotator: User) -> GuidelineReading | None:
    """The person's last reading of another guideline, before they read the batch's own."""
    readings = READINGS.all(
        study=batch.study_id,
        scheme=batch.scheme,
        guideline=batch.guideline_id,
        reader=annotator.pk,
    )
    since = batch.guideline_since
    own = [
        at
        for _, guideline, at in readings
        if guideline == batch.guideline_id and (since is None or at >= since)
    ]
    others = [
        pk
        for pk, guideline, at in readings
        if guideline != batch.guideline_id and not (own and at >= own[0])
    ]
    if not others:
        return None
    return GuidelineReading.objects.select_related("guideline").get(pk=others[-1])
