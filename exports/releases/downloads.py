"""The files of a release as a page or the API gives them."""

import shutil
import tempfile
import zipfile

from django.http import FileResponse, Http404

from exports.models import Release
from exports.releases import reader
from exports.writers import stored_folders


def file_names(release: Release) -> list[str]:
    return sorted([*release.manifest["files"], reader.MANIFEST])


def sizes(release: Release) -> list[tuple[str, int]]:
    """The names of the files, each with its size in bytes. Raises OSError if one is not there."""
    folder = stored_folders.folder_of(release)
    return [(name, folder.size(name)) for name in file_names(release)]


def file_response(release: Release, name: str) -> FileResponse:
    """A file, unchanged. Raises Http404 if the release has none of this name, or it cannot be read."""
    if name not in file_names(release):
        raise Http404
    try:
        file = stored_folders.folder_of(release).open(name)
    except OSError as error:  # the release's page says why
        raise Http404 from error
    return FileResponse(file, as_attachment=True, filename=name)


def zip_response(release: Release, root: str) -> FileResponse:
    """All files, below a folder `root`, as a ZIP archive. Raises Http404 if one cannot be read."""
    folder = stored_folders.folder_of(release)
    packed = tempfile.TemporaryFile()  # noqa: SIM115  the response closes it
    try:
        with zipfile.ZipFile(packed, "w") as archive:
            for name in file_names(release):
                entry = zipfile.ZipInfo(f"{root}/{name}", release.created_at.timetuple()[:6])
                entry.compress_type = zipfile.ZIP_DEFLATED
                with folder.open(name) as file, archive.open(entry, "w") as target:
                    shutil.copyfileobj(file, target)
    except OSError as error:  # the release's page says why
        packed.close()
        raise Http404 from error
    packed.seek(0)
    return FileResponse(packed, as_attachment=True, filename=f"{root}.zip")
