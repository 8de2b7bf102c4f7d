"""The passages of a data set, and each with the questions that it is offered for."""

from django.db.models import Count, Exists, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

from accounts import guards
from accounts.guards import StudyRequest
from accounts.models import Role, Study
from corpus.models import Citation, Offer, Passage, Turn
from pages.listing import Column, Filter, Listing

COLUMNS = (
    Column("passage", "Passage"),
    Column("text", "Text"),
    Column("turns", "Offered for", is_number=True),
    Column("answers", "Cited by", is_number=True),
)
TURN_COLUMNS = (Column("turn", "Turn"), Column("question", "Question"))
HAS_OFFER = Exists(Offer.objects.filter(passage=OuterRef("pk")))
OFFERED = Filter(
    "offered",
    "Offered",
    {
        "yes": ("for a turn", Q(HAS_OFFER)),
        "no": ("for no turn", ~Q(HAS_OFFER)),
    },
)
PER_PAGE = 25


@require_safe
@guards.study(Role.REQUESTER)
def passages(request: StudyRequest, study: Study, dataset: int) -> HttpResponse:
    found = get_object_or_404(study.datasets.select_related("study"), pk=dataset)
    rows = _with_counts(Passage.objects.with_text().filter(dataset=found)).order_by("pk")
    listing = Listing(
        request,
        rows,
        columns=COLUMNS,
        search=("docid", "title", "text"),
        filters=(OFFERED,),
        per_page=PER_PAGE,
    )
    return render(request, "corpus/passages.html", {"dataset": found, "listing": listing})


@require_safe
@guards.study(Role.REQUESTER)
def passage(request: StudyRequest, study: Study, passage: int) -> HttpResponse:
    rows = Passage.objects.filter(dataset__study=study, dataset__staged_by=None)
    found = get_object_or_404(_with_counts(rows).select_related("dataset"), pk=passage)
    turns = Turn.objects.of(found.dataset).filter(offers__passage=found)
    listing = Listing(request, turns, columns=TURN_COLUMNS, per_page=PER_PAGE)
    return render(request, "corpus/passage.html", {"passage": found, "turns": listing})


def _with_counts(passages: QuerySet[Passage]) -> QuerySet[Passage]:
    """Annotate the passages with the turns that they are offered for and the answers that cite them."""
    return passages.annotate(
        n_turns=_count(Offer.objects.filter(passage=OuterRef("pk"))),
        n_answers=_count(
            Citation.objects.filter(passage=OuterRef("pk"), answer__run__staged_by=None)
        ),
    )


def _count(rows: QuerySet[Offer] | QuerySet[Citation]) -> Coalesce:
    counted = rows.order_by().values("passage").annotate(n=Count("pk"))
    return Coalesce(Subquery(counted.values("n")), 0)
