"""Jobs in the REST API: state and progress, result as text, errors of the input."""

from django.db.models import Q, QuerySet
from django.shortcuts import get_object_or_404
from drf_spectacular.utils import OpenApiParameter, extend_schema, extend_schema_view
from rest_framework import serializers
from rest_framework.generics import ListAPIView, RetrieveAPIView

from accounts.api.base import StudyView
from accounts.api.filtering import ChoiceFilter
from accounts.models import Role
from jobs.models import UNFINISHED, Job, JobError, JobState

KIND = OpenApiParameter(
    "kind", str, description="only jobs of this kind: score, draw_pool, release …"
)


class StateFilter(ChoiceFilter):
    name = "state"
    description = "only jobs in this state; unfinished: waiting or running"
    conditions = {"unfinished": Q(state__in=UNFINISHED)} | {
        state.value: Q(state=state) for state in JobState
    }


class JobSerializer(serializers.ModelSerializer[Job]):
    """A background job. Its progress is counted in units: answers, for example."""

    n_units = serializers.IntegerField(help_text="units of work in all; 0 until known")
    n_done = serializers.IntegerField(help_text="units done")
    n_errors = serializers.IntegerField(help_text="problems in its input")
    message = serializers.CharField(source="message_for_requesters", help_text="result in words")
    created_by = serializers.CharField(
        source="created_by.username", help_text="who started it, or on whose behalf it was started"
    )

    class Meta:
        model = Job
        fields = [
            *("id", "kind", "key", "state", "n_units", "n_done", "n_errors", "message"),
            *("created_at", "created_by", "is_automatic", "finished_at"),
        ]
        read_only_fields = fields
        extra_kwargs = {
            "is_automatic": {
                "help_text": "whether a worker started it, because figures were out of date"
            },
            "kind": {"help_text": "kind of work: score, draw_pool, release …"},
            "key": {"help_text": "what it is about"},
        }


class JobProblemSerializer(serializers.ModelSerializer[JobError]):
    """A problem in the input of a job."""

    file = serializers.CharField(source="file_for_requesters")
    message = serializers.CharField(source="message_for_requesters", help_text="what is wrong")

    class Meta:
        model = JobError
        fields = ["file", "row", "field", "value", "message"]
        read_only_fields = fields


@extend_schema_view(
    get=extend_schema(operation_id="jobs", tags=["jobs"], parameters=[KIND]),
)
class JobList(StudyView, ListAPIView[Job]):
    """List the jobs of a study, the newest first."""

    roles = (Role.REQUESTER,)
    serializer_class = JobSerializer
    filter_backends = (StateFilter,)

    def get_queryset(self) -> QuerySet[Job]:
        jobs = self.study.jobs.with_progress().select_related("created_by")
        if kind := self.request.query_params.get("kind"):
            jobs = jobs.filter(kind=kind.replace("\0", ""))
        return jobs.order_by("-created_at", "-pk")


@extend_schema_view(get=extend_schema(operation_id="job", tags=["jobs"]))
class JobDetail(StudyView, RetrieveAPIView[Job]):
    """Read a job: its state and progress."""

    roles = (Role.REQUESTER,)
    serializer_class = JobSerializer
    lookup_url_kwarg = "job"

    def get_queryset(self) -> QuerySet[Job]:
        return self.study.jobs.with_progress().select_related("created_by")


@extend_schema_view(get=extend_schema(operation_id="job_problems", tags=["jobs"]))
class JobProblemList(StudyView, ListAPIView[JobError]):
    """List the problems in a job's input, at most a thousand.

    Problems in files uploaded on a page are deleted with the files.
    """

    roles = (Role.REQUESTER,)
    serializer_class = JobProblemSerializer

    def get_queryset(self) -> QuerySet[JobError]:
        job = get_object_or_404(self.study.jobs, pk=self.kwargs["job"])
        return job.errors.order_by("number")
