"""Read the files of a release and compare them with its manifest. Imports no Django."""

import csv
import hashlib
import io
import json
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

MANIFEST = "manifest.json"
NEEDED = ("report.json", "per_run.csv", "gold.json", "silver.json")


class ReleaseFiles(Protocol):
    """The files of a release, wherever they are. `str()` is how messages call their folder."""

    def read(self, name: str) -> bytes:
        """Return the contents of a file. Raises OSError."""


@dataclass(frozen=True)
class FolderFiles:
    """The files of a release in a folder."""

    folder: Path

    def __str__(self) -> str:
        return str(self.folder)

    def read(self, name: str) -> bytes:
        return (self.folder / name).read_bytes()


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


def read(files: ReleaseFiles) -> ReleaseContents:
    """Return the contents of the release. Raises BrokenReleaseError unless every file is unchanged."""
    try:
        manifest = _json(files, MANIFEST, files.read(MANIFEST))
    except FileNotFoundError as error:
        raise BrokenReleaseError(f"{files} is no release: there is no {MANIFEST} in it") from error
    except OSError as error:
        raise _unreadable(files, MANIFEST, error) from error
    digests = manifest.get("files") if isinstance(manifest, dict) else None
    if not isinstance(digests, dict) or not digests.keys() >= set(NEEDED):
        raise BrokenReleaseError(f"{files} is no release: its {MANIFEST} does not name its files")
    contents = {name: _unchanged(files, name, sha256) for name, sha256 in digests.items()}
    table = io.StringIO(contents["per_run.csv"].decode("utf-8"), newline="")
    return ReleaseContents(
        manifest=manifest,
        report=_json(files, "report.json", contents["report.json"]),
        per_run=list(csv.DictReader(table)),
        gold=_json(files, "gold.json", contents["gold.json"]),
        silver=_json(files, "silver.json", contents["silver.json"]),
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


def _unchanged(files: ReleaseFiles, name: str, sha256: str) -> bytes:
    contents = _bytes(files, name)
    if hashlib.sha256(contents).hexdigest() != sha256:
        raise BrokenReleaseError(
            f"{files}/{name} is not what was released: its sha256 is another than in {MANIFEST}"
        )
    return contents


def _bytes(files: ReleaseFiles, name: str) -> bytes:
    try:
        return files.read(name)
    except OSError as error:
        raise _unreadable(files, name, error) from error


def _unreadable(files: ReleaseFiles, name: str, error: OSError) -> BrokenReleaseError:
    return BrokenReleaseError(f"{files}/{name} cannot be read: {error.strerror or error}")


def _json(files: ReleaseFiles, name: str, contents: bytes) -> Any:
    try:
        return json.loads(contents.decode("utf-8"))
    except ValueError as error:
        raise BrokenReleaseError(f"{files}/{name} is no JSON: {error}") from error
