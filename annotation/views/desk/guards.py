"""Guards of the desk's views: the role, the batch, and whose assignment it is."""

from functools import wraps
from http import HTTPStatus
from uuid import UUID

from django.db.models import BigIntegerField
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, render
from django.views.decorators.cache import never_cache

from accounts import guards, permissions
from accounts.guards import StudyRequest, View
from accounts.models import Role, Study
from annotation.models import Assignment, Batch, BatchState
from performance.compiled_queries import Compiled

OPENED = Compiled(
    lambda *, study, pk: (
        Batch.objects.exclude(state=BatchState.DRAFT)
        .filter(study=study, pk=pk)
        .select_related("guideline", "created_by")
    )
)


def signed_in_or_401(view: View) -> View:
    """Answer 401 to a script if nobody is signed in, instead of a redirect to the sign-in page."""

    @wraps(view)
    def guarded(request: HttpRequest, **options: object) -> HttpResponseBase:
        if not request.user.is_authenticated:
            return JsonResponse({"error": "nobody is signed in"}, status=HTTPStatus.UNAUTHORIZED)
        return view(request, **options)

    return guarded


def batch(view: View) -> View:
    """Guard a view of a batch: for annotators of its study, not for a draft or a rehearsal.

    The browser must not cache the page: going back has to show the current state.
    """

    @never_cache
    @guards.study(Role.ANNOTATOR)
    @wraps(view)
    def guarded(
        request: StudyRequest, study: Study, batch: int, **options: object
    ) -> HttpResponseBase:
        permissions.require_desk(request.user, study, request.roles)
        found = (
            OPENED.first(study=study.pk, pk=batch) if batch <= BigIntegerField.MAX_BIGINT else None
        )
        if found is None:
            raise Http404
        found.study = study  # known already
        if found.is_rehearsal:
            return problem(request, found, "rehearsal", HTTPStatus.CONFLICT)
        return view(request, found, **options)

    return guarded


def assignment(view: View) -> View:
    """Guard a view of an assignment: for its annotator only."""

    @batch
    @wraps(view)
    def guarded(
        request: StudyRequest, batch: Batch, assignment: UUID, **options: object
    ) -> HttpResponseBase:
        assignments = Assignment.objects.filter(item__batch=batch).select_related("item")
        found = get_object_or_404(assignments, public_id=assignment)
        if found.annotator_id != request.user.pk:
            return problem(request, batch, "somebody_elses", HTTPStatus.FORBIDDEN)
        return view(request, batch, found, **options)

    return guarded


def problem(
    request: HttpRequest, batch: Batch, what: str, status: HTTPStatus, **more: object
) -> HttpResponse:
    """A page that says why nothing was done; `what` chooses the text."""
    context = {"batch": batch, "what": what, **more}
    return render(request, "annotation/desk/problem.html", context, status=status)
