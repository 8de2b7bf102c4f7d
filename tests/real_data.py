"""Where the shared task's real files lie. A test that reads them carries the marker `real_data`."""

import os
from pathlib import Path

import pytest

BESIDE_THE_CHECKOUT = Path(__file__).resolve().parents[2] / "shared" / "data"


def folder() -> Path:
    """The folder of the real data; skips the calling test, with the reason, where there is none."""
    named = os.environ.get("TOUCHSTONE_REAL_DATA")
    path = Path(named) if named else BESIDE_THE_CHECKOUT
    if not path.is_dir():
        pytest.skip(f"no real data: neither TOUCHSTONE_REAL_DATA nor {path} is a folder")
    return path
