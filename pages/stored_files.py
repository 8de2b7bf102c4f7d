"""Folders of a storage, as which some storages know only files with a slash in their names."""

import contextlib
from collections.abc import Iterator
from datetime import datetime

from django.core.files.storage import Storage

NOT_SHARED = (
    "this worker does not see the files of the web server: give the same TOUCHSTONE_FILES to both, or"
    " let them share the folders releases and uploads of TOUCHSTONE_DATA (docs/deployment.md, “Several"
    " machines”)"
)


def listed(storage: Storage, folder: str) -> tuple[list[str], list[str]]:
    """Return the names of the folders and of the files in the folder, none if there is no such folder."""
    try:
        return storage.listdir(folder)
    except FileNotFoundError:
        return [], []


def file_names(storage: Storage, folder: str) -> Iterator[str]:
    """Yield the full names of the files in the folder and below it."""
    folders, files = listed(storage, folder)
    yield from (f"{folder}/{name}" for name in files)
    for name in folders:
        yield from file_names(storage, f"{folder}/{name}")


def n_bytes(storage: Storage, folder: str) -> int:
    """Return the size of all its files; one that is removed meanwhile counts nothing."""
    total = 0
    for name in file_names(storage, folder):
        with contextlib.suppress(FileNotFoundError):
            total += storage.size(name)
    return total


def is_older(storage: Storage, folder: str, latest: datetime) -> bool:
    """Return whether the last of its files, or the folder without files, is from before; not if it is gone."""
    names = list(file_names(storage, folder)) or [folder]
    try:
        return max(storage.get_modified_time(name) for name in names) < latest
    except FileNotFoundError:
        return False  # somebody else removes it at this moment


def remove_folder(storage: Storage, folder: str) -> None:
    """Remove the folder with all that is in it, if it is there."""
    folders, files = listed(storage, folder)
    for name in files:
        storage.delete(f"{folder}/{name}")
    for name in folders:
        remove_folder(storage, f"{folder}/{name}")
    storage.delete(folder)
