"""The page of a batch's reserved items: who has which and how far they are, reserve more, reassign what is left."""

from collections.abc import Sequence
from typing import Any

from django.contrib import messages
from django.db.models import Q, QuerySet
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods, require_POST

from accounts.guards import StudyRequest
from accounts.models import Study, User
from annotation import reserved_items_csv
from annotation.actions import reassignments
from annotation.actions import reservations as acts
from annotation.actions.batches import BatchError
from annotation.actions.reservations import Reserved
from annotation.actions.reserved_places import ReservationError
from annotation.forms.reservations import LIST, NUMBER, ReassignForm, ReserveForm
from annotation.models import AssignmentState, Batch
from annotation.models.reservation import DONE_STATES
from annotation.queries import reservations as queries
from annotation.queries import standings
from annotation.review_decisions import ReviewError
from annotation.views.batches.pages import batch_of, requester
from corpus.problems import ImportProblems, Report
from pages.listing import Column, Filter, Listing
from pages.templatetags.pages import count

PEOPLE = (
    Column("annotator", "Annotator", ("username",)),
    Column("reserved", "Reserved", is_number=True),
    Column("judged", "Judged", is_number=True),
    Column("skipped", "Skipped", is_number=True),
    Column("held", "On the desk", is_number=True),
    Column("left", "Left", is_number=True),
    Column("active", "Last active"),
)
ITEMS = (
    Column("item", "Item", ("item__position",)),
    Column("reserved", "Reserved", ("reserved_at",)),
    Column("work", "State"),
)
IS_LEFT = Q(work=None) | ~Q(work__in=DONE_STATES)
WORK = Filter(
    "work",
    "State",
    {
        "left": ("left", IS_LEFT),
        "judged": ("judged", Q(work=AssignmentState.SUBMITTED)),
        "skipped": ("skipped", Q(work=AssignmentState.SKIPPED)),
    },
)
# Of the reservations that ended, as many of the newest are listed.
N_ENDED = 50


@require_http_methods(["GET", "HEAD", "POST"])
@requester
def batch_reserved(request: StudyRequest, study: Study, batch: int) -> HttpResponse:
    """Show who has which items; a POST reserves some."""
    found = batch_of(study, batch)
    form = ReserveForm(_candidates(found), request.POST if request.method == "POST" else None)
    if form.is_valid():
        try:
            made = _reserve(found, form, request.user)
        except (BatchError, ReservationError) as error:
            form.add_error(None, f"Nothing was reserved: {error}.")
        except ImportProblems as problems:
            form.add_error("names", f"Nothing was reserved. {problems}")
        else:
            messages.success(
                request,
                f"Reserved for {form.chosen_person.username}: {count(made.n_items, 'item')} of"
                f" {count(made.n_questions, 'question')}. Their part is {count(made.n_part, 'item')} now.",
            )
            return redirect("batch_reserved", study=study.slug, batch=batch)
    return _page(request, found, form, ReassignForm(_candidates(found)))


def _candidates(batch: Batch) -> list[User]:
    """The people for whom items of the batch can be reserved, by name."""
    members = [member.user for member in standings.candidates(batch.study)]
    hindered = queries.obstacles(batch, [each.pk for each in members])
    return [each for each in members if each.pk not in hindered]


def _reserve(batch: Batch, form: ReserveForm, by: User) -> Reserved:
    cleaned = form.cleaned_data
    options: dict[str, Any] = {"batch": batch, "person": form.chosen_person, "by": by}
    if cleaned["what"] == LIST:
        report = Report("", "line")
        rows = reserved_items_csv.read_lines(cleaned["names"], report)
        report.finish()
        return acts.reserve_named(rows=rows, report=report, **options)
    seed = 1 if cleaned["seed"] is None else cleaned["seed"]
    if cleaned["what"] == NUMBER:
        return acts.reserve_drawn(n=cleaned["n"], seed=seed, **options)
    return acts.reserve_drawn(share=cleaned["share"] / 100, seed=seed, **options)


