"""The secret key where it lies in the data folder. One that the environment gives is kept elsewhere."""

from pathlib import Path

from django.conf import settings

NAME = "secret_key"


def path() -> Path:
    folder: Path = settings.DATA_DIR
    return folder / NAME


def is_in_data_folder() -> bool:
    """Return whether the key in use is that of the data folder."""
    return path().is_file() and path().read_text(encoding="ascii") == settings.SECRET_KEY
