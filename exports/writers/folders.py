"""Make the folder of a release, which appears complete or not at all."""

import contextlib
import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

from exports.writers.errors import ReleaseError

# Without the name of the release, so that nobody takes files of a killed process for a release.
UNFINISHED = ".unfinished-release-"


class NewFolder:
    """A folder to write into, `path`, which `deliver()` moves to `out`."""

    def __init__(self, out: Path, path: Path) -> None:
        self.out = out
        self.path = path
        self.is_delivered = False

    def deliver(self) -> None:
        """Move the folder to its place. Raises OSError if the place is no longer free."""
        self.path.replace(self.out)
        self.is_delivered = True


@contextlib.contextmanager
def new_folder(out: Path) -> Iterator[NewFolder]:
    """A folder that is at `out` after the body has delivered it and ended without an error.

    Otherwise everything that was made is removed, parents of `out` too; a process that is killed
    (-9) leaves a folder `.unfinished-release-…` beside `out`. Raises ReleaseError if `out` or the
    body's files cannot be written.
    """
    try:
        place = _free_place(out)
        with _parent_folders(place), _unfinished_folder(place) as folder:
            yield folder
    except OSError as error:
        why = error.strerror or error
        raise ReleaseError(f"{out} cannot be written: {why}. Choose another") from error


def _free_place(out: Path) -> Path:
    """The path of `out` without links. Raises ReleaseError if something is there already."""
    place = Path(os.path.realpath(out))
    if place == Path.cwd():
        raise ReleaseError(f"{out} is the folder that you are in: name another one")
    if place.exists() and (not place.is_dir() or any(place.iterdir())):
        raise ReleaseError(f"{out} is there already and not an empty folder: choose another")
    return place


def _prefix(place: Path) -> str:
    return f"{UNFINISHED}{place.name[:20]}-"


@contextlib.contextmanager
def _parent_folders(place: Path) -> Iterator[None]:
    """Make the missing parents of `place`; remove them if the body fails."""
    made = [folder for folder in place.parents if not folder.exists()]
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        yield
    except BaseException:
        for folder in made:
            # Unless somebody put something in it meanwhile.
            if folder.is_dir() and not any(folder.iterdir()):
                folder.rmdir()
        raise


@contextlib.contextmanager
def _unfinished_folder(place: Path) -> Iterator[NewFolder]:
    """Make an unfinished folder beside `place`, so that one step moves it there; remove it if the
    body fails.
    """
    folder = NewFolder(place, Path(tempfile.mkdtemp(prefix=_prefix(place), dir=place.parent)))
    try:
        yield folder
    except BaseException:
        # Ask the flag, not the file system: the folder at the place may be another process's.
        if folder.is_delivered:
            shutil.rmtree(place)
        else:
            shutil.rmtree(folder.path, ignore_errors=True)
        raise
