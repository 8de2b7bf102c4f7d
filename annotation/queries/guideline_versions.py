"""The versions of a batch's guideline, with what was judged by each."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import Count

from annotation.models import Batch, GuidelineReading, GuidelineVersion, Judgement


@dataclass(frozen=True)
class VersionLine:
    """A version with its number of current judgements, and of people who said that they read it."""

    version: GuidelineVersion
    n_judgements: int
    n_readers: int
    is_current: bool


def version_lines(batch: Batch) -> Sequence[VersionLine]:
    """The versions, newest first; [] if the guideline was never changed after the batch opened."""
    versions = list(
        batch.guideline_versions.select_related("guideline", "created_by").order_by("-number")
    )
    if not versions:
        return []
    judgements = Judgement.objects.not_withdrawn().filter(assignment__item__batch=batch)
    n_by_text = dict(
        judgements.order_by()
        .values("guideline_sha256")
        .annotate(n=Count("pk"))
        .values_list("guideline_sha256", "n")
    )
    readers: dict[int, set[int]] = {}
    readings = GuidelineReading.objects.filter(guideline__versions__in=versions)
    for guideline, person, at in readings.values_list("guideline", "read_by", "read_at"):
        for version in versions:
            if version.guideline_id == guideline and (
                version.number == 1 or at >= version.created_at
            ):
                readers.setdefault(version.number, set()).add(person)
    return [
        VersionLine(
            version,
            n_by_text.get(version.guideline.sha256, 0),
            len(readers.get(version.number, ())),
            is_current=version is versions[0],
        )
        for version in versions
    ]


def numbers(batch: Batch) -> dict[str, str]:
    """The numbers of the versions with each text, "1" or "1 and 3", by its sha256, oldest first."""
    found: dict[str, str] = {}
    versions = batch.guideline_versions.order_by("number")
    for sha256, number in versions.values_list("guideline__sha256", "number"):
        found[sha256] = f"{found[sha256]} and {number}" if sha256 in found else str(number)
    return found


def texts(batches: Sequence[Batch]) -> dict[str, str]:
    """The texts of all guidelines that the batches have had, by their sha256."""
    found = {batch.guideline.sha256: batch.guideline.text for batch in batches}
    versions = GuidelineVersion.objects.filter(batch__in=batches).select_related("guideline")
    return found | {each.guideline.sha256: each.guideline.text for each in versions}
