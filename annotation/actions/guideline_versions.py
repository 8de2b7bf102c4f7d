"""A guideline that is changed after its batch opened: versions, and which of them somebody judged by."""

from datetime import datetime

from django.db import transaction
from django.utils import timezone

from accounts import permissions
from accounts.models import Role, User
from annotation.actions import batches
from annotation.models import Batch, BatchState, GuidelineReading, GuidelineVersion
from audit import events


@transaction.atomic
def change(*, batch: Batch, text: str, by: User) -> Batch:
    """Give an open or paused batch another guideline. Does nothing if the text is the same.

    Whoever works in the batch reads it before their next items; what they hold and have not sent stays.
    """
    permissions.require(by, batch.study, Role.REQUESTER)
    locked = batches.locked_in_state(batch, BatchState.OPEN, BatchState.PAUSED)
    guideline = batches.guideline_of(locked.study, locked.scheme, text, by)
    if guideline.pk == locked.guideline_id:
        return locked
    now = timezone.now()
    number = locked.guideline_versions.count() + 1
    if number == 1:
        _add(locked, number, locked.created_at, locked.created_by)
        number += 1
    locked.guideline, locked.guideline_since = guideline, now
    locked.save(update_fields=["guideline", "guideline_since"])
    _add(locked, number, now, by)
    events.record(
        study=locked.study, by=by, verb="changed the guideline of", target=locked, version=number
    )
    return locked


def _add(batch: Batch, number: int, at: datetime, by: User) -> None:
    GuidelineVersion.objects.create(
        batch=batch, number=number, guideline=batch.guideline, created_at=at, created_by=by
    )


def sha256_judged_by(batch: Batch, annotator: int, shown_at: datetime) -> str:
    """The sha256 of the guideline that the person went by at an item which they were shown at this time.

    Of several versions the newest that they had read by then; an empty one needs no reading. Whoever judges
    without a connection, or what they held when the guideline changed, goes by the version before.
    """
    if batch.guideline_since is None:
        return batch.guideline.sha256
    versions = list(batch.guideline_versions.select_related("guideline").order_by("-number"))
    readings = list(
        GuidelineReading.objects.filter(
            read_by=annotator,
            guideline__in=[version.guideline_id for version in versions],
            read_at__lte=shown_at,
        ).values_list("guideline", "read_at")
    )
    for version in versions[:-1]:
        if version.created_at > shown_at:
            continue
        if not version.guideline.text.strip() or any(
            guideline == version.guideline_id and read_at >= version.created_at
            for guideline, read_at in readings
        ):
            return version.guideline.sha256
    return versions[-1].guideline.sha256
