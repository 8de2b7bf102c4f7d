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
from annotation.queries import audience
from performance.compiled_queries import Compiled

# With what was decided of the person, on which `is_admitted` rests.
OPENED = Compiled(
    lambda *, study, pk, person: audience.with_standing(
        Batch.objects.exclude(state=BatchState.DRAFT)
        .filter(study=study, pk=pk)
        .select_related("guideline", "created_by"),
        person,
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
    """Guard a view of a batch: for the annotators of its study who are in its audience.

    Of a batch that is not for them, others learn nothing (404), and those who were taken off it that they were.
    """

    @batch_with_own_work
    @wraps(view)
    def guarded(request: StudyRequest, batch: Batch, **options: object) -> HttpResponseBase:
        if not batch.is_admitted:
            return problem(request, batch, "left", HTTPStatus.FORBIDDEN)
        return view(request, batch, **options)

    return guarded


def batch_with_own_work(view: View) -> View:
    """Guard a view that also takes what people send who were taken off the batch while they worked.

    Not for a draft or a rehearsal. `is_admitted` of the batch says who was. The browser must not cache the page: going back
    has to show the current state.
    """

    @never_cache
    @guards.study(Role.ANNOTATOR)
    @wraps(view)
    def guarded(
        request: StudyRequest, study: Study, batch: int, **options: object
    ) -> HttpResponseBase:
        permissions.require_desk(request.user, study, request.roles)
        found = (
            OPENED.first(study=study.pk, pk=batch, person=request.user.pk)
            if batch <= BigIntegerField.MAX_BIGINT
            else None
        )
        if found is None:
            raise Http404
        found.study = study  # known already
        if found.is_rehearsal:
            return problem(request, found, "rehearsal", HTTPStatus.CONFLICT)
        if not found.is_admitted and not audience.has_begun(found, request.user):
            raise Http404
        return view(request, found, **options)

    return guarded


def assignment(view: View) -> View:
    """Guard a view of an assignment: for its annotator only, while they are in the batch's audience."""
    return batch(_of_annotator(view))


def assignment_of_own_work(view: View) -> View:
    """Guard a view of an assignment that its annotator can use also once they were taken off the batch."""
    return batch_with_own_work(_of_annotator(view))


def _of_annotator(view: View) -> View:
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
