"""Where the shared task's real files lie. A test that reads them carries the marker `real_data`."""

import json
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


def clapnq_passages() -> list[tuple[str, list[str]]]:
    """The passages of CLAP-NQ's development set with their sentences, in the order of the files."""
    return [
        (passage["text"], passage["sentences"])
        for name in ("dev_answerable.jsonl", "dev_unanswerable.jsonl")
        for line in (folder() / "clapnq" / name).read_text("utf-8").splitlines()
        for passage in json.loads(line)["passages"]
    ]
