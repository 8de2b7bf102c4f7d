"""The time in a batch: the real time, or in a rehearsal that of its last judgement.

So the rows of a rehearsal depend on its seed alone.
"""

from datetime import datetime

from django.db.models import Max
from django.utils import timezone

from annotation.models import Batch, Judgement
from annotation.rehearsal import annotators


def now(batch: Batch) -> datetime:
    if not batch.is_rehearsal:
        return timezone.now()
    judged = Judgement.objects.filter(assignment__item__batch=batch)
    last: datetime | None = judged.aggregate(last=Max("submitted_at"))["last"]
    return last or annotators.EPOCH
