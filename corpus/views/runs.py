from collections import defaultdict
from collections.abc import Iterable

from django.db.models import Case, Exists, F, OuterRef, Prefetch, Q, When
from django.http import HttpResponse, StreamingHttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils.http import content_disposition_header
from django.views.decorators.http import require_safe

from accounts import guards
from accounts.guards import StudyRequest
from accounts.models import Role, Study
from corpus import queries as corpus_queries
from corpus import run_file_queries
from corpus.models import Answer, Citation, Run, RunKind, turn_key
from corpus.quotes import QuoteStatus
from pages.listing import Column, Filter, Listing

COLUMNS = (
    Column("name", "Run", ("name",)),
    Column("dataset", "Data set", ("dataset__name", "dataset__version")),
    Column("team", "Team", ("team",)),
    Column("kind", "Kind", ("kind",)),
    Column("setup", "Setup", ("setup",)),
    Column("answers", "Answers", ("n_answers",), is_number=True),
    Column("empty", "Empty", ("n_empty",), is_number=True),
    Column("citing", "With citations", ("n_citing",), is_number=True),
    Column("imported", "Imported", ("created_at",)),
)
ANSWER_COLUMNS = (
    Column("turn", "Turn"),
    Column("answer", "Question and answer"),
    Column("citations", "Citations"),
)
PER_PAGE = 25
# Of what an answer cites, so many passages are shown.
MOST_SHOWN = 5

HAS_CITATION = Exists(Citation.objects.filter(answer=OuterRef("pk")))
HAS_QUOTE = Exists(Citation.objects.filter(answer=OuterRef("pk")).exclude(quote_status=""))
HAS_UNUSABLE_QUOTE = Exists(
    Citation.objects.filter(answer=OuterRef("pk")).exclude(
        quote_status__in=["", QuoteStatus.USABLE.value]
    )
)
WITHDRAWN = Filter(
    "withdrawn",
    "Withdrawn",
    {"no": ("not withdrawn", Q(is_withdrawn=False)), "yes": ("withdrawn", Q(is_withdrawn=True))},
)
CITING = Filter(
    "citing",
    "Citations",
    {
        "some": ("with citations", Q(HAS_CITATION)),
        "none": ("without citations", ~Q(HAS_CITATION)),
        "quote": ("with a quote", Q(HAS_QUOTE)),
        "unusable": ("with a quote that is not usable", Q(HAS_UNUSABLE_QUOTE)),
    },
)


@require_safe
@guards.study(Role.REQUESTER)
def runs(request: StudyRequest, study: Study) -> HttpResponse:
    rows = Run.objects.filter(dataset__study=study).exclude(kind=RunKind.REFERENCE)
    listing = Listing(
        request,
        rows.select_related("dataset", "created_by").order_by("dataset__name", "name"),
        columns=COLUMNS,
        search=("name", "team", "system", "setup"),
        filters=(_datasets(study), _kinds(), WITHDRAWN),
    )
    return render(
        request,
        "corpus/runs.html",
        {
            "listing": listing,
            "twins": _twins(listing.page),
            "has_data": study.datasets.exists(),
            # Of the runs on this page, so that the list of many data sets stays short.
            "described": list(dict.fromkeys(run.dataset for run in listing.page)),
        },
    )


def _datasets(study: Study) -> Filter:
    choices = {str(each.pk): (str(each), Q(dataset=each)) for each in study.datasets.all()}
    return Filter("dataset", "Data set", choices)


def _kinds() -> Filter:
    kinds = (RunKind.SYSTEM, RunKind.BASELINE, RunKind.EXTRACTED)
    return Filter("kind", "Kind", {kind.value: (kind.value, Q(kind=kind)) for kind in kinds})


def _twins(runs: Iterable[Run]) -> dict[int, list[Run]]:
    """Return for each run the other runs of its data set with the same answers."""
    runs = list(runs)
    digests = {run.answers_digest for run in runs}
    alike = defaultdict(list)
    for run in Run.objects.filter(answers_digest__in=digests).exclude(kind=RunKind.REFERENCE):
        alike[run.dataset_id, run.answers_digest].append(run)
    return {
        run.pk: [each for each in alike[run.dataset_id, run.answers_digest] if each != run]
        for run in runs
    }


@require_safe
@guards.study(Role.REQUESTER)
def run(request: StudyRequest, study: Study, run: int) -> HttpResponse:
    rows = Run.objects.filter(dataset__study=study).select_related(
        "dataset", "created_by", "carried_from__dataset"
    )
    found = get_object_or_404(rows, pk=run)
    context = {
        "run": found,
        "answers": _answers(request, found),
        "most_shown": MOST_SHOWN,
        "can_be_deleted": not corpus_queries.is_used(found),
        "twins": _twins([found])[found.pk],
        "changes": corpus_queries.changes_of_run(found),
    }
    return render(request, "corpus/run.html", context)


def _answers(request: StudyRequest, run: Run) -> Listing:
    citations = Citation.objects.select_related("passage").defer("passage__text")
    is_quoted = Case(When(quote_status="", then=1), default=0)
    ranked = citations.order_by(is_quoted, F("rank").asc(nulls_last=True), "pk")
    answers = (
        Answer.objects.filter(run=run)
        .select_related("turn__conversation")
        .prefetch_related(
            Prefetch("citations", ranked, to_attr="cited"),
            Prefetch("turn__answers", Answer.objects.references(run.dataset), to_attr="references"),
        )
        .annotate(key=turn_key("turn__"))
        .order_by("turn__conversation__position", "turn__number")
    )
    return Listing(
        request,
        answers,
        columns=ANSWER_COLUMNS,
        search=("text", "turn__question", "turn__rewrite", "key"),
        filters=(CITING,),
        per_page=PER_PAGE,
    )


@require_safe
@guards.study(Role.REQUESTER)
def run_file(request: StudyRequest, study: Study, run: int) -> StreamingHttpResponse:
    """Return the run as a file that can be imported again, written from its rows."""
    rows = Run.objects.filter(dataset__study=study).exclude(kind=RunKind.REFERENCE)
    found = get_object_or_404(rows.select_related("dataset"), pk=run)
    format = run_file_queries.format_of(found)
    name = run_file_queries.file_name(found, format)
    return StreamingHttpResponse(
        format.write(run_file_queries.records(found)),
        content_type="application/json; charset=utf-8",
        headers={"Content-Disposition": content_disposition_header(True, name) or ""},
    )
