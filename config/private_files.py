"""The data folder, its secret key, and files that are their owner's alone."""

import os
import secrets
import stat
import tempfile
from pathlib import Path

from django.core.exceptions import ImproperlyConfigured

from config import environment

# The database is closed where it lies, which may be elsewhere.
IN_DATA_FOLDER = ("broker", "releases", "secret_key", "static", "uploads")


def close_to_others(path: Path) -> None:
    """Take everybody's rights to our file or folder but the owner's: mkdir and cp give them.

    A folder that is made for sharing, as /tmp, stays as it is.
    """
    if not path.exists():
        return
    found = path.stat()
    if found.st_uid == os.geteuid() and found.st_mode & 0o077 and not found.st_mode & stat.S_ISVTX:
        path.chmod(stat.S_IMODE(found.st_mode) & 0o700)


def data_folder(otherwise: Path) -> Path:
    """Return the folder of run-time files: database, uploads, broker folders, secret key."""
    folder = Path(environment.text("TOUCHSTONE_DATA", str(otherwise))).resolve()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for path in (folder, *(folder / name for name in IN_DATA_FOLDER)):
            close_to_others(path)
        with tempfile.TemporaryFile(dir=folder):
            return folder
    except OSError as error:
        raise ImproperlyConfigured(
            f"TOUCHSTONE_DATA: nothing can be written into the folder {folder} ({error.strerror})"
        ) from error


def secret_key(folder: Path) -> str:
    """Return TOUCHSTONE_SECRET_KEY, or a key that is generated once and kept in the data folder.

    Two processes that start together must agree: the file is created exclusively, and the second
    process reads what the first wrote.
    """
    if given := environment.text("TOUCHSTONE_SECRET_KEY"):
        return given
    path = folder / "secret_key"
    fresh = folder / f"secret_key.{os.getpid()}"
    if not path.exists():
        fresh.touch(mode=0o600)
        fresh.write_text(secrets.token_urlsafe(50), encoding="ascii")
        try:
            path.hardlink_to(fresh)
        except FileExistsError:
            pass  # another process was faster; its key is the key
        finally:
            fresh.unlink()
    try:
        return path.read_text(encoding="ascii")
    except PermissionError as error:
        raise ImproperlyConfigured(f"{path} cannot be read: it belongs to another user") from error
