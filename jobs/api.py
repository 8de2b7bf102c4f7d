"""Long work: how far it is, how it ended, what was wrong with its input."""

from django.db.models import Q
from django.shortcuts import get_object_or_404
from drf_spectacular.utils import OpenApiParameter
from rest_framework import serializers
from rest_framework.response import Response

from accounts.api.endpoints import StudyRequest, done, endpoint
from accounts.api.filtering import Choice, narrowed
from accounts.api.paging import paged
from accounts.api.shapes import Out
from accounts.models import Role, Study
from jobs.models import UNFINISHED, JobState

STATE = Choice(
    "state",
    "in this state; unfinished: waiting or running",
    {"unfinished": Q(state__in=UNFINISHED)} | {each.value: Q(state=each) for each in JobState},
)
KIND = OpenApiParameter("kind", str, description="of this kind: score, draw_pool, release …")


class JobOut(Out):
    """Long work. Units are whatever it counts its progress in."""

    id = serializers.IntegerField()
    kind = serializers.CharField(help_text="what is done: score, draw_pool, release …")
    key = serializers.CharField(help_text="what it is about")
    state = serializers.ChoiceField(JobState.choices)
    n_units = serializers.IntegerField(help_text="how much there is to do; 0 until it is known")
    n_done = serializers.IntegerField(help_text="how much of it is done")
    n_errors = serializers.IntegerField(help_text="how many problems its input has")
    message = serializers.CharField(help_text="how it ended, in words")
    created_at = serializers.DateTimeField()
    created_by = serializers.CharField(source="created_by.username")
    finished_at = serializers.DateTimeField(allow_null=True)


class JobProblemOut(Out):
    """One thing that is wrong with a job's input."""

    file = serializers.CharField()
    row = serializers.CharField()
    field = serializers.CharField()
    value = serializers.CharField()
    message = serializers.CharField(help_text="what is wrong")


@endpoint("jobs", Role.REQUESTER, lists=JobOut, filters=(STATE.parameter, KIND))
def jobs(request: StudyRequest, study: Study) -> Response:
    """List the jobs of a study, the newest first."""
    rows = study.jobs.with_progress().select_related("created_by").order_by("-created_at", "-pk")
    if kind := request.query_params.get("kind"):
        rows = rows.filter(kind=kind.replace("\0", ""))
    return paged(request, narrowed(request, rows, STATE), JobOut)


@endpoint("jobs", Role.REQUESTER, gives=JobOut)
def job(request: StudyRequest, study: Study, job: int) -> Response:
    """Read a job: its state and how far it is."""
    rows = study.jobs.with_progress().select_related("created_by")
    return done(JobOut, get_object_or_404(rows, pk=job))


@endpoint("jobs", Role.REQUESTER, lists=JobProblemOut)
def job_problems(request: StudyRequest, study: Study, job: int) -> Response:
    """List what is wrong with a job's input."""
    found = get_object_or_404(study.jobs, pk=job)
    return paged(request, found.errors.order_by("number"), JobProblemOut)
