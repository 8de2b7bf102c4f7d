"""Showing an adjudicator the runs, scores and references of a batch: once, and on record."""

from django.db import transaction

from accounts import permissions
from accounts.models import Role, User
from annotation.models import Batch, SourcesShown
from annotation.queries import answer_sources
from annotation.review_decisions import ReviewError
from audit import events


@transaction.atomic
def show(*, batch: Batch, by: User) -> SourcesShown:
    """Record that the person is shown the sources. ReviewError while something is left to decide."""
    permissions.require(by, batch.study, Role.ADJUDICATOR)
    if answer_sources.is_something_left(batch, by):
        raise ReviewError(
            f"the runs of the batch {batch.name} stay hidden: not everything on its questions is decided yet"
        )
    shown, is_new = SourcesShown.objects.get_or_create(batch=batch, shown_to=by)
    if is_new:
        events.record(study=batch.study, by=by, verb="was shown the runs of", target=batch)
    return shown
