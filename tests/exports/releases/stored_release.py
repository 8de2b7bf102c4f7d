"""Where a test finds the files of a release."""

from pathlib import Path

from django.conf import settings

from exports.models import Release


def folder_of(release: Release) -> Path:
    return settings.RELEASES / release.folder
