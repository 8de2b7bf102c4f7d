"""The row of a release, with its event."""

from collections.abc import Mapping
from typing import Any

from django.db.models import Max

from accounts.models import Study, User
from audit import events
from corpus.models import Dataset
from exports.models import Release, ReleaseContents


def next_number(study: Study) -> int:
    last = study.releases.aggregate(last=Max("number"))["last"] or 0
    return int(last) + 1


def create(
    *,
    study: Study,
    dataset: Dataset | None,
    manifest: dict[str, Any],
    folder: str,
    by: User,
    n_not_asked: Mapping[str, int] | None = None,
) -> Release:
    """Record and return the release that the manifest is of: of the data set or, without one, of a comparison.

    Call it in a transaction that has the lock of the study.
    """
    number = manifest["release"]
    release = Release.objects.create(
        study=study,
        contents=ReleaseContents.DATASET if dataset else ReleaseContents.COMPARISON,
        dataset=dataset,
        number=number,
        is_rehearsal=manifest["is_rehearsal"],
        version=manifest.get("version", ""),
        note=manifest.get("note", ""),
        manifest=manifest,
        folder=folder,
        n_not_asked=n_not_asked,
        created_by=by,
    )
    events.record(
        study=study,
        by=by,
        verb="released" if dataset else "released the comparison of",
        target=dataset or study,
        number=number,
        files=manifest["files"],
    )
    return release
