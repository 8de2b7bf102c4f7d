"""The folder of a release, which is there whole or not at all."""

import contextlib
import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

from exports.writers.errors import ReleaseError

# Not called after the release, so that nobody takes what a killed process left for one.
UNFINISHED = ".unfinished-release-"


class NewFolder:
    """A folder to write into, `path`, which `deliver()` puts in its place."""

    def __init__(self, out: Path, path: Path) -> None:
        self.out = out
        self.path = path
        self.is_delivered = False

    def deliver(self) -> None:
        """Raises OSError where the place was taken meanwhile."""
        self.path.chmod(0o755)
        self.path.replace(self.out)
        self.is_delivered = True


@contextlib.contextmanager
def new(out: Path) -> Iterator[NewFolder]:
    """A folder that stands at `out` when the body has delivered it and ended well.

    Otherwise everything that was made is gone again, the folders above `out` too; a process that is
    killed (-9) leaves a folder `.unfinished-release-…` beside `out`. Raises ReleaseError where nothing
    can be written there, also where the body fails to.
    """
    try:
        place = _free_place(out)
        with _above(place), _beside(place) as folder:
            yield folder
    except OSError as error:
        why = error.strerror or error
        raise ReleaseError(f"{out} cannot be written: {why}. Choose another") from error


def _free_place(out: Path) -> Path:
    """Where `out` is, links followed. Raises ReleaseError where there is something already."""
    place = Path(os.path.realpath(out))
    if place == Path.cwd():
        raise ReleaseError(f"{out} is the folder that you are in: name another one")
    if place.exists() and (not place.is_dir() or any(place.iterdir())):
        raise ReleaseError(f"{out} is there already and not an empty folder: choose another")
    return place


def clear_unfinished(out: Path) -> None:
    """Remove what killed processes left beside `out`. One that still writes fails, and removes the rest itself."""
    for folder in out.parent.glob(f"{_prefix(out)}*"):
        shutil.rmtree(folder, ignore_errors=True)


def _prefix(place: Path) -> str:
    return f"{UNFINISHED}{place.name[:20]}-"


@contextlib.contextmanager
def _above(place: Path) -> Iterator[None]:
    """The folders above, made where they are missing; those made go again if the body fails."""
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
def _beside(place: Path) -> Iterator[NewFolder]:
    """Beside its place, so that one step puts it there."""
    folder = NewFolder(place, Path(tempfile.mkdtemp(prefix=_prefix(place), dir=place.parent)))
    try:
        yield folder
    except BaseException:
        # A folder that is gone need not have been delivered: what stands in the place may be another's.
        if folder.is_delivered:
            shutil.rmtree(place)
        else:
            shutil.rmtree(folder.path, ignore_errors=True)
        raise
