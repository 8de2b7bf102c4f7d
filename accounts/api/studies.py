"""The studies that somebody looks after."""

from typing import Any

from django.db.models import Prefetch
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api.endpoints import StudyRequest, done, endpoint
from accounts.api.paging import paged
from accounts.api.shapes import Out
from accounts.models import Membership, Role, Study

ORGANISERS = (Role.REQUESTER, Role.ADJUDICATOR)


class StudyOut(Out):
    slug = serializers.CharField(help_text="what addresses and commands call it")
    title = serializers.CharField()
    description = serializers.CharField(help_text="Markdown")
    licence = serializers.CharField()
    citation = serializers.CharField()
    created_at = serializers.DateTimeField()
    roles = serializers.SerializerMethodField(help_text="your own in it")

    def get_roles(self, study: Study) -> list[str]:
        (membership,) = study.own  # type: ignore[attr-defined]  # set by _own
        return sorted(grant.role for grant in membership.grants.all())


def _own(request: Request) -> Any:
    person = request.user.pk
    members = Membership.objects.filter(user=person).prefetch_related("grants")
    own = Study.objects.filter(memberships__user=person, memberships__grants__role__in=ORGANISERS)
    return own.distinct().prefetch_related(Prefetch("memberships", members, to_attr="own"))


@endpoint("studies", lists=StudyOut)
def studies(request: Request) -> Response:
    """List the studies in which you are requester or adjudicator."""
    return paged(request, _own(request).order_by("slug"), StudyOut)


@endpoint("studies", *ORGANISERS, gives=StudyOut)
def study(request: StudyRequest, study: Study) -> Response:
    """Read a study."""
    return done(StudyOut, _own(request).get(pk=study.pk))
