"""The files of a release as a page or the API gives them."""

import io
import zipfile
from collections.abc import Iterator
from typing import TYPE_CHECKING

from django.http import FileResponse, Http404, StreamingHttpResponse

from exports.models import Release
from exports.releases import reader
from exports.writers import stored_folders

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer

AT_ONCE = 256 * 1024  # bytes that are read and packed at a time


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


def zip_response(release: Release, root: str) -> StreamingHttpResponse:
    """All files, below a folder `root`, as a ZIP archive that is made while it is sent.

    Raises Http404 if a file is not there. Where one cannot be read later the archive breaks off, and no program
    takes it for whole.
    """
    try:
        files = sizes(release)
    except OSError as error:  # the release's page says why
        raise Http404 from error
    return StreamingHttpResponse(
        _archive(release, files, root),
        content_type="application/zip",
        headers={"Content-Disposition": f'attachment; filename="{root}.zip"'},
    )


class _Written(io.RawIOBase):
    """A file that keeps what is written until it is taken. The archive cannot go back in it."""

    def __init__(self) -> None:
        super().__init__()
        self._parts: list[bytes] = []

    def writable(self) -> bool:
        return True

    def write(self, part: "ReadableBuffer") -> int:
        self._parts.append(bytes(part))
        return len(self._parts[-1])

    def taken(self) -> bytes:
        """Return what was written since the last call, and keep it no longer."""
        parts, self._parts = self._parts, []
        return b"".join(parts)


def _archive(release: Release, files: list[tuple[str, int]], root: str) -> Iterator[bytes]:
    """Yield the archive of files with their sizes part by part."""
    folder, written = stored_folders.folder_of(release), _Written()
    with zipfile.ZipFile(written, "w") as archive:
        for name, size in files:
            entry = zipfile.ZipInfo(f"{root}/{name}", release.created_at.timetuple()[:6])
            entry.compress_type, entry.file_size = zipfile.ZIP_DEFLATED, size
            with folder.open(name) as file, archive.open(entry, "w") as target:
                while part := file.read(AT_ONCE):
                    target.write(part)
                    if packed := written.taken():
                        yield packed
    yield written.taken()
