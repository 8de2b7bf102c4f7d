"""The pages of annotators: their ranking in a batch or a study, and each one's work. A job computes
the figures.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
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
from annotation.queries import paused_people, self_agreement
from annotation.queries.self_agreement import SelfAgreement
from exports.annotators import charts, download, presenter
from exports.annotators.queries import real_batches
from exports.annotators.stored_figures import AnnotatorsFigures
from jobs import shortcuts
from pages import spreadsheet
from pages.listing import Column, RowListing

requester = guards.study(Role.REQUESTER)

COLUMNS = (
    Column("rank", "Priority", ("rank",), is_number=True),
    Column("annotator", "Annotator", ("name",)),
    Column("reasons", "Reasons", ("n_reasons",)),
    Column("items", "Items", ("n_items",), is_number=True),
    Column("hours", "Active hours", ("hours",), is_number=True),
    Column("speed", "Words a minute", ("words_per_minute",), is_number=True),
    Column("agreement", "Agreement", ("agrees",), is_number=True),
    Column("run", "Longest run", ("run_length",), is_number=True),
)


class Scope(AnnotatorsFigures):
    """The figures of a batch or of the study, with the addresses of their pages."""

    @cached_property
    def self_agreement(self) -> dict[int, SelfAgreement]:
        """The self-agreement of each person (key of the user) who judged repeats; {} where no batch has them."""
        having = [batch for batch in self.batches if batch.repeat_every is not None]
        return self_agreement.by_person(having) if having else {}

    @property
    def has_repeats(self) -> bool:
        """Whether one of the batches hands out repeats."""
        return any(batch.has_repeats for batch in self.batches)

    @property
    def pauses(self) -> QuerySet[Pause]:
        """The decisions on pauses, the newest first."""
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
    return _ranking_page(request, _batch_scope(study, batch))


@require_safe
@requester
def quality_annotators(request: StudyRequest, study: Study) -> HttpResponse:
    return _ranking_page(request, Scope(study))


@require_POST
@requester
def batch_annotators_start(request: StudyRequest, study: Study, batch: int) -> HttpResponseBase:
    return _start(request, _batch_scope(study, batch))


@require_POST
@requester
def quality_annotators_start(request: StudyRequest, study: Study) -> HttpResponseBase:
    return _start(request, Scope(study))


@require_safe
@requester
def batch_annotators_table(request: StudyRequest, study: Study, batch: int) -> HttpResponseBase:
    return _table(_batch_scope(study, batch), f"annotators-of-batch-{batch}.csv")


@require_safe
@requester
def quality_annotators_table(request: StudyRequest, study: Study) -> HttpResponseBase:
    return _table(Scope(study), f"annotators-of-{study.slug}.csv")


@require_safe
@requester
def batch_annotator(request: StudyRequest, study: Study, batch: int, member: int) -> HttpResponse:
    return _annotator_page(request, _batch_scope(study, batch), member)


@require_safe
@requester
def quality_annotator(request: StudyRequest, study: Study, member: int) -> HttpResponse:
    return _annotator_page(request, Scope(study), member)


def _batch_scope(study: Study, pk: int) -> Scope:
    return Scope(study, get_object_or_404(study.batches.select_related("study"), pk=pk))


def _ranking_page(request: StudyRequest, scope: Scope) -> HttpResponse:
    rows = _rows(scope)
    members = dict(scope.study.memberships.values_list("user_id", "pk"))
    context = {
        "scope": scope,
        "batch": scope.batch,
        "listing": RowListing(request, rows, columns=COLUMNS),
        "n_reasons": sum(bool(row["reasons"]) for row in rows),
        "repeats": _repeats(scope),
        "pauses": [
            (each, members.get(each.annotator_id))
            for each in _once_a_decision(scope.pauses.filter(replaced_by=None, is_paused=True))
        ],
    }
    return render(request, "exports/annotators/annotators.html", context)


def _repeats(scope: Scope) -> dict[str, Any] | None:
    """The self-agreement of all together and of each person by name; None where no batch hands out repeats."""
    if not scope.has_repeats:
        return None
    people = scope.self_agreement
    members = scope.study.memberships.filter(user__in=people).select_related("user")
    return {
        "all": self_agreement.pooled(people.values()),
        "people": [
            (each, scope.href("one", each.pk), people[each.user_id])
            for each in members.order_by("user__username")
        ],
    }


def _rows(scope: Scope) -> list[dict[str, Any]]:
    """The annotators of the stored result, as the table shows and sorts them."""
    if scope.result is None:
        return []
    members = {each.pseudonym: each for each in scope.study.memberships.select_related("user")}
    current_pauses = scope.pauses.filter(replaced_by=None, is_paused=True)
    paused = set(current_pauses.values_list("annotator", flat=True))
    return [
        _row(scope, figures, members.get(figures["annotator"]), paused)
        for figures in scope.result["people"]
    ]


def _row(
    scope: Scope, figures: Mapping[str, Any], member: Membership | None, paused: set[int]
) -> dict[str, Any]:
    run = max(figures["asked"], key=lambda each: each["run_length"])
    return {
        **figures,
        "name": member.user.username if member else figures["annotator"],
        "href": scope.href("one", member.pk) if member else "",
        "is_paused": member is not None and member.user_id in paused,
        "n_reasons": len(figures["reasons"]),
        "own": scope.self_agreement.get(member.user_id, SelfAgreement())
        if member
        else SelfAgreement(),
        "hours": figures["speed"]["active_seconds"] / 3600,
        "words_per_minute": figures["speed"]["words_per_minute"],
        "agrees": figures["agreement"]["value"],
        "run_length": run["run_length"],
        "run_label": run["run_label"],
    }


def _annotator_page(request: StudyRequest, scope: Scope, pk: int) -> HttpResponse:
    members = scope.study.memberships.select_related("user")
    member = get_object_or_404(members, pk=pk)
    rows = _rows(scope)
    figures = next((row for row in rows if row["annotator"] == member.pseudonym), None)
    course: Sequence[Mapping[str, Any]] = figures["course"] if figures else []
    rows_of_pauses = list(scope.pauses.filter(annotator=member.user))
    context = {
        "scope": scope,
        "batch": scope.batch,
        "member": member,
        "figures": figures and presenter.page_figures(figures),
        "n_people": len(rows),
        "own": scope.self_agreement.get(member.user_id, SelfAgreement())
        if scope.has_repeats
        else None,
        "speed_picture": charts.speed_picture(course),
        "agreement_picture": charts.agreement_picture(course),
        "pauses": _once_a_decision(rows_of_pauses),
        "is_paused": any(
            each.is_paused for each in rows_of_pauses if not hasattr(each, "replaced_by")
        ),
        "is_paused_in_study": paused_people.is_paused_in_study(scope.study, member.user),
        "work_batches": list(
            real_batches(scope.study).filter(cursors__annotator=member.user, cursors__n_taken__gt=0)
        ),
    }
    return render(request, "exports/annotators/annotator.html", context)


def _once_a_decision(rows: Iterable[Pause]) -> list[Pause]:
    """The rows, and of a decision for the whole study one of its rows."""
    found: dict[object, Pause] = {}
    for row in rows:
        found.setdefault((row.annotator_id, row.paused_at) if row.is_of_study else row.pk, row)
    return list(found.values())


def _start(request: StudyRequest, scope: Scope) -> HttpResponseBase:
    return shortcuts.compute(request, scope, here=scope.href())


def _table(scope: Scope, name: str) -> HttpResponseBase:
    """The ranking as CSV, not rounded; only a header without a stored result."""
    rows = _rows(scope)
    return spreadsheet.download_table(scope.file_name(name), download.columns(rows), rows)
