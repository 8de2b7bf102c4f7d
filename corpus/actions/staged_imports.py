"""Removal of the hidden rows of imports that did not finish.

An import writes its rows in pieces, below a data set or a run whose `staged_by` is its job. One
short transaction at its end makes them all visible. The rows of a killed or failed import are
removed when its job ends or stages them anew, and from time to time for jobs that others ended.
"""

import contextlib
from collections.abc import Callable, Iterable

from django.db import transaction
from django.db.models import QuerySet

from corpus.models import Answer, Citation, Conversation, Dataset, Offer, Passage, Run, Turn
from jobs.actions import jobs
from jobs.models import UNFINISHED, Job
from jobs.transactions import delete_in_pieces


class NotRemovableError(Exception):
    """The row may not be removed now: its job goes on, or it was published or removed already."""


def clear(job: Job) -> None:
    """Remove the rows that the job staged, if it has ended. After a resume the rest stays.

    Passages that only a run named stay too: they have no text, and the next import of the run names
    them again.
    """

    def beat() -> None:
        if not jobs.lock_ended(job):
            raise NotRemovableError

    _clear(job, Run.everything.filter(staged_by=job), beat)
    _clear(job, Dataset.everything.filter(staged_by=job), beat)


def clear_earlier(
    job: Job, rows: QuerySet[Run] | QuerySet[Dataset], beat: Callable[[], None]
) -> None:
    """Remove those of `rows` that earlier attempts of the job staged, so that no disk fills up.

    `beat` raises if the caller no longer holds the chunk. While it holds it, nobody else can
    publish these rows.
    """
    _clear(job, rows.filter(staged_by=job), beat)


def _clear(job: Job, rows: Iterable[Run | Dataset], beat: Callable[[], None]) -> None:
    for row in list(rows):  # found before the first beat: what is staged after it is another's
        with contextlib.suppress(NotRemovableError):
            _remove(row, job, beat)


def _remove(row: Run | Dataset, job: Job, beat: Callable[[], None]) -> None:
    """Remove the row and all rows below it, in pieces.

    Raises NotRemovableError as soon as the job no longer stages it.
    """

    def hold() -> None:
        beat()
        staged = type(row).everything.select_for_update().filter(pk=row.pk, staged_by=job)
        if staged.first() is None:
            raise NotRemovableError

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
    """Remove the rows that ended jobs staged. Return the number of these jobs."""
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
