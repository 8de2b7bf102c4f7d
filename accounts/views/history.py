from django.db.models import Q
from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from accounts import guards
from accounts.guards import StudyRequest
from accounts.models import Role, Study
from audit.models import Event
from pages.listing import Column, Filter, Listing

COLUMNS = (
    Column("at", "When", ("at",)),
    Column("actor", "Who", ("actor",)),
    Column("verb", "What", ("verb", "target")),
    Column("details", "Details"),
)


@require_safe
@guards.study(Role.REQUESTER)
def history(request: StudyRequest, study: Study) -> HttpResponse:
    """List every act of an organiser and every decision on somebody's work, newest first."""
    events = Event.objects.filter(study=study.slug)
    listing = Listing(
        request,
        events.order_by("-at", "-pk"),
        columns=COLUMNS,
        search=("target", "actor", "verb"),
        filters=(_value_filter(study, "actor", "Who"), _value_filter(study, "verb", "What")),
    )
    return render(request, "audit/history.html", {"listing": listing})


def _value_filter(study: Study, field: str, label: str) -> Filter:
    """Return a filter by the values that the field has in this study."""
    events = Event.objects.filter(study=study.slug)
    values = events.order_by(field).values_list(field, flat=True).distinct()
    return Filter(field, label, {value: (value, Q(**{field: value})) for value in values})
