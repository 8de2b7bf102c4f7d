"""The studies in which the user is requester or adjudicator."""

from django.db.models import Prefetch, QuerySet
from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema, extend_schema_view
from rest_framework import serializers
from rest_framework.generics import ListAPIView, RetrieveAPIView

from accounts import permissions
from accounts.api.base import ApiView, StudyView
from accounts.models import Membership, Role, Study, User

ORGANISERS = (Role.REQUESTER, Role.ADJUDICATOR)


class StudySerializer(serializers.ModelSerializer[Study]):
    slug = serializers.CharField(help_text="short name in addresses and commands")
    roles = serializers.SerializerMethodField(help_text="your roles in the study")

    class Meta:
        model = Study
        fields = [
            "slug",
            "title",
            "description",
            "licence",
            "citation",
            "created_at",
            "archived_at",
            "roles",
        ]
        read_only_fields = fields
        extra_kwargs = {
            "description": {"help_text": "Markdown"},
            "archived_at": {
                "help_text": "when it was archived: since then nothing in it can be changed"
            },
        }

    def get_roles(self, study: Study) -> list[str]:
        own = study.own  # type: ignore[attr-defined]  # set by organised_by
        return sorted(grant.role for membership in own for grant in membership.grants.all())


def organised_by(user: User) -> QuerySet[Study]:
    """Return the studies that are open to the user, each with the user's membership in `own`."""
    members = Membership.objects.filter(user=user).prefetch_related("grants")
    studies = Study.objects.filter(memberships__user=user, memberships__grants__role__in=ORGANISERS)
    studies = studies.exclude(pk__in=permissions.studies_closed_to(user).values("pk"))
    return studies.distinct().prefetch_related(Prefetch("memberships", members, to_attr="own"))


@extend_schema_view(get=extend_schema(operation_id="studies", tags=["studies"]))
class StudyList(ApiView, ListAPIView[Study]):
    """List the studies in which you are requester or adjudicator.

    Studies that require a second factor are left out until you have one.
    """

    serializer_class = StudySerializer

    def get_queryset(self) -> QuerySet[Study]:
        return organised_by(self.request.user).order_by("slug")


@extend_schema_view(get=extend_schema(operation_id="study", tags=["studies"]))
class StudyDetail(StudyView, RetrieveAPIView[Study]):
    """Read a study."""

    roles = ORGANISERS
    serializer_class = StudySerializer

    def get_object(self) -> Study:
        # The study or the membership may be gone since HasRole saw them.
        return get_object_or_404(organised_by(self.request.user), pk=self.study.pk)
