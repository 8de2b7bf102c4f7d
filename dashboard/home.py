from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field

from django.db.models import Count
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_safe

from accounts import permissions
from accounts.models import Role, RoleGrant, Study, User
from annotation.models import Batch, Flag, Message, Verdict, VerdictState
from annotation.queries import adjudication_access


@dataclass
class MemberStudy:
    """A study of the user, with their roles and what waits for its adjudicators."""

    study: Study
    roles: list[str] = field(default_factory=list)
    lacks_second_factor: bool = (
        False  # the study requires one of the user: of the study the title alone
    )
    n_disputes: int = 0
    n_second_looks: int = 0
    n_flags: int = 0
    n_messages: int = 0


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """Show the start page: sign-in, an annotator's work, or a choice of studies."""
    if not request.user.is_authenticated:
        return redirect("sign_in" if User.objects.exists() else "first_steps")
    grants = RoleGrant.objects.filter(membership__user=request.user)
    roles = set(grants.values_list("role", flat=True))
    if roles == {Role.ANNOTATOR} and not request.user.is_superuser:
        return redirect("work")
    studies = _studies(request.user)
    return render(
        request,
        "dashboard/home.html",
        {
            "studies": [each for each in studies if not each.study.is_archived],
            "archived": [each for each in studies if each.study.is_archived],
            "roles": roles,
            "adjudicating": [
                each.study.pk
                for each in studies
                if Role.ADJUDICATOR in each.roles and not each.lacks_second_factor
            ],
        },
    )


def _studies(user: User) -> list[MemberStudy]:
    """Return the user's studies, by title."""
    grants = RoleGrant.objects.filter(membership__user=user).select_related("membership__study")
    studies: dict[int, MemberStudy] = {}
    for grant in grants.order_by("membership__study__title", "membership__study__slug", "role"):
        study = grant.membership.study
        studies.setdefault(study.pk, MemberStudy(study)).roles.append(grant.role)
    closed = permissions.studies_closed_to(user)
    for each in studies.values():
        each.lacks_second_factor = each.study in closed
    open_ones = [
        each
        for each in studies.values()
        if not (each.lacks_second_factor or each.study.is_archived)
    ]
    _count_waiting([each for each in open_ones if Role.ADJUDICATOR in each.roles], user)
    return list(studies.values())


def _count_waiting(settling: Iterable[MemberStudy], user: User) -> None:
    """Count what waits for the adjudicator in these studies, in four queries."""
    studies = {each.study.pk: each for each in settling}
    if not studies:
        return
    disputed = Verdict.objects.current().filter(
        state=VerdictState.DISPUTED, item__batch__in=Batch.objects.counting()
    )
    flags = Flag.objects.filter(answers=None)
    second_looks = adjudication_access.requests_open_for(user)
    unread = Message.objects.filter(study__in=studies, read_at=None)
    n_disputes, n_second_looks, n_flags, n_messages = (
        defaultdict(int, rows.order_by().values_list(of).annotate(n=Count("pk")))
        for rows, of in (
            (disputed.filter(item__batch__study__in=studies), "item__batch__study"),
            (
                second_looks.filter(first__item__batch__study__in=studies),
                "first__item__batch__study",
            ),
            (
                flags.filter(assignment__item__batch__study__in=studies),
                "assignment__item__batch__study",
            ),
            (unread, "study"),
        )
    )
    for pk, each in studies.items():
        each.n_disputes, each.n_flags = n_disputes[pk], n_flags[pk]
        each.n_second_looks, each.n_messages = n_second_looks[pk], n_messages[pk]
