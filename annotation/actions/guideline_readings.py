"""Guidelines are read in full before the first item. Who read one reads it once in the study."""

from django.db import transaction

from accounts import permissions
from accounts.models import User
from annotation.models import Batch, GuidelineReading
from performance.compiled_queries import Compiled

READ = Compiled(
    lambda *, guideline, reader: GuidelineReading.objects.filter(
        guideline=guideline, read_by=reader
    ).values_list("pk")
)


@transaction.atomic
def confirm(*, batch: Batch, by: User) -> GuidelineReading:
    """The person says that they read the batch's guideline. Said again, it changes nothing."""
    permissions.require_desk(by, batch.study)
    reading, _ = GuidelineReading.objects.get_or_create(guideline=batch.guideline, read_by=by)
    return reading


def is_due(batch: Batch, annotator: User) -> bool:
    """Whether there is a guideline that the person has not read. An empty one is no reading."""
    if not batch.guideline.text.strip():
        return False
    return not READ.all(guideline=batch.guideline_id, reader=annotator.pk)
