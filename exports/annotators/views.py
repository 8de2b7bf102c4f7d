"""How each annotator works, in a batch or in the whole study: computed in the background, ranked for a look."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.db.models import QuerySet
from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from accounts import guards
from accounts.guards import StudyRequest
from accounts.models import Membership, Role, Study
from annotation.models import Pause
from exports.annotators import (
    charts as annotator_charts,
)
from exports.annotators import (
    download as annotator_download,
)
from exports.annotators import (
    presenter as annotator_presenter,
)
from exports.annotators.queries import real_batches
from exports.annotators.stored_figures import AnnotatorsFigures
from jobs import shortcuts
from pages import spreadsheet
from pages.listing import Column, RowListing

requester = guards.study(Role.REQUESTER)

COLUMNS = (
    Column("rank", "Look first", ("rank",), is_number=True),
    Column("annotator", "Annotator", ("name",)),
    Column("reasons", "Why", ("n_reasons",)),
    Column("items", "Items", ("n_items",), is_number=True),
    Column("hours", "Active hours", ("hours",), is_number=True),
    Column("speed", "Words a minute", ("words_per_minute",), is_number=True),
    Column("agreement", "Agreement", ("agrees",), is_number=True),
    Column("run", "Longest run", ("run_length",), is_number=True),
)


class Scope(AnnotatorsFigures):
    """With the pages of a batch, or of the study."""

    @property
    def pauses(self) -> QuerySet[Pause]:
        """Every decision on a pause, the newest first."""
        rows = Pause.objects.filter(batch__study=self.study).order_by("-pk")
        rows = rows.filter(batch=self.batch) if self.batch else rows
        return rows.select_related("batch", "annotator", "paused_by")

    def href(self, what: str = "", *more: object) -> str:
        place = "batch_annotator" if self.batch else "quality_annotator"
        names = {"": f"{place}s", "start": f"{place}s_start", "table": f"{place}s_table"}
        own = [self.batch.pk] if self.batch else []
        return reverse(names.get(what, place), args=[self.study.slug, *own, *more])

    @property
    def start_href(self) -> str:
        return self.href("start")

    @property
    def table_href(self) -> str:
        return self.href("table")

    @property
    def back_href(self) -> str:
        return self.href()


@require_safe
@requester
def batch_annotators(request: StudyRequest, study: Study, batch: int) -> HttpResponse:
    return _ranking(request, _of_batch(study, batch))


@require_safe
@requester
def quality_annotators(request: StudyRequest, study: Study) -> HttpResponse:
    return _ranking(request, Scope(study))


@require_POST
@requester
def batch_annotators_start(request: StudyRequest, study: Study, batch: int) -> HttpResponseBase:
    return _start(request, _of_batch(study, batch))


@require_POST
@requester
def quality_annotators_start(request: StudyRequest, study: Study) -> HttpResponseBase:
    return _start(request, Scope(study))


@require_safe
@requester
def batch_annotators_table(request: StudyRequest, study: Study, batch: int) -> HttpResponseBase:
    return _table(_of_batch(study, batch), f"annotators-of-batch-{batch}.csv")


@require_safe
@requester
def quality_annotators_table(request: StudyRequest, study: Study) -> HttpResponseBase:
    return _table(Scope(study), f"annotators-of-{study.slug}.csv")


@require_safe
@requester
def batch_annotator(request: StudyRequest, study: Study, batch: int, member: int) -> HttpResponse:
    return _one(request, _of_batch(study, batch), member)


@require_safe
@requester
def quality_annotator(request: StudyRequest, study: Study, member: int) -> HttpResponse:
    return _one(request, Scope(study), member)


def _of_batch(study: Study, pk: int) -> Scope:
    return Scope(study, get_object_or_404(study.batches.select_related("study"), pk=pk))


def _ranking(request: StudyRequest, scope: Scope) -> HttpResponse:
    rows = _rows(scope)
    members = dict(scope.study.memberships.values_list("user_id", "pk"))
    context = {
        "scope": scope,
        "batch": scope.batch,
        "listing": RowListing(request, rows, columns=COLUMNS),
        "n_reasons": sum(bool(row["reasons"]) for row in rows),
        "pauses": [
            (each, members.get(each.annotator_id))
            for each in scope.pauses.filter(replaced_by=None, is_paused=True)
        ],
    }
    return render(request, "exports/annotators/annotators.html", context)


def _rows(scope: Scope) -> list[dict[str, Any]]:
    """The people of the stored result, with their names, as the table shows and sorts them."""
    if scope.result is None:
        return []
    members = {each.pseudonym: each for each in scope.study.memberships.select_related("user")}
    standing = scope.pauses.filter(replaced_by=None, is_paused=True)
    paused = set(standing.values_list("annotator", flat=True))
    return [
        _row(scope, found, members.get(found["annotator"]), paused)
        for found in scope.result["people"]
    ]


def _row(
    scope: Scope, found: Mapping[str, Any], member: Membership | None, paused: set[int]
) -> dict[str, Any]:
    run = max(found["asked"], key=lambda each: each["run_length"])
    return {
        **found,
        "name": member.user.username if member else found["annotator"],
        "href": scope.href("one", member.pk) if member else "",
        "is_paused": member is not None and member.user_id in paused,
        "n_reasons": len(found["reasons"]),
        "hours": found["speed"]["active_seconds"] / 3600,
        "words_per_minute": found["speed"]["words_per_minute"],
        "agrees": found["agreement"]["value"],
        "run_length": run["run_length"],
        "run_label": run["run_label"],
    }


def _one(request: StudyRequest, scope: Scope, pk: int) -> HttpResponse:
    members = scope.study.memberships.select_related("user")
    member = get_object_or_404(members, pk=pk)
    rows = _rows(scope)
    found = next((row for row in rows if row["annotator"] == member.pseudonym), None)
    course: Sequence[Mapping[str, Any]] = found["course"] if found else []
    pauses = list(scope.pauses.filter(annotator=member.user))
    context = {
        "scope": scope,
        "batch": scope.batch,
        "member": member,
        "found": found and annotator_presenter.in_words(found),
        "n_people": len(rows),
        "speed_picture": annotator_charts.of_speed(course),
        "agreement_picture": annotator_charts.of_agreement(course),
        "pauses": pauses,
        "is_paused": any(each.is_paused for each in pauses if not hasattr(each, "replaced_by")),
        "judged_in": real_batches(scope.study).filter(
            cursors__annotator=member.user, cursors__n_taken__gt=0
        ),
    }
    return render(request, "exports/annotators/annotator.html", context)


def _start(request: StudyRequest, scope: Scope) -> HttpResponseBase:
    return shortcuts.compute(request, scope, here=scope.href())


def _table(scope: Scope, name: str) -> HttpResponseBase:
    """With every number that the page rounds; only the header where nothing was computed."""
    rows = _rows(scope)
    return spreadsheet.download_table(name, annotator_download.columns(rows), rows)
