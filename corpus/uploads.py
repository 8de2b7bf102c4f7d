"""Uploaded files, each upload in its own folder until it is imported.

A folder has a random name, and each file lies in a numbered folder inside it under its own name,
cleaned: readers and manifests call a file as its sender does, and number files of one name. No path
is ever made of what was sent.
"""

import contextlib
import secrets
import shutil
import tempfile
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from itertools import chain, count
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.files.storage import Storage, storages
from django.core.files.uploadedfile import UploadedFile
from django.utils import timezone

from accounts.models import User
from corpus import names
from jobs import transactions
from jobs.models import Job, JobError
from pages import stored_files
from pages.middleware import MB
from pages.stored_files import NOT_SHARED

# An upload that nobody imported within this time is removed.
KEPT = timedelta(days=7)
MOST_NAME_BYTES = 200
# Begins the folders of copies in the local folder of what is being received.
COPIES = "copies-"


class NotKeptError(Exception):
    """The upload was not kept; the message says why and what to do."""


class NotFoundError(Exception):
    """A file of an upload is not in the storage; the message says why and what to do."""


@dataclass(frozen=True)
class Upload:
    """The files of one request; `files` are their names in the storage, in their order."""

    name: str
    files: tuple[str, ...]

    @property
    def mark(self) -> str:
        """A few letters to tell it from others."""
        return self.name[-6:]


def keep(files: Sequence["UploadedFile[Any]"], *, by: User) -> Upload:
    """Write the files to the storage.

    Raises NotKeptError if the person's uploads take too much, or the storage fails, and leaves nothing
    behind.
    """
    name = f"{_prefix(by)}{secrets.token_hex(16)}"
    names = _unique_names([safe_name(file.name or "") for file in files])
    storage = _storage()
    try:
        n_bytes = sum(file.size or 0 for file in files)
        _require_room(by, n_bytes, besides=name)
        stored = tuple(
            storage.save(f"{name}/{n}/{names[n - 1]}", file)
            for n, file in enumerate(files, start=1)
        )
        # Again, because others of theirs may have been sent at the same time.
        _require_room(by, n_bytes, besides=name)
    except NotKeptError:
        forget(name)
        raise
    except OSError as error:
        with contextlib.suppress(OSError):  # where the storage is away: clear() removes it
            forget(name)
        raise NotKeptError(
            f"the files could not be kept ({error.strerror or error}); nothing was imported"
        ) from error
    return Upload(name, stored)


def _storage() -> Storage:
    return storages["uploads"]


def _prefix(by: User) -> str:
    return f"{by.pk}-"


def _require_room(by: User, n_bytes: int, *, besides: str) -> None:
    """Raise NotKeptError if so much is too much beside the person's other uploads."""
    storage = _storage()
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
    return stored_files.listed(_storage(), "")[0]


@contextlib.contextmanager
def local_files(files: Mapping[str, str]) -> Iterator[dict[str, Path]]:
    """The files as paths, under their keys: those of an upload, and those with a full path as they are.

    Where the storage is no folder, they are copies that are there as long as the body runs. Raises
    NotFoundError.
    """
    with contextlib.ExitStack() as stack:
        yield {key: _local(name, stack) for key, name in files.items()}


def _local(name: str, stack: contextlib.ExitStack) -> Path:
    if Path(name).is_absolute():
        return Path(name)
    storage = _storage()
    try:
        path = Path(storage.path(name))
    except NotImplementedError:
        folder = tempfile.TemporaryDirectory(prefix=COPIES, dir=settings.FILE_UPLOAD_TEMP_DIR)
        return _copy(name, Path(stack.enter_context(folder)))
    if not path.exists():
        raise _not_found(name)
    return path


def _copy(name: str, folder: Path) -> Path:
    path = folder / Path(name).name
    try:
        with _storage().open(name) as source, path.open("wb") as target:
            shutil.copyfileobj(source, target)
    except FileNotFoundError as error:
        raise _not_found(name) from error
    return path


def size(name: str) -> int:
    """Return the size in bytes of a file of an upload, or with a full path. Raises NotFoundError."""
    if Path(name).is_absolute():
        return Path(name).stat().st_size
    try:
        return _storage().size(name)
    except FileNotFoundError as error:
        raise _not_found(name) from error


def _not_found(name: str) -> NotFoundError:
    return NotFoundError(
        f"{Path(name).name} is not there. Either the upload was removed, 7 days after it was sent, or"
        f" {NOT_SHARED}"
    )


def _unique_names(names: Sequence[str]) -> list[str]:
    """Return the names in their order; the second and later files of a name get their ordinal."""
    apart: list[str] = []
    for name in names:
        numbered = (f"{name} ({_ordinal(n)} file of this name)" for n in count(2))
        apart.append(next(each for each in chain([name], numbered) if each not in apart))
    return apart


def _ordinal(n: int) -> str:
    ending = "th" if n % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(n % 10, "th")
    return f"{n}{ending}"


def safe_name(name: str) -> str:
    """Return the last part of the name without invisible characters, cut to a safe length."""
    last = name.replace("\\", "/").rpartition("/")[2]
    visible = "".join(char for char in last if unicodedata.category(char) not in names.UNSEEN)
    short = visible.encode()[-MOST_NAME_BYTES:].decode(errors="ignore").strip()
    return short if short.strip(".") else "file"


def is_kept(name: str) -> bool:
    return bool(name) and any(stored_files.listed(_storage(), name))


def forget(name: str) -> None:
    """Remove an upload, if it is still there."""
    stored_files.remove_folder(_storage(), name)


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
        if name not in in_use and stored_files.is_older(_storage(), name, oldest)
    ]
    for name in old:
        forget(name)
    return len(old) + _clear_parts()


def _clear_parts() -> int:
    """Remove what servers and workers of this host that were killed had received. Return the number."""
    oldest = (timezone.now() - KEPT).timestamp()
    local = Path(settings.FILE_UPLOAD_TEMP_DIR).iterdir()
    parts = [path for path in local if path.is_file() or path.name.startswith(COPIES)]
    old = [path for path in parts if path.stat().st_mtime < oldest]
    for path in old:
        if path.is_dir():
            shutil.rmtree(path)
        else:
            path.unlink(missing_ok=True)
    return len(old)
