"""The files of releases in the storage "releases" (config/settings.py): a folder for each, named STUDY/RANDOM.

A name is never used twice, and the manifest is written last. So a folder with a manifest is complete, and
nothing of Touchstone removes it, recorded or not; one without is what is being written, or half of what a
killed process wrote.
"""

import contextlib
import hashlib
import secrets
import shutil
import tempfile
import uuid
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import lru_cache
from pathlib import Path

from django.core.files.base import ContentFile, File
from django.core.files.storage import Storage, storages
from django.utils import timezone

from exports.models import Release
from exports.writers.errors import ReleaseError
from pages import stored_files

MANIFEST = "manifest.json"
# A folder without a manifest is removed when nothing was written into it for this long.
UNFINISHED_KEPT = timedelta(days=1)
# Tells the storage from another one.
MARK = ".mark"
# A file that was changed a moment ago may be changed again within the clock's resolution, in the same size.
SETTLED_FOR = timedelta(seconds=5)


@dataclass(frozen=True)
class _FileState:
    """A file of a storage as it is now. What was read of it is true of each that is equal."""

    name: str
    location: str
    size: int
    changed_at: datetime
    storage: Storage = field(compare=False)


@lru_cache(maxsize=1_000)
def _digest(file: _FileState) -> str:
    with file.storage.open(file.name, "rb") as opened:
        return hashlib.file_digest(opened, "sha256").hexdigest()


class StoredFolder:
    """A folder of the storage, of a release or to become one. `str()` is how messages call it."""

    def __init__(self, storage: Storage, name: str) -> None:
        self.storage = storage
        self.name = name

    def __str__(self) -> str:
        return self.name or str(getattr(self.storage, "location", ""))

    def _full(self, file: str) -> str:
        return f"{self.name}/{file}" if self.name else file

    def has(self, file: str) -> bool:
        return self.storage.exists(self._full(file))

    def size(self, file: str) -> int:
        return self.storage.size(self._full(file))

    def open(self, file: str) -> "File[bytes]":
        return self.storage.open(self._full(file), "rb")

    def read(self, file: str) -> bytes:
        """Return the contents of a file. Raises OSError."""
        with self.open(file) as opened:
            contents: bytes = opened.read()
        return contents

    def sha256(self, file: str) -> str:
        """Return the sha256 of a file, read piece by piece. Raises OSError.

        It is remembered while the file has the same size and the same time of its last change.
        """
        full = self._full(file)
        changed_at = self.storage.get_modified_time(full)
        location = str(getattr(self.storage, "location", ""))
        as_it_is = _FileState(full, location, self.storage.size(full), changed_at, self.storage)
        if changed_at < timezone.now() - SETTLED_FOR:
            return _digest(as_it_is)
        return _digest.__wrapped__(as_it_is)

    def write(self, file: str, contents: bytes) -> None:
        self.storage.save(self._full(file), ContentFile(contents))


class NewStoredFolder(StoredFolder):
    """A folder to write into. `digests` has the sha256 of its files."""

    def __init__(self, storage: Storage, name: str) -> None:
        super().__init__(storage, name)
        self.digests: dict[str, str] = {}

    def write(self, file: str, contents: bytes) -> None:
        """Write a file. Raises ReleaseError if that fails."""
        with _as_release_error():
            super().write(file, contents)
        self.digests[file] = hashlib.sha256(contents).hexdigest()

    def write_lines(self, file: str, lines: Iterable[str]) -> None:
        """Write a file line by line, through a temporary one: it may be larger than the memory."""
        digest = hashlib.sha256()
        with _as_release_error(), tempfile.TemporaryFile() as temporary:
            for line in lines:
                encoded = line.encode("utf-8")
                digest.update(encoded)
                temporary.write(encoded)
            self.storage.save(self._full(file), File(temporary))
        self.digests[file] = digest.hexdigest()

    def copy_to(self, folder: Path) -> None:
        for name in self.digests:
            path = folder / name
            path.parent.mkdir(exist_ok=True)
            with _as_release_error(), self.open(name) as stored, path.open("wb") as copy:
                shutil.copyfileobj(stored, copy)


@contextlib.contextmanager
def _as_release_error() -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise ReleaseError(f"the storage of releases fails: {error.strerror or error}") from error


def folder_of(release: Release) -> StoredFolder:
    return StoredFolder(storages["releases"], release.folder)


@contextlib.contextmanager
def new_folder(study: str) -> Iterator[NewStoredFolder]:
    """A folder of a new name for a release of the study; removed if the body fails before it wrote the
    manifest.
    """
    folder = NewStoredFolder(storages["releases"], f"{study}/{uuid.uuid4().hex}")
    try:
        yield folder
    except BaseException:
        if MANIFEST not in folder.digests:
            # Where the storage is away, clear_unfinished does it.
            with contextlib.suppress(OSError):
                stored_files.remove_folder(folder.storage, folder.name)
        raise


def clear_unfinished() -> int:
    """Remove folders that killed processes left without a manifest. Return their number."""
    storage = storages["releases"]
    recorded = set(Release.objects.values_list("folder", flat=True))
    latest = timezone.now() - UNFINISHED_KEPT
    left = [
        name
        for study in stored_files.listed(storage, "")[0]
        for folder in stored_files.listed(storage, study)[0]
        if (name := f"{study}/{folder}") not in recorded
        and not storage.exists(f"{name}/{MANIFEST}")
        and stored_files.is_older(storage, name, latest)
    ]
    for name in left:
        stored_files.remove_folder(storage, name)
    return len(left)


def mark() -> str:
    """Return what tells this storage from another: kept in it, and written by whoever asks first.

    Raises ReleaseError if the storage fails.
    """
    top = StoredFolder(storages["releases"], "")
    with _as_release_error():
        if not top.has(MARK):
            top.write(MARK, secrets.token_hex(16).encode())
        return top.read(MARK).decode()
