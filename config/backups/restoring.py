"""Restore a backup into an empty place."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from django.conf import settings
from django.core.files.storage import storages
from django.utils.version import get_version_tuple

from config.backups import databases, files, manifest, secret_key
from config.backups.errors import BackupError
from config.backups.manifest import Manifest
from pages import database

KEY_IS_MISSING = (
    "the backup has no secret key: set TOUCHSTONE_SECRET_KEY as it was where the backup was made,"
    " or all people have to sign in again"
)
KEY_IS_UNUSED = (
    "TOUCHSTONE_SECRET_KEY is set, so that the secret key of the backup is not used: if they differ,"
    " all people have to sign in again"
)


@dataclass(frozen=True)
class RestoredBackup:
    manifest: Manifest
    notes: list[str]


def restore(backup: Path, *, keeps_files: bool = False) -> RestoredBackup:
    """Restore a backup into an empty database and, unless `keeps_files`, to where no files are.

    The database comes last, in one step: where this ended earlier, nothing can be started. Raises
    BackupError before anything is written if the place is not empty, or the backup is damaged or does
    not fit.
    """
    try:
        found = manifest.read(backup)
        _require_fit(found, backup)
        _require_empty(found, backup, keeps_files=keeps_files)
        found.require_files(backup)
        lacking = [(each, name) for each in files.STORAGES for name in files.lacking(each, found)]
        with _removed_on_failure() as written:
            for alias, name in lacking:
                files.restore(alias, name, backup)
                written.append((alias, name))
            with _restored_key(backup, found) as notes:
                databases.restore(backup / databases.FILES[found.engine])
    except OSError as error:
        raise BackupError(f"nothing was restored: {error.strerror or error}") from error
    flaw = database.schema_flaw()
    return RestoredBackup(found, [*notes, flaw] if flaw else notes)


def _require_fit(found: Manifest, backup: Path) -> None:
    is_later = get_version_tuple(found.version) > get_version_tuple(settings.VERSION)
    if is_later or database.unknown_migrations(found.migrations):
        raise BackupError(
            f"{backup} was made by Touchstone {found.version}, which is later than this one"
            f" ({settings.VERSION}): restore it with that version"
        )
    if found.engine not in tuple(databases.FILES):
        raise BackupError(
            f"{backup} is of a kind of database that Touchstone does not know ({found.engine}): take"
            " another backup"
        )
    if found.engine != databases.engine():
        raise BackupError(
            f"{backup} is of a database of {databases.TITLES[found.engine]}, and DATABASE_URL names one"
            f" of {databases.TITLES[databases.engine()]}: name an empty one of"
            f" {databases.TITLES[found.engine]}"
        )
    if databases.FILES[found.engine] not in found.files:
        raise BackupError(f"{backup / manifest.NAME} names no database: take another backup")


def _require_empty(found: Manifest, backup: Path, *, keeps_files: bool) -> None:
    if not databases.is_empty():
        raise BackupError(
            f"the database {databases.name()} has tables: name an empty one in DATABASE_URL"
        )
    name = next(_files_of_data_folder(), "")
    if keeps_files:
        if name:
            _require_same_key(found, backup)
        return
    if name:
        raise BackupError(
            f"the data folder {settings.DATA_DIR} is not empty ({name}): name another one in"
            " TOUCHSTONE_DATA, or leave its files there with --keep-files"
        )
    for alias in files.STORAGES:
        if name := next(files.names(storages[alias]), ""):
            raise BackupError(
                f"the storage of {alias} is not empty ({name}): name another one, or leave its files"
                " there with --keep-files"
            )


def _files_of_data_folder() -> Iterator[str]:
    """Yield the files but the empty database, and the key, which every command makes."""
    own = {secret_key.path(), *databases.own_files()}
    for path in settings.DATA_DIR.rglob("*"):
        if path.is_file() and path not in own:
            yield str(path.relative_to(settings.DATA_DIR))


def _require_same_key(found: Manifest, backup: Path) -> None:
    if secret_key.NAME not in found.files or not secret_key.is_in_data_folder():
        return
    if manifest.digest(secret_key.path()) != found.files[secret_key.NAME]:
        raise BackupError(
            f"the data folder {settings.DATA_DIR} has another secret key than {backup}: copy the"
            f" backup's to {secret_key.path()} first"
        )


@contextmanager
def _restored_key(backup: Path, found: Manifest) -> Iterator[list[str]]:
    """Put the key of the backup in the place of the one that was made for an empty data folder; that
    one is there again if the body fails.

    Yields what the administrator has to know.
    """
    if secret_key.NAME not in found.files:
        yield [KEY_IS_MISSING]
        return
    if not secret_key.is_in_data_folder():
        yield [KEY_IS_UNUSED]
        return
    before = secret_key.path().read_bytes()
    try:
        manifest.write_file(secret_key.path(), [(backup / secret_key.NAME).read_bytes()])
        yield []
    except BaseException:
        manifest.write_file(secret_key.path(), [before])
        raise


@contextmanager
def _removed_on_failure() -> Iterator[list[tuple[str, str]]]:
    """Yield a list for what is written, storage and name; it is removed if the body fails."""
    written: list[tuple[str, str]] = []
    try:
        yield written
    except BaseException as error:
        if left := [f"{alias}/{name}" for alias, name in written if not _is_removed(alias, name)]:
            raise BackupError(
                f"nothing was restored: {error}. Remove what could not be removed: {', '.join(left)}"
            ) from error
        raise


def _is_removed(alias: str, name: str) -> bool:
    try:
        storages[alias].delete(name)
    except OSError:
        return False
    return True
