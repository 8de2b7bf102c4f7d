"""Who may work on a batch: every annotator of the study, or those who hold its qualification.

Simulated people hold no qualifications, so nobody is kept out of a rehearsal.
"""

from collections.abc import Iterable

from django.db.models import Expression, OuterRef, Subquery

from accounts.models import User
from annotation.models import (
    Assignment,
    Batch,
    BatchState,
    Standing,
    StandingState,
)
from annotation.models.batch import BatchQuerySet


def with_standing(batches: BatchQuerySet, person: int | Expression) -> BatchQuerySet:
    """Return the batches with `newest_standing`, on which Batch.is_admitted rests.

    One subquery, answered by one row of an index, and by none where everybody is admitted.
    """
    own = Standing.objects.filter(qualification=OuterRef("qualification"), user=person)
    newest = Subquery(own.order_by("-pk").values("state")[:1])
    return batches.annotate(newest_standing=newest)  # type: ignore[no-redef]  # declared for readers


def was_taken_off(batch: Batch) -> bool:
    """Return whether the person of `newest_standing` was taken off the batch, and others work on it now."""
    is_running = batch.state in (BatchState.OPEN, BatchState.PAUSED)
    return not batch.is_admitted and is_running and batch.newest_standing == StandingState.REVOKED


def is_admitted(batch: Batch, person: User) -> bool:
    """Return whether the person may work on the batch now; no query where everybody may."""
    if batch.is_for_everybody:
        return True
    own = Standing.objects.filter(qualification=batch.qualification_id, user=person)
    return own.order_by("-pk").values_list("state", flat=True).first() == StandingState.GRANTED


def has_begun(batch: Batch, person: User) -> bool:
    """Return whether the person was ever handed an item of the batch."""
    return Assignment.objects.filter(item__batch=batch, annotator=person).exists()


def objection(batch: Batch) -> str:
    """Return why the batch cannot have this audience; "" if it can."""
    if batch.qualification is None or batch.qualification.study_id == batch.study_id:
        return ""
    return f"the qualification {batch.qualification.name} is of another study"


def holders(batches: Iterable[Batch]) -> dict[int, frozenset[int]]:
    """Return the people who hold each qualification that these batches ask for; no query if they ask for none."""
    asked = {batch.qualification_id for batch in batches if batch.qualification_id is not None}
    found: dict[int, set[int]] = {pk: set() for pk in asked}
    if asked:
        rows = Standing.objects.granted().filter(qualification__in=asked)
        for qualification, person in rows.values_list("qualification", "user"):
            found[qualification].add(person)
    return {pk: frozenset(people) for pk, people in found.items()}
