"""Releases, and their files."""

from typing import Any

from django.db.models import Q, QuerySet
from django.http import FileResponse
from django.shortcuts import get_object_or_404
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema, extend_schema_field, extend_schema_view
from rest_framework import serializers
from rest_framework.generics import ListAPIView, RetrieveAPIView

from accounts.api.base import StudyView, UserRequest
from accounts.api.filtering import ChoiceFilter
from accounts.api.withdrawals import WithdrawalSerializer, with_rows, withdrawn
from accounts.models import Role
from exports.models import Erratum, Release, ReleaseContents
from exports.releases import reader
from exports.releases.downloads import file_response


class KindFilter(ChoiceFilter):
    name = "kind"
    description = "judged by people (real) or by simulated annotators (rehearsal)"
    conditions = {"real": Q(is_rehearsal=False), "rehearsal": Q(is_rehearsal=True)}


class ContentsFilter(ChoiceFilter):
    name = "contents"
    description = "an extended data set, or a comparison of systems"
    conditions = {value: Q(contents=value) for value in ReleaseContents.values}


class FileSerializer(serializers.Serializer[Any]):
    name = serializers.CharField()
    sha256 = serializers.CharField(help_text="checksum of the file; empty for the manifest itself")


class ErratumSerializer(serializers.ModelSerializer[Erratum]):
    """What is wrong with an answer of a release."""

    class Meta:
        model = Erratum
        fields = ["answer_id", "answer", "reason", "noted_at"]
        read_only_fields = fields


class ReleaseSerializer(serializers.ModelSerializer[Release]):
    """A released extended data set or comparison of systems."""

    contents = serializers.ChoiceField(
        ReleaseContents.choices, help_text="an extended data set, or a comparison"
    )
    dataset = serializers.CharField(
        allow_null=True, help_text="the data set, as name@version; null for a comparison"
    )
    created_by = serializers.CharField(source="created_by.username")
    files = serializers.SerializerMethodField()
    errata = ErratumSerializer(many=True, read_only=True)
    withdrawn = serializers.SerializerMethodField(
        help_text="when, by whom and why it was withdrawn; null: it was not"
    )

    class Meta:
        model = Release
        fields = [
            "number",
            "contents",
            "dataset",
            "is_rehearsal",
            "version",
            "note",
            "created_at",
            "created_by",
            "files",
            "errata",
            "withdrawn",
        ]
        read_only_fields = fields

    def get_files(self, release: Release) -> FileSerializer(many=True):  # type: ignore[valid-type]
        files = {**release.manifest["files"], reader.MANIFEST: ""}
        return [{"name": name, "sha256": _sha256(files[name])} for name in sorted(files)]

    @extend_schema_field(WithdrawalSerializer(allow_null=True))
    def get_withdrawn(self, release: Release) -> dict[str, Any] | None:
        return withdrawn(release)


def _sha256(entry: Any) -> str:
    return str(entry.get("sha256", "")) if isinstance(entry, dict) else str(entry)


class ReleaseView(StudyView):
    roles = (Role.REQUESTER,)

    def get_queryset(self) -> QuerySet[Release]:
        releases = self.study.releases.select_related("dataset", "created_by")
        return with_rows(releases.order_by("-number")).prefetch_related("errata")


@extend_schema_view(get=extend_schema(operation_id="releases", tags=["releases"]))
class ReleaseList(ReleaseView, ListAPIView[Release]):
    """List the releases of a study, the newest first."""

    serializer_class = ReleaseSerializer
    filter_backends = (KindFilter, ContentsFilter)


@extend_schema_view(get=extend_schema(operation_id="release", tags=["releases"]))
class ReleaseDetail(ReleaseView, RetrieveAPIView[Release]):
    """Read a release, with the names of its files."""

    serializer_class = ReleaseSerializer
    lookup_field = "number"


class ReleaseFile(ReleaseView):
    """Download a file of a release as it was written, byte by byte."""

    @extend_schema(
        operation_id="release_file",
        tags=["releases"],
        responses={(200, "application/octet-stream"): OpenApiTypes.BINARY},
    )
    def get(self, request: UserRequest, study: str, number: int, name: str) -> FileResponse:
        release = get_object_or_404(self.get_queryset(), number=number)
        return file_response(release, name)
