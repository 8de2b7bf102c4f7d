"""Where releases and uploads are kept: the storages of STORAGES by these names."""

from pathlib import Path

from django.conf import settings
from django.core.files.storage import FileSystemStorage


class FolderStorage(FileSystemStorage):
    """Storage in the folder that a setting names, readable by its owner only."""

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
