"""What changed in a guideline since somebody read another one of the same study and scheme."""

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
    """What is other in a batch's guideline than in the one that the person read before it."""

    read_at: datetime  # the one before
    parts: list[Part]


def since_read(batch: Batch, annotator: User) -> Change | None:
    """What changed since the person last read a guideline of the same study and scheme.

    None where they read none before this one, and where no word differs.
    """
    before = _read_before(batch, annotator)
    if before is None:
        return None
    parts = _between(before.guideline.text, batch.guideline.text)
    return Change(before.read_at, parts) if parts else None


@lru_cache(maxsize=64)
def _between(before: str, after: str) -> list[Part]:
    """Kept: everybody in the batch is shown the same."""
    return diff.changes(*map(markdown.blocks, (before, after)))


def _read_before(batch: Batch, annotator: User) -> GuidelineReading | None:
    """The latest of the person's readings of other guidelines, until they read the batch's own."""
    readings = GuidelineReading.objects.filter(
        read_by=annotator, guideline__study=batch.study_id, guideline__scheme=batch.scheme
    )
    others = readings.exclude(guideline=batch.guideline_id).exclude(guideline__text="")
    own = readings.filter(guideline=batch.guideline_id).first()
    if own is not None:
        others = others.filter(read_at__lt=own.read_at)
    return others.select_related("guideline").order_by("-read_at", "-pk").first()
