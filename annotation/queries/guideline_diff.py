"""The difference between a guideline and the one of the same study and scheme that somebody read before."""

from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache

from accounts.models import User
from annotation.models import Batch, GuidelineReading
from pages import markdown
from text import diff
from text.diff import Part


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
    readings = GuidelineReading.objects.filter(
        read_by=annotator, guideline__study=batch.study_id, guideline__scheme=batch.scheme
    )
    others = readings.exclude(guideline=batch.guideline_id).exclude(guideline__text="")
    since = {"read_at__gte": batch.guideline_since} if batch.guideline_since else {}
    own = readings.filter(guideline=batch.guideline_id, **since).order_by("read_at").first()
    if own is not None:
        others = others.filter(read_at__lt=own.read_at)
    return others.select_related("guideline").order_by("-read_at", "-pk").first()
