"""Read the folder of a release and compare it with its manifest. Imports no Django."""

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
    """The folder is not an unchanged release. The message names the file and what is wrong with it."""


@dataclass(frozen=True)
class ReleaseContents:
    """The contents of a release: its JSON files, and the rows of per_run.csv as texts."""

    manifest: dict[str, Any]
    report: dict[str, Any]
    per_run: list[dict[str, str]]
    gold: list[dict[str, Any]]
    silver: list[dict[str, Any]]


def read(folder: Path) -> ReleaseContents:
    """Read the release in the folder. Raises BrokenReleaseError unless every file is unchanged."""
    if not folder.is_dir():
        raise BrokenReleaseError(f"there is no folder {folder}")
    if not (folder / MANIFEST).is_file():
        raise BrokenReleaseError(f"{folder} is no release: there is no {MANIFEST} in it")
    manifest = _json(folder / MANIFEST, _bytes(folder / MANIFEST))
    files = manifest.get("files") if isinstance(manifest, dict) else None
    if not isinstance(files, dict) or not files.keys() >= set(NEEDED):
        raise BrokenReleaseError(f"{folder} is no release: its {MANIFEST} does not name its files")
    contents = {name: _unchanged(folder / name, sha256) for name, sha256 in files.items()}
    table = io.StringIO(contents["per_run.csv"].decode("utf-8"), newline="")
    return ReleaseContents(
        manifest=manifest,
        report=_json(folder / "report.json", contents["report.json"]),
        per_run=list(csv.DictReader(table)),
        gold=_json(folder / "gold.json", contents["gold.json"]),
        silver=_json(folder / "silver.json", contents["silver.json"]),
    )


def n_not_asked_by_batch(release: ReleaseContents) -> dict[str, int]:
    """By plausibility batch with a faithfulness batch, the number of silver answers that this did
    not ask about.

    They were adjudicated later, or a sample left them out.
    """
    with_evidence = {batch["pool"]["rule"].get("batch") for batch in release.manifest["batches"]}
    silver = (answer for record in release.silver for answer in record["Truth_answers_alternative"])
    return dict(
        Counter(
            answer["batch"]
            for answer in silver
            if answer["faithful"]["status"] == "not asked" and answer["batch"] in with_evidence
        )
    )


def _unchanged(path: Path, sha256: str) -> bytes:
    contents = _bytes(path)
    if hashlib.sha256(contents).hexdigest() != sha256:
        raise BrokenReleaseError(
            f"{path} is not what was released: its sha256 is another than in {MANIFEST}"
        )
    return contents


def _bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise BrokenReleaseError(f"{path} cannot be read: {error.strerror}") from error


def _json(path: Path, contents: bytes) -> Any:
    try:
        return json.loads(contents.decode("utf-8"))
    except ValueError as error:
        raise BrokenReleaseError(f"{path} is no JSON: {error}") from error
