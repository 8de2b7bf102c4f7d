"""The folder of backups: each appears complete or not at all, and old ones go."""

import fcntl
import os
import shutil
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from django.utils import timezone

from config.backups import manifest, secret_key
from config.backups.errors import BackupError
from config.storages import sync

# What a killed process leaves has such a name.
UNFINISHED = ".unfinished-"
NAME = "touchstone-%Y%m%d-%H%M%S"
NAME_PATTERN = f"touchstone-{'[0-9]' * 8}-{'[0-9]' * 6}"
LOCK = ".lock"


@dataclass
class NewBackup:
    """A backup while it is made, in `folder`; it moves to `place` when it is complete.

    Then all but the newest `keep` of its installation are removed.
    """

    folder: Path
    place: Path
    keep: int | None
    removed: list[Path] = field(default_factory=list)
    later: list[Path] = field(default_factory=list)


@contextmanager
def new_backup(backups: Path, *, keep: int | None) -> Iterator[NewBackup]:
    """A backup that is in the folder of backups when the body has ended without an error."""
    backups.mkdir(parents=True, exist_ok=True)
    with _alone(backups):
        for left in backups.glob(f"{UNFINISHED}*"):
            shutil.rmtree(left)
        folder = Path(tempfile.mkdtemp(prefix=UNFINISHED, dir=backups))
        new = NewBackup(folder, _free_place(backups), keep)
        try:
            yield new
            for part, _, _ in os.walk(new.folder):
                sync(Path(part))
            new.folder.rename(new.place)
        except BaseException:
            shutil.rmtree(new.folder, ignore_errors=True)
            raise
        sync(backups)
        own = [each for each in complete(backups) if _is_own(each)]
        new.later.extend(each for each in own if each.name > new.place.name)
        if new.keep is not None:
            older = [each for each in own if each.name < new.place.name]
            new.removed.extend(_remove(older[: max(0, len(older) + 1 - new.keep)], backups))


def _free_place(backups: Path) -> Path:
    while (place := backups / timezone.now().strftime(NAME)).exists():
        time.sleep(0.1)  # the last one was made within this second
    return place


def complete(backups: Path) -> list[Path]:
    """The backups of the folder, oldest first, without those that somebody gave another name."""
    return sorted(path.parent for path in backups.glob(f"{NAME_PATTERN}/{manifest.NAME}"))


def _is_own(backup: Path) -> bool:
    """Return whether this installation made it. A damaged one may be another's."""
    try:
        return manifest.read(backup).installation == secret_key.installation()
    except BackupError:
        return False


def _remove(old_ones: list[Path], backups: Path) -> Iterator[Path]:
    for old in old_ones:
        try:
            # Renamed first: if this process is killed, half a backup has no backup's name.
            shutil.rmtree(old.rename(backups / f"{UNFINISHED}{old.name}"))
        except OSError as error:
            raise BackupError(
                f"the backup is complete, but {old} cannot be removed: {error.strerror}"
            ) from error
        yield old


@contextmanager
def _alone(backups: Path) -> Iterator[None]:
    """Raise BackupError while another process makes a backup there."""
    with (backups / LOCK).open("w") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise BackupError(f"another backup is being made in {backups}: wait for it") from error
        yield
