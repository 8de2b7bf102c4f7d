"""What an import has written and nobody sees yet: removed where it did not come to its end.

An import writes its rows in pieces, below a data set or a run that names its job in `staged_by`. One short
transaction at its end makes them seen, all at once. What a killed or failed import left is cleared when its job
ends or writes the same anew, and for jobs that were ended by others, from time to time.
"""

import contextlib
from collections.abc import Callable, Iterable

from django.db import transaction
from django.db.models import QuerySet

from corpus.models import Answer, Citation, Conversation, Dataset, Offer, Passage, Run, Turn
from jobs.actions import jobs
from jobs.models import UNFINISHED, Job
from jobs.transactions import delete_in_pieces


class KeptError(Exception):
    """What was to be removed is no longer the clearer's: its job goes on, or it was published or removed."""


def clear(job: Job) -> None:
    """Remove what the job staged, while it is ended: what it stages and publishes when it is resumed stays.
    Passages that only a run named stay too: they say nothing, and the next import of the run names them
    again.
    """

    def beat() -> None:
        if not jobs.lock_ended(job):
            raise KeptError

    _clear(job, Run.everything.filter(staged_by=job), beat)
    _clear(job, Dataset.everything.filter(staged_by=job), beat)


def clear_earlier(
    job: Job, rows: QuerySet[Run] | QuerySet[Dataset], beat: Callable[[], None]
) -> None:
    """Remove those of the rows that attempts before the caller's staged, so that no attempt adds to a full
    disk.

    `beat` raises where the caller no longer holds the chunk in which they are staged. While it is held,
    what was there before belongs to no one who may still publish it.
    """
    _clear(job, rows.filter(staged_by=job), beat)


def _clear(job: Job, rows: Iterable[Run | Dataset], beat: Callable[[], None]) -> None:
    for row in list(rows):  # found before the first beat: what is staged after it is another's
        with contextlib.suppress(KeptError):
            _remove(row, job, beat)


def _remove(row: Run | Dataset, job: Job, beat: Callable[[], None]) -> None:
    """Remove the row and what is below it, in pieces. Raises KeptError as soon as the job does not stage it."""

    def hold() -> None:
        beat()
        staged = type(row).everything.select_for_update().filter(pk=row.pk, staged_by=job)
        if staged.first() is None:
            raise KeptError

    if isinstance(row, Run):
        delete_in_pieces(Citation.objects.filter(answer__run=row), beat=hold)
        delete_in_pieces(Answer.objects.filter(run=row), beat=hold)
    else:
        for run in Run.everything.filter(dataset=row, staged_by=job):
            _remove(run, job, beat)
        delete_in_pieces(Offer.objects.filter(turn__conversation__dataset=row), beat=hold)
        delete_in_pieces(Turn.objects.filter(conversation__dataset=row), beat=hold)
        delete_in_pieces(Conversation.objects.filter(dataset=row), beat=hold)
        delete_in_pieces(Passage.objects.filter(dataset=row), beat=hold)
    with transaction.atomic():
        hold()
        row.delete()


def clear_ended() -> int:
    """Remove what jobs staged that have ended. Returns how many jobs that were."""
    found = {
        pk
        for rows in (Run.everything, Dataset.everything)
        for pk in rows.filter(staged_by__isnull=False)
        .exclude(staged_by__state__in=UNFINISHED)
        .values_list("staged_by", flat=True)
    }
    for job in Job.objects.filter(pk__in=found):
        clear(job)
    return len(found)
