"""The files in which the web processes of one `serve` keep what they count, so that each can tell of all.

They are prometheus_client's, one of each kind for a process. What a process counted stays when it dies.
"""

import os
import shutil
from pathlib import Path

# prometheus_client writes into them through memory. Space that is not there kills a process that writes so:
# they are written in full when they are made, and larger than they need to be.
SIZES = {"counter": 1 << 20, "histogram": 1 << 20, "gauge_livesum": 1 << 16}  # bytes

_folder: Path | None = None


def empty(folder: Path) -> None:
    """Make the folder, without what processes of an earlier start left there."""
    if folder.exists():
        shutil.rmtree(folder)
    folder.mkdir(parents=True)


def use(folder: Path) -> bool:
    """Let this process count in files of the folder. It must not have imported prometheus_client yet.

    Returns False if there is no room for them: it can tell of the others then, not of itself.
    """
    global _folder
    _folder = folder
    try:
        for kind, size in SIZES.items():
            _create(folder / f"{kind}_{os.getpid()}.db", size)
    except OSError:
        return False
    os.environ["PROMETHEUS_MULTIPROC_DIR"] = str(folder)
    return True


def _create(file: Path, size: int) -> None:
    if file.exists():
        return  # an ended process had the same number: its counts go on
    draft = file.with_suffix(".draft")
    try:
        draft.write_bytes(bytes(size))
        draft.rename(file)
    finally:
        draft.unlink(missing_ok=True)


def folder_in_use() -> Path | None:
    return _folder


def forget(folder: Path, pid: int) -> None:
    """Take from the sums what only a living process has."""
    (folder / f"gauge_livesum_{pid}.db").unlink(missing_ok=True)
