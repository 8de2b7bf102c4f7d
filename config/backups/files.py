"""The files of releases and uploads, through their storages."""

from collections.abc import Iterator, Mapping
from pathlib import Path

from django.core.files import File
from django.core.files.storage import Storage, storages

from config.backups import manifest
from config.backups.errors import BackupError
from config.backups.manifest import FileDigest, Manifest
from pages import stored_files

# The storages, and their folders in a backup.
STORAGES = RELEASES, UPLOADS = ("releases", "uploads")


def names(storage: Storage, folder: str = "") -> Iterator[str]:
    """Yield the path of every file."""
    folders, files = stored_files.listed(storage, folder)
    yield from (f"{folder}{name}" for name in files)
    for name in folders:
        yield from names(storage, f"{folder}{name}/")


def whole_names(alias: str) -> Iterator[str]:
    """Yield the path of every file but those beside the folders of uploads, which are being received."""
    found = names(storages[alias])
    yield from (name for name in found if alias != UPLOADS or "/" in name)


def copy(alias: str, backup: Path, found: Mapping[str, FileDigest]) -> dict[str, FileDigest]:
    """Copy the files of a storage into the backup, without those found there in their present size.

    Files are written once, from their beginning to their end: only one that was copied while it was
    written has another size. One that goes meanwhile is an upload that was imported.
    """
    storage, copied = storages[alias], dict[str, FileDigest]()
    for name in whole_names(alias):
        path = f"{alias}/{name}"
        try:
            if path in found and found[path].size == storage.size(name):
                continue
            with storage.open(name) as file:
                copied[path] = manifest.write_file(backup / path, file.chunks())
        except FileNotFoundError:
            continue
    return copied


def lacking(alias: str, backup: Manifest) -> list[str]:
    """The files of the backup that the storage lacks.

    Raises BackupError if the storage has another file of such a name.
    """
    storage = storages[alias]
    there = set(names(storage))
    for name in there.intersection(backup.names(alias)):
        with storage.open(name) as file:
            found = manifest.digest_of(file.chunks())
        if found != backup.files[f"{alias}/{name}"]:
            raise BackupError(
                f"the storage of {alias} has another file {name} than the backup: name another one"
            )
    return [name for name in backup.names(alias) if name not in there]


def restore(alias: str, name: str, backup: Path) -> None:
    storage = storages[alias]
    with (backup / alias / name).open("rb") as file:
        try:
            saved = storage.save(name, File(file))
        except BaseException:
            storage.delete(name)  # half of it
            raise
    if saved != name:
        storage.delete(saved)
        raise BackupError(
            f"the storage of {alias} got a file {name} meanwhile: end what writes there"
        )
