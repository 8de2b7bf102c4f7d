from django.conf import settings
from django.db.models import Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from accounts import guards
from accounts.actions import sign_ins
from accounts.guards import PersonRequest, StudyRequest
from accounts.models import Role, Study
from audit.models import Event
from pages.listing import Column, Filter, Listing

WHEN, WHO = Column("at", "When", ("at",)), Column("actor", "Who", ("actor",))
WHAT, DETAILS = Column("verb", "What", ("verb", "target")), Column("details", "Details")
STUDY = Column("study", "Study", ("study",))
# The events outside the studies have no study.
SIGN_INS = Q(study="", verb__in=sign_ins.KEPT_FOR_A_TIME)
ROLES = Q(verb__in=["granted", "took back"], target__startswith="user ") | Q(verb="joined")
KIND = Filter(
    "kind",
    "Kind",
    {
        "sign-ins": ("sign-ins", SIGN_INS),
        "roles": ("roles", ROLES),
        "users": ("users, passwords and tokens", ~SIGN_INS & ~ROLES),
    },
)


@require_safe
@guards.study(Role.REQUESTER)
def history(request: StudyRequest, study: Study) -> HttpResponse:
    """List every act of an organiser and every decision on somebody's work, newest first."""
    events = Event.objects.filter(study=study.slug)
    listing = _listing(request, events, (WHEN, WHO, WHAT, DETAILS), ())
    return render(request, "audit/history.html", {"listing": listing})


@require_safe
@guards.administrator
def house_history(request: PersonRequest) -> HttpResponse:
    """List sign-ins, what was done to users, and the roles given and taken in all studies."""
    events = Event.objects.filter(Q(study="") | ROLES)
    context = {
        "listing": _listing(request, events, (WHEN, WHO, STUDY, WHAT, DETAILS), (KIND,)),
        "has_studies": True,
        "sign_in_days": settings.SIGN_IN_DAYS,
    }
    return render(request, "audit/house_history.html", context)


def _listing(
    request: HttpRequest,
    events: QuerySet[Event],
    columns: tuple[Column, ...],
    filters: tuple[Filter, ...],
) -> Listing:
    return Listing(
        request,
        events.order_by("-at", "-pk"),
        columns=columns,
        search=("target", "actor", "verb"),
        filters=(
            *filters,
            _value_filter(events, "actor", "Who"),
            _value_filter(events, "verb", "What"),
        ),
    )


def _value_filter(events: QuerySet[Event], field: str, label: str) -> Filter:
    """Return a filter by the values that the field has in the events."""
    values = events.exclude(**{field: ""}).order_by(field).values_list(field, flat=True).distinct()
    return Filter(field, label, {value: (value, Q(**{field: value})) for value in values})
