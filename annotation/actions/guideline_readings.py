"""Readings of guidelines: a person confirms each guideline of a study once, before their first item."""

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


@transaction.atomic
def confirm(*, batch: Batch, by: User) -> GuidelineReading:
    """Record that the person has read the batch's guideline. Does nothing the second time."""
    permissions.require_desk(by, batch.study)
    reading, _ = GuidelineReading.objects.get_or_create(guideline=batch.guideline, read_by=by)
    return reading


def is_due(batch: Batch, annotator: User) -> bool:
    """Whether the batch has a guideline, not empty, that the person has not confirmed."""
    if not batch.guideline.text.strip():
        return False
    return not READINGS.all(guideline=batch.guideline_id, reader=annotator.pk)
