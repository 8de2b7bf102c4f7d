"""The notices that an annotator has not dismissed."""

from collections.abc import Collection

from accounts.models import User
from annotation.models import Batch, Notice

# Of all batches together, the newest.
MOST_SHOWN = 5


def notices_for(batches: Collection[Batch], annotator: User) -> list[Notice]:
    """The notices in these batches that the person has not dismissed, newest last.

    No query for batches without a notice.
    """
    noticed = {batch.pk: batch for batch in batches if batch.notice_since}
    if not noticed:
        return []
    waiting = Notice.objects.filter(batch__in=noticed).exclude(dismissals__dismissed_by=annotator)
    newest = list(waiting.order_by("-written_at", "-pk")[:MOST_SHOWN])
    for notice in newest:
        notice.batch = noticed[notice.batch_id]  # known already
    return newest[::-1]
