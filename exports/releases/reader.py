"""A release's folder, read back and held against its manifest. Plain Python."""

import csv
import hashlib
import io
import json
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

MANIFEST = "manifest.json"
NEEDED = ("report.json", "per_run.csv", "gold.json", "silver.json")


class BrokenReleaseError(Exception):
    """The folder is no release as it was made; the message names the file and what is wrong with it."""


@dataclass(frozen=True)
class ReadRelease:
    """What a release says: its JSON files as they are, `per_run` a row of texts for each run."""

    manifest: dict[str, Any]
    report: dict[str, Any]
    per_run: list[dict[str, str]]
    gold: list[dict[str, Any]]
    silver: list[dict[str, Any]]


def read(folder: Path) -> ReadRelease:
    """The release in the folder. Raises BrokenReleaseError unless every file is what was released."""
    if not folder.is_dir():
        raise BrokenReleaseError(f"there is no folder {folder}")
    if not (folder / MANIFEST).is_file():
        raise BrokenReleaseError(f"{folder} is no release: there is no {MANIFEST} in it")
    manifest = _json(folder / MANIFEST, _bytes(folder / MANIFEST))
    files = manifest.get("files") if isinstance(manifest, dict) else None
    if not isinstance(files, dict) or not files.keys() >= set(NEEDED):
        raise BrokenReleaseError(f"{folder} is no release: its {MANIFEST} does not name its files")
    held = {name: _unchanged(folder / name, sha256) for name, sha256 in files.items()}
    table = io.StringIO(held["per_run.csv"].decode("utf-8"), newline="")
    return ReadRelease(
        manifest=manifest,
        report=_json(folder / "report.json", held["report.json"]),
        per_run=list(csv.DictReader(table)),
        gold=_json(folder / "gold.json", held["gold.json"]),
        silver=_json(folder / "silver.json", held["silver.json"]),
    )


def never_asked(release: ReadRelease) -> dict[str, int]:
    """By plausibility batch, its answers in silver that nobody was asked about by evidence, although a
    faithfulness batch came of it: they were adjudicated later, or a sample left them out.
    """
    led_on = {batch["pool"]["rule"].get("batch") for batch in release.manifest["batches"]}
    silver = (answer for record in release.silver for answer in record["Truth_answers_alternative"])
    return dict(
        Counter(
            answer["batch"]
            for answer in silver
            if answer["faithful"]["status"] == "not asked" and answer["batch"] in led_on
        )
    )


def _unchanged(path: Path, sha256: str) -> bytes:
    held = _bytes(path)
    if hashlib.sha256(held).hexdigest() != sha256:
        raise BrokenReleaseError(
            f"{path} is not what was released: its sha256 is another than in {MANIFEST}"
        )
    return held


def _bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise BrokenReleaseError(f"{path} cannot be read: {error.strerror}") from error


def _json(path: Path, held: bytes) -> Any:
    try:
        return json.loads(held.decode("utf-8"))
    except ValueError as error:
        raise BrokenReleaseError(f"{path} is no JSON: {error}") from error