def _page(
    request: StudyRequest, batch: Batch, form: ReserveForm, reassign: ReassignForm
) -> HttpResponse:
    rows = queries.people_with_parts(batch)
    listing = Listing(request, rows, columns=PEOPLE, search=("username",))
    context = {
        "batch": batch,
        "can_reserve": not queries.objection(batch) and not batch.study.is_archived,
        "objection": queries.objection(batch),
        "form": form,
        "reassign": reassign,
        "listing": listing,
        "lines": queries.parts(batch, list(listing.page)),
        "n_stuck": queries.n_stuck(batch, queries.people_at_parts(batch)),
        "ticked": set(request.POST.getlist("person")),
        "ended": queries.ended_groups(batch)[:N_ENDED],
    }
    status = 400 if form.errors or reassign.errors else 200
    return render(request, "annotation/batches/reserved.html", context, status=status)


@require_POST
@requester
def batch_reassign(request: StudyRequest, study: Study, batch: int) -> HttpResponse:
    """Reassign what is left of the ticked people's items."""
    found = batch_of(study, batch)
    form = ReassignForm(_candidates(found), request.POST)
    people = _ticked(request, queries.people_with_parts(found))
    if not people:
        form.add_error(None, "Nobody is ticked: tick the people whose items go to somebody else.")
    if _is_done(request, found, form, people, None):
        return redirect("batch_reserved", study=study.slug, batch=batch)
    return _page(request, found, ReserveForm(_candidates(found)), form)


def _ticked(request: StudyRequest, people: QuerySet[User]) -> list[User]:
    keys = [key for key in request.POST.getlist("person") if key.isascii() and key.isdigit()]
    return list(people.filter(pk__in=[key for key in keys if len(key) < 19]))


def _is_done(
    request: StudyRequest,
    batch: Batch,
    form: ReassignForm,
    people: Sequence[User],
    items: list[Any] | None,
) -> bool:
    """Reassign as the form says, if it can be done; else the form says why not."""
    if not form.is_valid():
        return False
    try:
        done = reassignments.reassign(
            batch=batch,
            people=people,
            to=form.taker,
            reason=form.cleaned_data["reason"],
            by=request.user,
            items=items,
        )
    except (BatchError, ReservationError, ReviewError) as error:
        form.add_error(None, f"Nothing was reassigned: {error}.")
        return False
    to = f"are reserved for {form.taker.username}" if form.taker else "are open to everybody"
    stay = f" {count(done.n_held, 'item')} on desks stay until their time is over."
    messages.success(
        request, f"{count(done.n_items, 'item')} {to} now.{stay if done.n_held else ''}"
    )
    return True


@require_http_methods(["GET", "HEAD", "POST"])
@requester
def reserved_part(request: StudyRequest, study: Study, batch: int, member: int) -> HttpResponse:
    """The items that are reserved for one person; a POST reassigns the ticked ones."""
    found = batch_of(study, batch)
    membership = get_object_or_404(study.memberships, pk=member)
    owner = get_object_or_404(queries.people_with_parts(found), pk=membership.user_id)
    others = [each for each in _candidates(found) if each != owner]
    form = ReassignForm(others, request.POST if request.method == "POST" else None)
    if request.method == "POST":
        names = map(reserved_items_csv.as_uuid, request.POST.getlist("item"))
        items = [name for name in names if name is not None]
        if not items:
            form.add_error(None, "No item is ticked: tick those that go to somebody else.")
        if _is_done(request, found, form, [owner], items):
            return redirect("batch_reserved", study=study.slug, batch=batch)
    return _part_page(request, found, owner, form)


def _part_page(
    request: StudyRequest, batch: Batch, owner: User, form: ReassignForm
) -> HttpResponse:
    listing = Listing(
        request,
        queries.rows_of(batch, owner),
        columns=ITEMS,
        search=("item__turn__question",),
        filters=(WORK,),
    )
    (line,) = queries.parts(batch, [owner])
    context = {
        "batch": batch,
        "owner": owner,
        "line": line,
        "listing": listing,
        "form": form,
        "can_reassign": not queries.objection(batch) and not batch.study.is_archived,
        "ticked": set(request.POST.getlist("item")),
    }
    status = 400 if form.errors else 200
    return render(request, "annotation/batches/reserved_part.html", context, status=status)
