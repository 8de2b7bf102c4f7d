"""The secret key where it lies in the data folder. One that the environment gives is kept elsewhere."""

import hashlib
from pathlib import Path

from django.conf import settings

NAME = "secret_key"


def path() -> Path:
    folder: Path = settings.DATA_DIR
    return folder / NAME


def is_in_data_folder() -> bool:
    """Return whether the key in use is that of the data folder."""
    return path().is_file() and path().read_text(encoding="ascii") == settings.SECRET_KEY


def installation() -> str:
    """Return what tells the installation that has this key from others, and does not tell the key."""
    return hashlib.sha256(f"backups of {settings.SECRET_KEY}".encode()).hexdigest()[:16]
