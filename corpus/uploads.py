"""Uploaded files, each upload in its own folder until it is imported.

A folder has a random name, and each file lies in a numbered folder inside it under its own name,
cleaned: readers and manifests call a file as its sender does, and number files of one name. No path
is ever made of what was sent.
"""

import contextlib
import re
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.files.uploadedfile import UploadedFile
from django.utils import timezone

from accounts.models import User
from corpus import upload_files
from corpus.upload_files import upload_storage
from corpus.upload_names import safe_name, unique_names
from jobs import transactions
from jobs.models import Job, JobError
from pages import stored_files
from pages.middleware import MB

# An upload that nobody imported within this time is removed.
KEPT = timedelta(days=7)
UPLOAD_NAME = re.compile("[0-9]+-[0-9a-f]{32}")


class NotKeptError(Exception):
    """The upload was not kept; the message says why and what to do."""


@dataclass(frozen=True)
class Upload:
    """The files of one request; `files` are their names in the storage, in their order."""

    name: str
    files: tuple[str, ...]

    @property
    def mark(self) -> str:
        """A few letters to tell it from others."""
        return self.name[-6:]


@dataclass(frozen=True)
class KeptFile:
    """A file of an upload that no job uses yet; `stored` is its name in the storage."""

    stored: str
    size: int

    @property
    def name(self) -> str:
        return Path(self.stored).name


def kept_files(upload: str, *, by: User) -> dict[str, KeptFile]:
    """Return the files of an upload of this person that no job uses, by their stored names."""
    if not (UPLOAD_NAME.fullmatch(upload) and upload.startswith(_prefix(by))):
        return {}
    if Job.objects.filter(params__upload=upload).exists():
        return {}
    try:
        return {each.stored: each for each in _files_of(upload)}
    except OSError:
        return {}


def _files_of(upload: str) -> list[KeptFile]:
    """Return the files of an upload in the order in which they were sent."""
    storage = upload_storage()
    places = sorted(map(int, stored_files.listed(storage, upload)[0]))
    names = [
        f"{upload}/{place}/{name}"
        for place in places
        for name in stored_files.listed(storage, f"{upload}/{place}")[1]
    ]
    return [KeptFile(name, storage.size(name)) for name in names]


def keep(files: Sequence["UploadedFile[Any] | KeptFile"], *, by: User) -> Upload:
    """Write the files to the storage, beside those of an upload that are kept already.

    Other files of that upload are removed. Raises NotKeptError if the person's uploads take too much,
    or the storage fails, and leaves nothing of the new files behind.
    """
    kept = [file for file in files if isinstance(file, KeptFile)]
    new = [file for file in files if not isinstance(file, KeptFile)]
    name = kept[0].stored.partition("/")[0] if kept else f"{_prefix(by)}{secrets.token_hex(16)}"
    stored: list[str] = []
    try:
        if kept:
            _remove_others(name, kept)
        _store(new, kept, name, by, stored)
    except (NotKeptError, OSError) as error:
        with contextlib.suppress(OSError):  # where the storage is away: clear() removes it
            _forget_new(name, stored, is_new=not kept)
        if isinstance(error, NotKeptError):
            raise
        raise NotKeptError(
            f"the files could not be kept ({error.strerror or error}); nothing was imported"
        ) from error
    added = iter(stored)
    in_order = [file.stored if isinstance(file, KeptFile) else next(added) for file in files]
    return Upload(name, tuple(in_order))


def _store(
    new: Sequence["UploadedFile[Any]"],
    kept: Sequence[KeptFile],
    name: str,
    by: User,
    stored: list[str],
) -> None:
    """Write the new files and append their names to `stored`, each as soon as it is there."""
    first = max((int(file.stored.split("/")[1]) for file in kept), default=0) + 1
    taken = [file.name for file in kept]
    names = unique_names([*taken, *(safe_name(file.name or "") for file in new)])[len(taken) :]
    n_bytes = sum(file.size for file in kept) + sum(file.size or 0 for file in new)
    _require_room(by, n_bytes, besides=name)
    for place, (file, called) in enumerate(zip(new, names, strict=True), start=first):
        stored.append(upload_storage().save(f"{name}/{place}/{called}", file))
    # Again, because others of theirs may have been sent at the same time.
    _require_room(by, n_bytes, besides=name)


def _remove_others(name: str, kept: Sequence[KeptFile]) -> None:
    for file in _files_of(name):
        if file not in kept:
            upload_storage().delete(file.stored)


def _forget_new(name: str, stored: Sequence[str], *, is_new: bool) -> None:
    if is_new:
        forget(name)
    for each in stored:
        upload_storage().delete(each)


def _prefix(by: User) -> str:
    return f"{by.pk}-"


def _require_room(by: User, n_bytes: int, *, besides: str) -> None:
    """Raise NotKeptError if so much is too much beside the person's other uploads."""
    storage = upload_storage()
    names = [name for name in _kept_names() if name != besides]
    mine = [name for name in names if name.startswith(_prefix(by))]
    n_kept = sum(stored_files.n_bytes(storage, name) for name in mine)
    most = settings.MOST_KEPT_UPLOADS_MB
    if n_kept + n_bytes > most * MB:
        raise NotKeptError(
            f"what you sent before and did not import takes {-(-n_kept // MB):,} MB, and with this it"
            f" would be more than the {most:,} MB that one person has: import it, or send this when that"
            " was removed, 7 days after it was sent"
        )


def _kept_names() -> list[str]:
    return stored_files.listed(upload_storage(), "")[0]


def is_kept(name: str) -> bool:
    return bool(name) and any(stored_files.listed(upload_storage(), name))


def forget(name: str) -> None:
    """Remove an upload, if it is still there."""
    stored_files.remove_folder(upload_storage(), name)


def clear_problems() -> None:
    """Remove the problems that jobs found in files which are no longer kept; their number stays."""
    of_uploads = Job.objects.filter(params__upload__isnull=False)
    found = of_uploads.filter(errors__isnull=False).distinct().values_list("pk", "params__upload")
    kept = set(_kept_names())
    gone = [pk for pk, name in found if name not in kept]
    transactions.delete_in_pieces(JobError.objects.filter(job__in=gone))


def clear() -> int:
    """Remove expired uploads that no job uses. Return their number."""
    in_use = set(Job.objects.unfinished().values_list("params__upload", flat=True))
    oldest = timezone.now() - KEPT
    old = [
        name
        for name in _kept_names()
        if name not in in_use and stored_files.is_older(upload_storage(), name, oldest)
    ]
    for name in old:
        forget(name)
    return len(old) + upload_files.clear_received(oldest)
