"""What a view does with a job: starts it, sends a worker to it and leads to its page."""

import logging
from typing import Any

from django.contrib import messages
from django.db import transaction
from django.http import HttpResponse
from django.shortcuts import redirect

from accounts.guards import StudyRequest
from jobs.actions import jobs
from jobs.actions.jobs import JobStateError
from jobs.models import Job
from jobs.stored_figures import StoredFigures
from jobs.tasks import BROKER_ERRORS, work_on
from pages.words import sentence

logger = logging.getLogger(__name__)


def start(
    request: StudyRequest, *, kind: str, key: str, params: dict[str, Any], here: str
) -> HttpResponse:
    """Start a job of the study and leave it. Where that cannot be now, the page at `here` says why."""
    try:
        job = jobs.start(study=request.study, kind=kind, key=key, params=params, by=request.user)
    except JobStateError as error:
        messages.error(request, sentence(error))
        return redirect(here)
    return hand_to_worker(request, job)


def compute(request: StudyRequest, figures: StoredFigures[Any], *, here: str) -> HttpResponse:
    """Start the job of the figures that the page at `here` shows."""
    if figures.obstacle:
        messages.error(request, figures.obstacle)
        return redirect(here)
    return start(request, kind=figures.kind, key=figures.key, params=figures.params, here=here)


def hand_to_worker(request: StudyRequest, job: Job) -> HttpResponse:
    """Leave the job to a worker and reply with the way to the job's page.

    The worker is woken once the job is committed. A broker that is away loses nothing: the job is kept,
    a worker takes it at its next look, and the page says so.
    """

    def wake() -> None:
        try:
            work_on.delay(job.pk)
        except BROKER_ERRORS as error:
            logger.warning("no worker was woken for job %s: %s", job.pk, error)
            messages.warning(
                request,
                "The job is kept, but the broker cannot be reached to wake a worker: one takes it as"
                " soon as the broker is there again.",
            )

    transaction.on_commit(wake)
    return redirect("job", study=job.study.slug, job=job.pk)
