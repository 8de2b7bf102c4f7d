"""What an export computes in the background: a release, and the agreement within a batch."""

import shutil
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from django.conf import settings

from activity.handlers import Beat, Handler, JobFailedError, PlannedChunk
from activity.models import Job
from annotation.models import Batch
from corpus.models import Dataset
from exports.actions import releasing
from exports.actions.errors import ReleaseError
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


def nothing(job: Job, params: Mapping[str, Any], beat: Beat) -> None:
    """A release is read and written in one transaction: nothing is computed before it."""


def save_release(job: Job, params: Mapping[str, Any], computed: None) -> dict[str, Any]:
    folder = folder_of(job)
    if folder.exists() and not Release.objects.filter(folder=str(folder)).exists():
        shutil.rmtree(folder)  # of a worker that died before the release was recorded
    try:
        released = releasing.release(
            study=job.study,
            dataset=Dataset.objects.select_related("study").get(pk=job.params["dataset"]),
            out=folder,
            by=job.created_by,
            is_rehearsal=job.params["is_rehearsal"],
            set_aside_disputes=job.params["set_aside_disputes"],
        )
    except ReleaseError as error:
        raise JobFailedError(f"there is no release: {error}") from error
    return {
        "release": released.number,
        "accepted": released.report["accepted"],
        "n_disputes_set_aside": released.n_disputes_set_aside,
    }


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


RELEASE = Handler(plan=one_chunk, compute=nothing, save=save_release, finish=result_of_chunk)
AGREEMENT = Handler(
    plan=one_chunk, compute=compute_agreement, save=keep_figures, finish=result_of_chunk
)
