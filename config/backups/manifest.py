"""The manifest of a backup: what made it, and the size and the sha256 of each of its files."""

import hashlib
import json
import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path, PurePosixPath
from typing import BinaryIO

from config.backups.errors import BackupError

NAME = "manifest.json"
FORMAT = 1


@dataclass(frozen=True)
class FileDigest:
    size: int  # bytes
    sha256: str


@dataclass(frozen=True)
class Manifest:
    version: str  # of Touchstone
    engine: str  # sqlite or postgresql
    made_at: str
    migrations: list[str]  # app.name, as applied in the database
    files: Mapping[str, FileDigest]  # by path in the backup
    installation: str = ""  # which one made it (secret_key.installation)
    format: int = FORMAT

    def write(self, backup: Path) -> None:
        text = json.dumps(asdict(self), indent=1, sort_keys=True)
        write_file(backup / NAME, [f"{text}\n".encode()])

    def names(self, folder: str) -> list[str]:
        """The paths of the files in a folder of the backup, from there."""
        prefix = f"{folder}/"
        return [name.removeprefix(prefix) for name in self.files if name.startswith(prefix)]

    def require_files(self, backup: Path) -> None:
        """Raise BackupError if a file of the backup is not as it was written."""
        for name, expected in self.files.items():
            try:
                found = digest(backup / name)
            except FileNotFoundError as error:
                raise BackupError(f"{backup} has lost {name}: take another backup") from error
            if found != expected:
                raise BackupError(
                    f"{name} of {backup} is not what was backed up (its sha256 is another): take"
                    " another backup"
                )


def read(backup: Path) -> Manifest:
    """Return the manifest of a backup. Raises BackupError if there is none, or it cannot be understood."""
    try:
        written = json.loads((backup / NAME).read_bytes())
        if written["format"] != FORMAT:
            raise BackupError(
                f"{backup} is of a format that this version does not know: restore it with the"
                " version that made it"
            )
        files = {name: FileDigest(**each) for name, each in written.pop("files").items()}
        if not all(_is_inside(name) for name in files):
            raise ValueError("a file outside the backup")
        return Manifest(**written, files=files)
    except (FileNotFoundError, NotADirectoryError) as error:
        raise BackupError(f"{backup} is no backup: there is no {NAME}") from error
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise BackupError(f"{backup / NAME} is damaged: take another backup") from error


def _is_inside(name: str) -> bool:
    path = PurePosixPath(name)
    return str(path) == name and not path.is_absolute() and ".." not in path.parts


def digest(path: Path) -> FileDigest:
    with path.open("rb") as file:
        sha256 = hashlib.file_digest(file, "sha256").hexdigest()
        return FileDigest(file.tell(), sha256)


def digest_of(chunks: Iterable[bytes]) -> FileDigest:
    size, sha256 = 0, hashlib.sha256()
    for chunk in chunks:
        size += len(chunk)
        sha256.update(chunk)
    return FileDigest(size, sha256.hexdigest())


def write_file(path: Path, chunks: Iterable[bytes]) -> FileDigest:
    """Write a file that outlasts a power cut."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("wb") as file:
        found = digest_of(_written(chunks, file))
        file.flush()
        os.fsync(file.fileno())
    return found


def _written(chunks: Iterable[bytes], file: BinaryIO) -> Iterator[bytes]:
    for chunk in chunks:
        file.write(chunk)
        yield chunk
