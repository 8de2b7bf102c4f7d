"""Handlers of the kinds of jobs.

Each app defines its own in `jobs.py`; settings.JOB_KINDS names them.

They are imported when a job runs, not before: the web process starts jobs, but must not load the
libraries that compute them (torch, pandas).
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
    """One error in an input: file, row, field, value and message."""

    message: str
    file: str = ""
    row: str = ""
    field: str = ""
    value: str = ""


class JobFailedError(Exception):
    """The work is not possible. The message says why and what to do, `errors` where.

    `n_errors` says how many errors there are, where `errors` are only the first.
    """

    def __init__(
        self, message: str, errors: Iterable[RowError] = (), n_errors: int | None = None
    ) -> None:
        super().__init__(message)
        self.errors = tuple(errors)
        self.n_errors = len(self.errors) if n_errors is None else n_errors


class JobCancelledError(Exception):
    """The job was cancelled while one of its chunks was running."""


@dataclass(frozen=True)
class PlannedChunk:
    params: dict[str, Any] = field(default_factory=dict)
    n_units: int = 1


def clear_nothing(job: Job) -> None:
    """Do nothing: most kinds of jobs write nothing before `save`."""


def release_nothing() -> None:
    """Do nothing: most kinds of jobs keep nothing from chunk to chunk."""


@dataclass(frozen=True)
class Handler:
    """The steps of a kind of job.

    plan(job)               returns the chunks, in order; may be repeated, must not write
    compute(job, params, beat)  does the long work of one chunk, outside any transaction; calls beat()
                            between its steps, which raises JobCancelledError if the job was
                            cancelled, and LeaseLostError if another worker has the chunk. It may
                            write rows ahead that stay hidden until save(), if they are many. Rows
                            that an earlier attempt wrote ahead may still be there, or still be written
    save(job, params, computed)  writes the results, in the transaction that marks the chunk as done;
                            returns the values to store in the chunk's row, such as counts
    finish(job)             runs after the last chunk, in the transaction that writes it and ends the
                            job; returns the result
    conclude(job, beat)     if ending is long work: runs after the last chunk, like compute(), and
                            finish(job, concluded) only writes its result. It may be repeated by
                            another worker, and must not write
    clear(job)              runs once the job has ended in any way: removes rows that compute() wrote
                            ahead and save() did not publish. The job may be resumed meanwhile, so it
                            removes them under jobs.lock_ended(job)
    release()               runs in a worker's process when it leaves the job: drops what the process
                            keeps from chunk to chunk, such as a model
    """

    plan: Callable[[Job], list[PlannedChunk]]
    compute: Callable[[Job, Mapping[str, Any], Beat], Any]
    save: Callable[[Job, Mapping[str, Any], Any], dict[str, Any]]
    finish: Callable[..., Mapping[str, Any]]
    clear: Callable[[Job], None] = clear_nothing
    conclude: Callable[[Job, Beat], Any] | None = None
    release: Callable[[], None] = release_nothing


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
    """Return the handler of a job of one chunk. Its result is what `save` returns.

    By default `save` returns the computed values.
    """
    return Handler(plan=plan, compute=compute, save=save, finish=finish, clear=clear)


def handler_of(job: Job) -> Handler:
    handler: Handler = import_string(settings.JOB_KINDS[job.kind])
    return handler
