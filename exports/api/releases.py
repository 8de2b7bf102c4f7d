"""Releases, and their files."""

from pathlib import Path
from typing import Any

from django.db.models import Q
from django.http import FileResponse, Http404
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404
from drf_spectacular.types import OpenApiTypes
from rest_framework import serializers
from rest_framework.response import Response

from accounts.api.endpoints import StudyRequest, done, endpoint
from accounts.api.filtering import Choice, narrowed
from accounts.api.paging import paged
from accounts.api.shapes import Out
from accounts.models import Role, Study
from exports.models import Release
from exports.releases import reader

KIND = Choice(
    "kind",
    "judged by people, or by simulated ones",
    {"real": Q(is_rehearsal=False), "rehearsal": Q(is_rehearsal=True)},
)


class FileOut(Out):
    name = serializers.CharField()
    sha256 = serializers.CharField(help_text="of its bytes; empty for the manifest itself")


class ReleaseOut(Out):
    """An extended data set that was given out."""

    number = serializers.IntegerField()
    dataset = serializers.CharField(help_text="the data set, as name@version")
    is_rehearsal = serializers.BooleanField()
    created_at = serializers.DateTimeField()
    created_by = serializers.CharField(source="created_by.username")
    files = serializers.SerializerMethodField()

    def get_files(self, release: Release) -> FileOut(many=True):  # type: ignore[valid-type]
        files = {**release.manifest["files"], reader.MANIFEST: ""}
        return [{"name": name, "sha256": _sha256(files[name])} for name in sorted(files)]


def _sha256(said: Any) -> str:
    return str(said.get("sha256", "")) if isinstance(said, dict) else str(said)


@endpoint("releases", Role.REQUESTER, lists=ReleaseOut, filters=(KIND.parameter,))
def releases(request: StudyRequest, study: Study) -> Response:
    """List the releases of a study, the newest first."""
    rows = study.releases.select_related("dataset", "created_by").order_by("-number")
    return paged(request, narrowed(request, rows, KIND), ReleaseOut)


def _release(study: Study, number: int) -> Release:
    rows = study.releases.select_related("dataset", "created_by")
    found: Release = get_object_or_404(rows, number=number)
    return found


@endpoint("releases", Role.REQUESTER, gives=ReleaseOut)
def release(request: StudyRequest, study: Study, number: int) -> Response:
    """Read a release, with the names of its files."""
    return done(ReleaseOut, _release(study, number))


@endpoint("releases", Role.REQUESTER, gives=OpenApiTypes.BINARY)
def release_file(request: StudyRequest, study: Study, number: int, name: str) -> HttpResponseBase:
    """Download a file of a release as it was written, byte by byte."""
    found = _release(study, number)
    path = Path(found.folder) / name
    if name not in {*found.manifest["files"], reader.MANIFEST} or not path.is_file():
        raise Http404
    return FileResponse(path.open("rb"), as_attachment=True, filename=name)
