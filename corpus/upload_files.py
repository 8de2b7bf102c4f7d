"""Files of uploads as readers need them: as paths on this machine, copied where the storage is no folder."""

import contextlib
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from datetime import datetime
from pathlib import Path

from django.conf import settings
from django.core.files.storage import Storage, storages

from pages.stored_files import NOT_SHARED

# Begins the folders of copies in the local folder of what is being received.
COPIES = "copies-"


class NotFoundError(Exception):
    """A file of an upload is not in the storage; the message says why and what to do."""


def upload_storage() -> Storage:
    return storages["uploads"]


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
    storage = upload_storage()
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
        with upload_storage().open(name) as source, path.open("wb") as target:
            shutil.copyfileobj(source, target)
    except FileNotFoundError as error:
        raise _not_found(name) from error
    return path


def size(name: str) -> int:
    """Return the size in bytes of a file of an upload, or with a full path. Raises NotFoundError."""
    if Path(name).is_absolute():
        return Path(name).stat().st_size
    try:
        return upload_storage().size(name)
    except FileNotFoundError as error:
        raise _not_found(name) from error


def _not_found(name: str) -> NotFoundError:
    return NotFoundError(
        f"{Path(name).name} is not there. Either the upload was removed, 7 days after it was sent, or"
        f" {NOT_SHARED}"
    )


def clear_received(oldest: datetime) -> int:
    """Remove older files and copies that killed servers and workers left on this host. Return the number."""
    local = Path(settings.FILE_UPLOAD_TEMP_DIR).iterdir()
    parts = [path for path in local if path.is_file() or path.name.startswith(COPIES)]
    old = [path for path in parts if path.stat().st_mtime < oldest.timestamp()]
    for path in old:
        if path.is_dir():
            shutil.rmtree(path)
        else:
            path.unlink(missing_ok=True)
    return len(old)
