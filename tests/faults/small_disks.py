"""A disk so small that it is soon full."""

import errno
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

SIZE = 24 * 1024 * 1024
PART = 4096


class Disk:
    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._filler = folder / "filler"

    def fill(self) -> None:
        """Fill the disk to the last byte."""
        with self._filler.open("wb", buffering=0) as file:
            try:
                while file.write(bytes(PART)):
                    pass
            except OSError as error:
                if error.errno != errno.ENOSPC:
                    raise

    def free(self) -> None:
        self._filler.unlink()


@contextmanager
def small_disk(folder: Path) -> Iterator[Disk]:
    """Skips the test where it cannot be had."""
    if sys.platform != "linux" or os.geteuid() != 0:
        pytest.skip("a disk that is soon full is mounted by root on Linux")
    folder.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", f"size={SIZE},mode=0700", "tmpfs", folder],
        capture_output=True,
        text=True,
        check=False,
    )
    if mounted.returncode:
        pytest.skip(f"no small disk can be mounted here: {mounted.stderr.strip()}")
    try:
        yield Disk(folder)
    finally:
        # Lazily: it goes even if something holds a file on it.
        subprocess.run(["umount", "--lazy", folder], check=True)
