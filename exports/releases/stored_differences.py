"""Differences of two releases that were stored when the later one was made. Their files never change."""

from dataclasses import dataclass

from exports.models import Release, ReleaseDifference
from exports.releases.choice import Choice
from exports.releases.difference import Difference, Source, difference
from exports.releases.difference_json import from_json, to_json
from exports.releases.queries import release_before
from exports.releases.reader import BrokenReleaseError
from exports.writers import stored_folders

# Of what is stored: what another version of the program stored in another way is computed again.
VERSION = 2


@dataclass(frozen=True)
class NewDifference:
    """The difference of a release that is not recorded yet from the one before it."""

    before: Release
    found: Difference


def source_of(release: Release) -> Source:
    return Source.of(stored_folders.folder_of(release), release.manifest, release.manifest["files"])


def from_the_last(choice: Choice, new: Source) -> NewDifference | None:
    """Return what differs from the release before; None if there is none, or if its files cannot be read.

    A release can be made all the same then, and the page of the difference says what is wrong with the files.
    """
    before, _ = release_before(choice.dataset, is_rehearsal=choice.is_rehearsal)
    if before is None:
        return None
    try:
        earlier = source_of(before)
        # A difference that this process keeps was computed when the files were there.
        earlier.require_unchanged()
        return NewDifference(before, difference(earlier, new))
    except (BrokenReleaseError, OSError):
        return None


def store(release: Release, new: NewDifference) -> None:
    ReleaseDifference.objects.create(
        before=new.before, after=release, version=VERSION, contents=to_json(new.found)
    )


def difference_of(before: Release, after: Release) -> Difference:
    """Return what differs, as it is stored or else computed. Raises BrokenReleaseError where a file was changed."""
    sources = source_of(before), source_of(after)
    for source in sources:
        source.require_unchanged()
    rows = ReleaseDifference.objects.filter(before=before, after=after, version=VERSION)
    if stored := rows.first():
        return from_json(stored.contents)
    return difference(*sources)
