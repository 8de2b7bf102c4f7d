"""Where releases and uploads are kept: the storages of STORAGES by these names."""

import os
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.files.storage import FileSystemStorage, storages


class FolderStorage(FileSystemStorage):
    """Storage in the folder that a setting names, readable by its owner only.

    What was saved is on the disk, and survives a power cut.
    """

    def __init__(self, setting: str) -> None:
        super().__init__(file_permissions_mode=0o600, directory_permissions_mode=0o700)
        self.setting = setting

    # Not cached as Django's: the tests give each its own folder.
    @property
    def base_location(self) -> Path:
        folder: Path = getattr(settings, self.setting)
        return folder

    @property
    def location(self) -> str:
        return str(self.base_location.resolve())

    def _save(self, name: str, content: Any) -> str:
        is_new = not Path(self.path(name)).parent.exists()
        saved: str = super()._save(name, content)  # type: ignore[misc]  # every storage has it
        path = Path(self.path(saved))
        top = Path(self.location).parent
        above = [folder for folder in path.parents if folder.is_relative_to(top)]
        for each in (path, *(above if is_new else above[:1])):
            sync(each)
        return saved


def sync(path: Path) -> None:
    """Wait until the file, or the folder's list of names, is on the disk."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def storage_flaw() -> str:
    """Return why the storages cannot be used, and what to look at; "" if they can."""
    for name in ("releases", "uploads"):
        # Not storages[name]: processes that are forked later must not share its connections.
        storage = storages.create_storage(settings.STORAGES[name])
        try:
            storage.listdir("")
        except FileNotFoundError:
            pass  # a folder that is made when it is needed
        except OSError as error:
            return f"the files of {name} cannot be listed: {error.strerror or error}"
    return ""
