"""What a kind of job does. Each app has its handlers in its `jobs.py`; settings.JOB_KINDS names them.

They are imported when a job runs and not before: the web process starts jobs, but must not load what
they compute with (torch, pandas).
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from django.conf import settings
from django.utils.module_loading import import_string

from jobs.models import Job

Beat = Callable[[], None]


@dataclass(frozen=True)
class RowError:
    """One thing that is wrong in an input: file, row, field, value and what is wrong with it."""

    message: str
    file: str = ""
    row: str = ""
    field: str = ""
    value: str = ""


class JobFailedError(Exception):
    """The work cannot be done as asked. The message says why and what to do; rows say where."""

    def __init__(self, message: str, errors: Iterable[RowError] = ()) -> None:
        super().__init__(message)
        self.errors = tuple(errors)


class JobCancelledError(Exception):
    """The job was cancelled while a chunk was being worked on."""


@dataclass(frozen=True)
class PlannedChunk:
    params: dict[str, Any] = field(default_factory=dict)
    n_units: int = 1


def clear_nothing(job: Job) -> None:
    """Of most kinds of job nothing is left beside what was saved."""


@dataclass(frozen=True)
class Handler:
    """The steps of a kind of job.

    plan(job)               the chunks, in order; may be repeated, must not write
    compute(job, params, beat)  the hard work of one chunk, outside any transaction; calls beat() between
                            its steps, which raises JobCancelledError when the job was cancelled, and
                            LeaseLostError when another worker has the chunk. It may write ahead what
                            nobody sees until save() says so: very many rows, say. What an attempt
                            before it wrote ahead may still be there, or still be written
    save(job, params, computed)  writes it, in the one transaction that marks the chunk as done; gives
                            what the chunk's row keeps: counts, say
    finish(job)             after the last chunk, in the transaction that writes it and ends the job; gives
                            the result
    conclude(job, beat)     where the end is hard work too: it is done after the last chunk as compute() is,
                            and finish(job, concluded) only writes what it gives. It may be done again, by
                            another worker, and must not write
    clear(job)              once the job has ended, however it did: removes what compute() wrote ahead and
                            save() did not take. The job may be resumed meanwhile: what is removed is
                            removed under jobs.lock_ended(job)
    """

    plan: Callable[[Job], list[PlannedChunk]]
    compute: Callable[[Job, Mapping[str, Any], Beat], Any]
    save: Callable[[Job, Mapping[str, Any], Any], dict[str, Any]]
    finish: Callable[..., Mapping[str, Any]]
    clear: Callable[[Job], None] = clear_nothing
    conclude: Callable[[Job, Beat], Any] | None = None


def one_chunk(job: Job) -> list[PlannedChunk]:
    return [PlannedChunk()]


def computed_values(job: Job, params: Mapping[str, Any], computed: Any) -> dict[str, Any]:
    return dict(computed)


def result_of_chunk(job: Job) -> dict[str, Any]:
    return dict(job.chunks.get().result)


def single_chunk(
    compute: Callable[[Job, Mapping[str, Any], Beat], Any],
    *,
    save: Callable[[Job, Mapping[str, Any], Any], dict[str, Any]] = computed_values,
    plan: Callable[[Job], list[PlannedChunk]] = one_chunk,
    finish: Callable[[Job], dict[str, Any]] = result_of_chunk,
    clear: Callable[[Job], None] = clear_nothing,
) -> Handler:
    """A job that is done in one piece; its result is what `save` gives, of itself what was computed."""
    return Handler(plan=plan, compute=compute, save=save, finish=finish, clear=clear)


def handler_of(job: Job) -> Handler:
    handler: Handler = import_string(settings.JOB_KINDS[job.kind])
    return handler
