from typing import Any

from django.contrib import messages
from django.db.models import Count, OuterRef, Prefetch, Q, QuerySet, Subquery, Sum
from django.db.models.functions import Coalesce
from django.http import Http404, HttpResponse, StreamingHttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.http import content_disposition_header
from django.views.decorators.http import require_POST, require_safe

from accounts import guards
from accounts.guards import StudyRequest
from accounts.models import Role, Study
from corpus import accepted, names
from corpus import queries as corpus_queries
from corpus.actions import later_carry_over
from corpus.models import (
    Answer,
    Conversation,
    Dataset,
    Offer,
    Passage,
    References,
    Run,
    RunKind,
    Turn,
    turn_key,
)
from jobs import shortcuts
from pages.listing import Column, Filter, Listing

COLUMNS = (
    Column("name", "Data set", ("name", "version")),
    Column("conversations", "Conversations", ("n_conversations",), is_number=True),
    Column("turns", "Turns", ("n_turns",), is_number=True),
    Column("references", "References", ("n_references",), is_number=True),
    Column("passages", "Passages", ("n_passages",), is_number=True),
    Column("runs", "Runs", ("n_runs",), is_number=True),
    Column("licence", "Licence", ("licence",)),
    Column("imported", "Imported", ("created_at",)),
)
WITHDRAWN = Filter(
    "withdrawn",
    "Withdrawn",
    {"no": ("not withdrawn", Q(is_withdrawn=False)), "yes": ("withdrawn", Q(is_withdrawn=True))},
)
TURN_COLUMNS = (
    Column("turn", "Turn"),
    Column("question", "Question"),
    Column("reference", "Reference"),
    Column("passages", "Passages", is_number=True),
)


@require_safe
@guards.study(Role.REQUESTER)
def datasets(request: StudyRequest, study: Study) -> HttpResponse:
    rows = _with_counts(study.datasets.all()).select_related("created_by")
    listing = Listing(
        request,
        rows.order_by("name", "-version"),
        columns=COLUMNS,
        search=("name", "licence"),
        filters=(WITHDRAWN,),
    )
    return render(request, "corpus/datasets.html", {"listing": listing})


@require_safe
@guards.study(Role.REQUESTER)
def dataset(request: StudyRequest, study: Study, name: str, version: int) -> HttpResponse:
    if names.flaw(name):  # no data set is called so; PostgreSQL would not even look for a NUL
        raise Http404
    rows = _with_counts(study.datasets.all()).select_related("created_by", "continues")
    found = get_object_or_404(rows, name=name, version=version)
    return render(
        request,
        "corpus/dataset.html",
        {
            "dataset": found,
            "turns": _turns(request, found),
            "runs": found.runs.exclude(kind=RunKind.REFERENCE),
            "newest": study.datasets.by_name(found.name),
            "parts": corpus_queries.parts(found),
            "release": accepted.about(found.release) if found.release else "",
            "changes": corpus_queries.changes_of_dataset(found),
            "before": later_carry_over.before(found),
            "is_anything_left": later_carry_over.is_anything_left(found),
        },
    )


@require_POST
@guards.study(Role.REQUESTER)
def carry_over(request: StudyRequest, study: Study, dataset: int) -> HttpResponse:
    """Start a job that takes along the work on the version before."""
    found = get_object_or_404(study.datasets, pk=dataset)
    here = reverse("dataset", args=[study.slug, found.name, found.version])
    if not later_carry_over.is_anything_left(found):
        messages.info(request, f"There is nothing that {found} could still take along.")
        return redirect(here)
    params = {"dataset": found.pk}
    return shortcuts.start(request, kind="carry_over", key=str(found), params=params, here=here)


@require_safe
@guards.study(Role.REQUESTER)
def dataset_part(
    request: StudyRequest, study: Study, dataset: int, place: int
) -> StreamingHttpResponse:
    """Return a file that the data set came from, as it was read; `place` counts from 1."""
    found = get_object_or_404(study.datasets, pk=dataset)
    parts = corpus_queries.parts(found)
    if not 1 <= place <= len(parts):
        raise Http404
    part = parts[place - 1]
    return StreamingHttpResponse(
        corpus_queries.lines(found, part),
        content_type="application/jsonl; charset=us-ascii",
        headers={"Content-Disposition": content_disposition_header(True, part) or ""},
    )


def _turns(request: StudyRequest, dataset: Dataset) -> Listing:
    """Return the turns in the order of the data set; the page groups those of a conversation."""
    found = Answer.objects.references(dataset, References.SILVER).select_related("run")
    references = Prefetch("answers", found.order_by("run"), to_attr="references")
    turns = (
        Turn.objects.of(dataset)
        .prefetch_related(references)
        .annotate(n_passages=_count(Offer.objects.filter(turn=OuterRef("pk")), "turn"))
        .annotate(turn_id=turn_key())
    )
    searched = ("question", "rewrite", "turn_id")
    return Listing(request, turns, columns=TURN_COLUMNS, search=searched)


def _with_counts(datasets: QuerySet[Dataset]) -> QuerySet[Dataset]:
    """Annotate the data sets with the counts of their contents, in the same query."""
    turns = Turn.objects.filter(conversation__dataset=OuterRef("pk")).values(
        "conversation__dataset"
    )
    runs = Run.objects.filter(dataset=OuterRef("pk"))
    references = runs.filter(kind=RunKind.REFERENCE, tier="").order_by()
    counts: dict[str, Any] = {
        "n_conversations": _count(Conversation.objects.filter(dataset=OuterRef("pk"))),
        "n_turns": _number(turns.order_by().annotate(n=Count("pk"))),
        "n_passages": _count(Passage.objects.with_text().filter(dataset=OuterRef("pk"))),
        "n_references": _number(references.values("dataset").annotate(n=Sum("n_answers"))),
        "n_runs": _count(runs.exclude(kind=RunKind.REFERENCE)),
    }
    return datasets.annotate(**counts)


def _count(rows: QuerySet[Any], of: str = "dataset") -> Coalesce:
    return _number(rows.order_by().values(of).annotate(n=Count("pk")))


def _number(rows: QuerySet[Any, Any]) -> Coalesce:
    return Coalesce(Subquery(rows.values("n")), 0)
