"""The unclear sections of a batch's guideline, as a page and as CSV."""

from django.core.paginator import Paginator
from django.http import HttpResponse, StreamingHttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

from accounts import guards
from accounts.guards import StudyRequest
from accounts.models import Role, Study
from annotation import schemes
from annotation.models import Batch, UnclearMark
from annotation.queries import guideline_issues
from pages import spreadsheet

PER_PAGE = 50
COLUMNS: spreadsheet.Columns[UnclearMark] = {
    "section": lambda mark: mark.section or guideline_issues.WHOLE,
    "item_id": lambda mark: str(mark.item.public_id),
    "turn_id": lambda mark: mark.item.turn.key,
    "question": lambda mark: mark.item.payload["question"],
    "answer": lambda mark: " / ".join(each["text"] for each in mark.item.payload["answers"]),
    "marked_by": lambda mark: mark.marked_by.username,
    "marked_at": lambda mark: mark.marked_at.isoformat(),
}

organiser = guards.study(Role.ADJUDICATOR, Role.REQUESTER)


def batch_of(study: Study, pk: int) -> Batch:
    """The batch. Raises WrongSchemeError if its items have no verdict."""
    found = get_object_or_404(
        Batch.objects.select_related("study", "guideline"), study=study, pk=pk
    )
    schemes.settled_scheme(found.scheme)
    return found


@require_safe
@organiser
def batch_unclear(request: StudyRequest, study: Study, batch: int) -> HttpResponse:
    found = batch_of(study, batch)
    marks = guideline_issues.current_marks(found).select_related("item", "marked_by")
    ordered = marks.order_by("section", "item__position", "pk")
    page = Paginator(ordered, PER_PAGE).get_page(request.GET.get("page"))
    context = {"batch": found, "sections": guideline_issues.section_counts(found), "page": page}
    return render(request, "annotation/batches/unclear.html", context)


@require_safe
@organiser
def unclear_csv(request: StudyRequest, study: Study, batch: int) -> StreamingHttpResponse:
    """A row for each current mark."""
    found = batch_of(study, batch)
    marks = guideline_issues.current_marks(found).select_related(
        "item__turn__conversation", "marked_by"
    )
    rows = marks.order_by("section", "item__position", "pk").iterator(chunk_size=500)
    return spreadsheet.download_table(f"unclear-{found.pk}.csv", COLUMNS, rows)
