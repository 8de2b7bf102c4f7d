from django.db.models import Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from accounts import guards
from accounts.guards import PersonRequest, StudyRequest
from accounts.models import Role, Study
from audit.models import Event
from pages.listing import Column, Filter, Listing

COLUMNS = (
    Column("at", "When", ("at",)),
    Column("actor", "Who", ("actor",)),
    Column("verb", "What", ("verb", "target")),
    Column("details", "Details"),
)
NO_STUDY = ""  # what the events outside the studies have in its place


@require_safe
@guards.study(Role.REQUESTER)
def history(request: StudyRequest, study: Study) -> HttpResponse:
    """List every act of an organiser and every decision on somebody's work, newest first."""
    return render(request, "audit/history.html", {"listing": _events(request, study.slug)})


@require_safe
@guards.administrator
def house_history(request: PersonRequest) -> HttpResponse:
    """List what was done to users outside the studies, newest first."""
    return render(request, "audit/house_history.html", {"listing": _events(request, NO_STUDY)})


def _events(request: HttpRequest, study: str) -> Listing:
    events = Event.objects.filter(study=study)
    return Listing(
        request,
        events.order_by("-at", "-pk"),
        columns=COLUMNS,
        search=("target", "actor", "verb"),
        filters=(_value_filter(study, "actor", "Who"), _value_filter(study, "verb", "What")),
    )


def _value_filter(study: str, field: str, label: str) -> Filter:
    """Return a filter by the values that the field has in the events of the study."""
    events = Event.objects.filter(study=study)
    values = events.order_by(field).values_list(field, flat=True).distinct()
    return Filter(field, label, {value: (value, Q(**{field: value})) for value in values})
