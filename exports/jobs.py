"""What an export computes in the background: a release, and the agreement within a batch."""

import shutil
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import transaction

from activity.actions import jobs
from activity.handlers import Beat, Handler, JobFailedError, PlannedChunk
from activity.models import Job
from annotation.models import Batch
from corpus.models import Dataset
from exports.actions import folders, releasing
from exports.actions.errors import ReleaseError
from exports.actions.releasing import Draft
from exports.agreement.figures import DEFAULT_REPLICATES
from exports.batch_figures import Bootstrap, batch_figures
from exports.models import Release
from exports.tables.items import item_rows
from exports.tables.judgements import judgement_rows

# As in a report, so that the batch's page and the release say the same.
BOOTSTRAP = Bootstrap(replicates=DEFAULT_REPLICATES, seed=0)


def one_chunk(job: Job) -> list[PlannedChunk]:
    return [PlannedChunk()]


def result_of_chunk(job: Job) -> dict[str, Any]:
    return dict(job.chunks.get().result)


def folder_of(job: Job) -> Path:
    """Where the release of a job lies: a folder of its own among the run-time files."""
    folder: Path = settings.RELEASES / job.study.slug / str(job.pk)
    return folder.resolve()  # as a release records it, links followed


def prepare_release(job: Job, params: Mapping[str, Any], beat: Beat) -> Draft:
    # The place must be free. What else a worker left that died goes at the end.
    clear_unrecorded(job)
    try:
        return releasing.prepare(
            study=job.study,
            dataset=Dataset.objects.select_related("study").get(pk=job.params["dataset"]),
            out=folder_of(job),
            by=job.created_by,
            is_rehearsal=job.params["is_rehearsal"],
            set_aside_disputes=job.params["set_aside_disputes"],
        )
    except ReleaseError as error:
        raise JobFailedError(f"there is no release: {error}") from error


def save_release(job: Job, params: Mapping[str, Any], draft: Draft) -> dict[str, Any]:
    try:
        released = releasing.record(draft=draft)
    except ReleaseError as error:
        raise JobFailedError(f"there is no release: {error}") from error
    return {
        "release": released.number,
        "accepted": released.report["accepted"],
        "n_disputes_set_aside": released.n_disputes_set_aside,
    }


@transaction.atomic
def clear_release(job: Job) -> None:
    """Remove files of the job that are no release, unless it goes on: then a worker may be writing them."""
    if jobs.lock_ended(job):
        folders.clear_unfinished(folder_of(job))
        clear_unrecorded(job)


@transaction.atomic
def clear_unrecorded(job: Job) -> None:
    """Remove a folder that a worker delivered and did not record. Who is about to record one holds the job."""
    jobs.lock(job)
    folder = folder_of(job)
    if folder.exists() and not Release.objects.filter(folder=str(folder)).exists():
        shutil.rmtree(folder)


def compute_agreement(job: Job, params: Mapping[str, Any], beat: Beat) -> dict[str, Any]:
    batch = Batch.objects.select_related("study", "pool", "guideline").get(pk=job.params["batch"])
    judgements = judgement_rows([batch])
    beat()
    items = item_rows([batch])
    beat()
    figures = batch_figures(
        batch.name,
        judgements=judgements,
        items=items,
        bootstrap=BOOTSTRAP,
    )
    return figures | {"bootstrap": asdict(BOOTSTRAP)}


def keep_figures(job: Job, params: Mapping[str, Any], computed: dict[str, Any]) -> dict[str, Any]:
    return computed


RELEASE = Handler(
    plan=one_chunk,
    compute=prepare_release,
    save=save_release,
    finish=result_of_chunk,
    clear=clear_release,
)
AGREEMENT = Handler(
    plan=one_chunk, compute=compute_agreement, save=keep_figures, finish=result_of_chunk
)
