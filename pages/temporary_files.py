"""Where a process keeps its temporary files."""

import tempfile

from django.conf import settings


def use_data_folder() -> None:
    """Make this process, and those that it forks, keep temporary files in the data folder.

    Bodies that arrive and files that go out are as large as uploads and releases; the system's folder
    may be in memory.
    """
    tempfile.tempdir = str(settings.FILE_UPLOAD_TEMP_DIR)
