"""The version of a new release: the least that its difference from the last one with a version allows."""

from typing import Any

from annotation.models.limits import LONGEST_REASON
from corpus import versions
from corpus.models import Dataset
from exports.models import Release
from exports.releases import version_numbers
from exports.releases.choice import Choice
from exports.releases.difference import Source, difference
from exports.releases.reader import BrokenReleaseError
from exports.releases.stored_differences import source_of
from exports.releases.version_numbers import LEAST, Label, Number
from exports.writers.errors import ReleaseError


def require_label(label: Label) -> None:
    """Raise ReleaseError for a version that is none, and for a note that is no text or too long."""
    if label.version not in ("", LEAST):
        _number(label.version)
    if "\0" in label.note:
        raise ReleaseError("the note holds a NUL character: it is not a text")
    if len(label.note) > LONGEST_REASON:
        raise ReleaseError(
            f"the note has {len(label.note)} characters; it may have {LONGEST_REASON} at most"
        )


def entries(label: Label, choice: Choice, new: Source) -> dict[str, Any]:
    """Return what the manifest says of the label of a release with the files `new`.

    Raises ReleaseError if the version is smaller than the difference allows.
    """
    found = {"note": label.note} if label.note else {}
    if not label.version:
        return found
    return {"version": _allowed(label.version, choice, new), **found}


def require_unused(version: str, choice: Choice) -> None:
    """Raise ReleaseError if a release got the version, or a greater one. Call it with the study's lock."""
    least = version_numbers.after(_used(choice))
    if version and _number(version) < least:
        raise ReleaseError(
            f"another release got a version while this one was made: the least is now"
            f" {version_numbers.in_words(least)}"
        )


def _allowed(version: str, choice: Choice, new: Source) -> str:
    used = _used(choice)
    before = last_with_version(choice.dataset, is_rehearsal=choice.is_rehearsal)
    if before is None:
        least = version_numbers.first(used) if version == LEAST else version_numbers.after(used)
        why = "no earlier release with a version can be compared with"
    else:
        step, what = _reasons(before, new)
        least = version_numbers.least(_number(before.version), step, used)
        why = f"since release {before}, version {before.version}: {', '.join(what)}"
    if version == LEAST:
        return version_numbers.in_words(least)
    if _number(version) < least:
        raise ReleaseError(
            f"the version {version} is too small: the least is {version_numbers.in_words(least)}; {why}"
        )
    return version


def _reasons(before: Release, new: Source) -> tuple[str, list[str]]:
    try:
        found = difference(source_of(before), new)
    except (BrokenReleaseError, OSError) as error:
        raise ReleaseError(f"release {before} cannot be compared: {error}") from error
    return version_numbers.reasons(found)


def last_with_version(dataset: Dataset, *, is_rehearsal: bool) -> Release | None:
    """Return the newest release with a version that is not withdrawn, of the data set or what it continues."""
    rows = Release.objects.filter(
        dataset__in=versions.lineage_keys(dataset), is_rehearsal=is_rehearsal, is_withdrawn=False
    )
    return rows.exclude(version="").order_by("-number").first()


def _used(choice: Choice) -> list[Number]:
    """The versions of all releases of the data set, also of withdrawn ones and of its other versions."""
    rows = choice.dataset.study.releases.filter(
        dataset__name=choice.dataset.name, is_rehearsal=choice.is_rehearsal
    )
    return [_number(each) for each in rows.exclude(version="").values_list("version", flat=True)]


def _number(version: str) -> Number:
    try:
        return version_numbers.number_of(version)
    except ValueError as error:
        raise ReleaseError(str(error)) from error
