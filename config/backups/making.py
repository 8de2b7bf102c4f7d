"""Make a backup."""

from dataclasses import dataclass
from pathlib import Path

from django.conf import settings
from django.utils import timezone

from config.backups import databases, files, folders, manifest, releases, secret_key
from config.backups.errors import BackupError
from config.backups.manifest import FileDigest, Manifest
from pages import database

KEY_IS_ELSEWHERE = "the secret key comes from TOUCHSTONE_SECRET_KEY and is not in the backup: keep it in another place"


@dataclass(frozen=True)
class MadeBackup:
    place: Path
    manifest: Manifest
    removed: list[Path]
    notes: list[str]


def back_up(backups: Path, *, keep: int | None = None, incomplete: bool = False) -> MadeBackup:
    """Make a backup in the folder of backups and remove all but the newest `keep`.

    Whatever the copied database names is in the backup: a release's files are there before its record
    and stay, so they are copied after the database. An upload is there before its job, and goes when
    that has ended: uploads are copied before the database and once more after it. If the files of a
    recorded release are not there, there is no backup, unless `incomplete`: then none is removed.
    """
    _require_outside(backups)
    migrations = databases.applied_migrations()
    _require_known(migrations)
    try:
        with folders.new_backup(backups, keep=keep) as new:
            recorded = releases.recorded()
            found = _copy(new.folder)
            notes = releases.notes(recorded, found, allow=incomplete)
            if any(note.startswith(releases.INCOMPLETE) for note in notes):
                new.keep = None
            made = Manifest(
                version=settings.VERSION,
                engine=databases.engine(),
                made_at=timezone.now().isoformat(timespec="seconds"),
                migrations=migrations,
                files=found,
                installation=secret_key.installation(),
            )
            made.write(new.folder)
    except OSError as error:
        raise BackupError(f"there is no backup: {error.strerror or error} ({backups})") from error
    if secret_key.NAME not in made.files:
        notes.append(KEY_IS_ELSEWHERE)
    if note := databases.dump_note():
        notes.append(note)
    if new.later:
        notes.append(
            "backups dated later than this one were made while the clock was ahead, and stay until you"
            f" remove them: {', '.join(each.name for each in new.later)}"
        )
    return MadeBackup(new.place, made, new.removed, notes)


def _copy(folder: Path) -> dict[str, FileDigest]:
    found = files.copy(files.UPLOADS, folder, {})
    name = databases.FILES[databases.engine()]
    databases.copy_into(folder / name)
    found[name] = manifest.digest(folder / name)
    found |= files.copy(files.RELEASES, folder, {})
    found |= files.copy(files.UPLOADS, folder, found)
    if secret_key.is_in_data_folder():
        content = secret_key.path().read_bytes()
        found[secret_key.NAME] = manifest.write_file(folder / secret_key.NAME, [content])
    return found


def _require_outside(backups: Path) -> None:
    if backups.resolve().is_relative_to(settings.DATA_DIR):
        raise BackupError(
            f"{backups} is in the data folder, and would be lost with it: choose another folder"
        )


def _require_known(migrations: list[str]) -> None:
    if not migrations:
        raise BackupError(f"there is nothing to back up: {database.NOT_SET_UP}")
    if later := database.unknown_migrations(migrations):
        raise BackupError(f"{database.LATER} ({later[-1]}): back it up with that version")
