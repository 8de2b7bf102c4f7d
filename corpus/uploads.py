"""Uploaded files, each upload in its own folder until it is imported.

A folder has a random name, and each file lies in a numbered folder inside it under its own name,
cleaned: readers and manifests call a file as its sender does, and number files of one name. No path
is ever made of what was sent.
"""

import secrets
import shutil
import time
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain, count
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.files.uploadedfile import UploadedFile

from corpus import names
from jobs import transactions
from jobs.models import Job, JobError

# An upload that nobody imported within this time is removed.
KEPT_SECONDS = 7 * 24 * 60 * 60
MOST_NAME_BYTES = 200


@dataclass(frozen=True)
class Upload:
    """The files of one request; `paths` are in their order."""

    name: str
    paths: tuple[Path, ...]


def keep(files: Sequence["UploadedFile[Any]"]) -> Upload:
    """Write the files to the uploads folder.

    Raises OSError if that fails, and leaves nothing behind.
    """
    name = secrets.token_hex(16)
    names = _unique_names([safe_name(file.name or "") for file in files])
    try:
        paths = tuple(
            _write(_folder(name) / str(n) / names[n - 1], file)
            for n, file in enumerate(files, start=1)
        )
    except OSError:
        forget(name)
        raise
    return Upload(name, paths)


def _folder(name: str) -> Path:
    folder: Path = settings.UPLOADS / name
    return folder


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


def _write(path: Path, file: "UploadedFile[Any]") -> Path:
    path.parent.mkdir(parents=True)
    with path.open("xb") as target:
        for chunk in file.chunks():
            target.write(chunk)
    return path


def safe_name(name: str) -> str:
    """Return the last part of the name without invisible characters, cut to a safe length."""
    last = name.replace("\\", "/").rpartition("/")[2]
    visible = "".join(char for char in last if unicodedata.category(char) not in names.UNSEEN)
    short = visible.encode()[-MOST_NAME_BYTES:].decode(errors="ignore").strip()
    return short if short.strip(".") else "file"


def is_kept(name: str) -> bool:
    return bool(name) and _folder(name).is_dir()


def forget(name: str) -> None:
    """Remove an upload, if it is still there."""
    shutil.rmtree(_folder(name), ignore_errors=True)


def clear_problems() -> None:
    """Remove the problems that jobs found in files which are no longer kept; their number stays."""
    of_uploads = Job.objects.filter(params__upload__isnull=False)
    found = of_uploads.filter(errors__isnull=False).distinct().values_list("pk", "params__upload")
    gone = [pk for pk, name in found if not is_kept(name)]
    transactions.delete_in_pieces(JobError.objects.filter(job__in=gone))


def clear() -> int:
    """Remove expired uploads that no job uses. Return their number."""
    in_use = set(Job.objects.unfinished().values_list("params__upload", flat=True))
    oldest = time.time() - KEPT_SECONDS
    old = [
        path
        for path in settings.UPLOADS.iterdir()
        if path.name not in in_use and path.stat().st_mtime < oldest
    ]
    for path in old:
        if path.is_dir():
            forget(path.name)
        else:
            path.unlink(missing_ok=True)  # half a file, of a server that was killed
    return len(old)
