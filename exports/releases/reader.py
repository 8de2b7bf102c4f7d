"""Read the files of a release and compare them with its manifest. Imports no Django."""

import csv
import hashlib
import io
import json
from collections import Counter
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

MANIFEST = "manifest.json"
NEEDED = ("report.json", "per_run.csv", "gold.json", "silver.json")
NEEDED_OF_COMPARISON = ("figures.json", "systems.csv")


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
    texts: dict[str, str]  # of the answers that several batches decided differently, by answer id


@dataclass(frozen=True)
class ComparisonContents:
    """The contents of a released comparison: its manifest and figures."""

    manifest: dict[str, Any]
    figures: dict[str, Any]


def read(files: ReleaseFiles) -> ReleaseContents:
    """Return the contents of the release. Raises BrokenReleaseError unless every file is unchanged."""
    manifest, contents = _unchanged_contents(files, NEEDED)
    report = _json(files, "report.json", contents["report.json"])
    in_conflict = {each["answer_id"] for each in report.get("conflicts", [])}
    items = _rows(contents.get("items.csv", b"")) if in_conflict else ()
    return ReleaseContents(
        manifest=manifest,
        report=report,
        per_run=list(_rows(contents["per_run.csv"])),
        gold=_json(files, "gold.json", contents["gold.json"]),
        silver=_json(files, "silver.json", contents["silver.json"]),
        texts={row["answer_id"]: row["answer"] for row in items if row["answer_id"] in in_conflict},
    )


def _rows(contents: bytes) -> Iterator[dict[str, str]]:
    yield from csv.DictReader(io.StringIO(contents.decode("utf-8"), newline=""))


def is_comparison(files: ReleaseFiles) -> bool:
    """Whether the folder is of a comparison. False where it has no manifest that can be read."""
    try:
        manifest = _json(files, MANIFEST, files.read(MANIFEST))
    except (OSError, BrokenReleaseError):
        return False
    named = manifest.get("files") if isinstance(manifest, dict) else None
    return isinstance(named, dict) and named.keys() >= set(NEEDED_OF_COMPARISON)


def read_comparison(files: ReleaseFiles) -> ComparisonContents:
    """Return the contents of a released comparison. Raises BrokenReleaseError as `read` does."""
    manifest, contents = _unchanged_contents(files, NEEDED_OF_COMPARISON)
    figures = _json(files, "figures.json", contents["figures.json"])
    return ComparisonContents(manifest, figures)


def _unchanged_contents(
    files: ReleaseFiles, needed: Collection[str]
) -> tuple[dict[str, Any], dict[str, bytes]]:
    """Return the manifest and the contents of the files that it names, all unchanged."""
    try:
        manifest = _json(files, MANIFEST, files.read(MANIFEST))
    except FileNotFoundError as error:
        raise BrokenReleaseError(f"{files} is no release: there is no {MANIFEST} in it") from error
    except OSError as error:
        raise _unreadable(files, MANIFEST, error) from error
    digests = manifest.get("files") if isinstance(manifest, dict) else None
    if not isinstance(digests, dict) or not digests.keys() >= set(needed):
        raise BrokenReleaseError(f"{files} is no release: its {MANIFEST} does not name its files")
    return manifest, {name: _unchanged(files, name, sha256) for name, sha256 in digests.items()}


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
