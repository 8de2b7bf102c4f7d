"""Shortcuts for views that start jobs."""

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

# What a page sends that starts the job of its figures when it is opened.
BY_ITSELF = "by_itself"


def start(
    request: StudyRequest, *, kind: str, key: str, params: dict[str, Any], here: str
) -> HttpResponse:
    """Start a job of the study and redirect to it.

    If that fails, redirect to `here` with a message.
    """
    try:
        job = jobs.start(study=request.study, kind=kind, key=key, params=params, by=request.user)
    except JobStateError as error:
        messages.error(request, sentence(error))
        return redirect(here)
    return hand_to_worker(request, job)


def compute(request: StudyRequest, figures: StoredFigures[Any], *, here: str) -> HttpResponse:
    """Start the job of the figures that the page at `here` shows, and go back there.

    The page shows the progress of the job, and the figures at its end. Where the page asked by itself, the
    program starts the job, and the history has nothing of it (docs/adr/0009).
    """
    if figures.obstacle:
        messages.error(request, figures.obstacle)
    elif BY_ITSELF in request.POST:
        start_by_itself(request, figures)
    else:
        start(request, kind=figures.kind, key=figures.key, params=figures.params, here=here)
    return redirect(here)


def start_by_itself(request: StudyRequest, figures: StoredFigures[Any]) -> bool:
    """Start the job of the figures as the program's, if they start themselves; return whether it was started."""
    if not figures.starts_itself:
        return False
    job = jobs.start_automatically(
        study=request.study,
        kind=figures.kind,
        key=figures.key,
        params=figures.params,
        by=request.user,
    )
    if job is not None:
        hand_to_worker(request, job)
    return job is not None


def hand_to_worker(request: StudyRequest, job: Job) -> HttpResponse:
    """Leave the job to a worker and redirect to the job's page.

    The worker is woken after the job is committed. If the broker is away nothing is lost: the job
    is stored, a worker takes it at its next wake-up, and the page says so.
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
