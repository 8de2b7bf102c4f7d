"""The releases that the database records, and whether a backup has their files."""

from collections.abc import Container, Iterable
from dataclasses import dataclass

from config.backups.errors import BackupError
from config.backups.files import RELEASES
from exports.models import Release
from exports.releases.reader import MANIFEST

INCOMPLETE = "this backup lacks files of releases, and no older one was removed"


@dataclass(frozen=True)
class RecordedRelease:
    title: str
    folder: str  # in the storage
    files: tuple[str, ...]

    def lacks(self, found: Container[str]) -> str:
        """Return the first of its files that is not among those of the backup; "" if all are."""
        paths = (f"{self.folder}/{name}" for name in self.files)
        return next((path for path in paths if f"{RELEASES}/{path}" not in found), "")


def recorded() -> list[RecordedRelease]:
    # These columns are there in every version.
    rows = Release.objects.order_by("pk").values_list(
        "study__slug", "number", "folder", "manifest__files"
    )
    return [
        RecordedRelease(f"release {number} of {study}", folder, (MANIFEST, *digests))
        for study, number, folder, digests in rows
    ]


def notes(releases: Iterable[RecordedRelease], found: Container[str], *, allow: bool) -> list[str]:
    """What the administrator has to know of the releases in a backup with these files.

    Raises BackupError if it lacks a file that the storage should have, unless `allow`.
    """
    lacking = [f"{each.title} ({path})" for each in releases if (path := each.lacks(found))]
    if lacking and not allow:
        raise BackupError(
            f"there is no backup: files of {_few(lacking)} are not there. Look whether TOUCHSTONE_FILES"
            " and TOUCHSTONE_DATA are the server's and their disk is mounted; if the files are lost, say"
            " --incomplete"
        )
    return [f"{INCOMPLETE}: {_few(lacking)}"] if lacking else []


def _few(names: list[str]) -> str:
    more = f" and {len(names) - 3} more" if len(names) > 3 else ""
    return f"{', '.join(names[:3])}{more}"
