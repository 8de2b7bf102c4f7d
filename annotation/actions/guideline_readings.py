"""Readings of guidelines: a person confirms each guideline of a study once, before their first item, and again
where a batch has changed it since.
"""

from django.db import transaction

from accounts import permissions
from accounts.models import User
from annotation.models import Batch, GuidelineReading
from performance.compiled_queries import Compiled

READINGS = Compiled(
    lambda *, guideline, reader: GuidelineReading.objects.filter(
        guideline=guideline, read_by=reader
    ).values_list("pk")
)
READINGS_SINCE = Compiled(
    lambda *, guideline, reader, since: GuidelineReading.objects.filter(
        guideline=guideline, read_by=reader, read_at__gte=since
    ).values_list("pk")
)


@transaction.atomic
def confirm(*, batch: Batch, by: User) -> GuidelineReading:
    """Record that the person has read the batch's guideline. Does nothing the second time."""
    permissions.require_desk(by, batch.study)
    found = _readings(batch, by)
    if found:
        return GuidelineReading.objects.get(pk=found[0][0])
    return GuidelineReading.objects.create(guideline=batch.guideline, read_by=by)


def is_due(batch: Batch, annotator: User) -> bool:
    """Whether the batch has a guideline, not empty, that the person has not confirmed since it is in force."""
    if not batch.guideline.text.strip():
        return False
    return not _readings(batch, annotator)


def _readings(batch: Batch, annotator: User) -> list[tuple[int]]:
    of = {"guideline": batch.guideline_id, "reader": annotator.pk}
    if batch.guideline_since is None:
        return READINGS.all(**of)
    return READINGS_SINCE.all(**of, since=batch.guideline_since)
