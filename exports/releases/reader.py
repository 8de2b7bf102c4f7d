"""Read the files of a release and compare them with its manifest. Imports no Django."""

import csv
import hashlib
import io
import json
from collections import Counter
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Protocol

MANIFEST = "manifest.json"
NEEDED = ("report.json", "per_run.csv", "gold.json", "silver.json")
NEEDED_OF_COMPARISON = ("figures.json", "systems.csv")
# A few numbers by the sha256 of the file that they are counted from: equal bytes have equal counts.
MOST_COUNTED = 100
_N_NOT_ASKED: dict[str, dict[str, int]] = {}


class ReleaseFiles(Protocol):
    """The files of a release, wherever they are. `str()` is how messages call their folder."""

    def read(self, name: str) -> bytes:
        """Return the contents of a file. Raises OSError."""

    def sha256(self, name: str) -> str:
        """Return the sha256 of a file, which may be larger than the memory. Raises OSError."""


@dataclass(frozen=True)
class FolderFiles:
    """The files of a release in a folder."""

    folder: Path

    def __str__(self) -> str:
        return str(self.folder)

    def read(self, name: str) -> bytes:
        return (self.folder / name).read_bytes()

    def sha256(self, name: str) -> str:
        with (self.folder / name).open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()


class BrokenReleaseError(Exception):
    """The folder is not an unchanged release. The message names the file and what is wrong with it."""


@dataclass(frozen=True)
class ReleaseContents:
    """The contents of a release: its JSON files, and the rows of per_run.csv as texts."""

    manifest: dict[str, Any]
    report: dict[str, Any]
    per_run: list[dict[str, str]]
    texts: dict[str, str]  # of the answers that several batches decided differently, by answer id
    files: ReleaseFiles

    # Read when they are asked for: they are the largest of what a page shows, which shows one of them.
    @cached_property
    def gold(self) -> list[dict[str, Any]]:
        return self._records("gold.json")

    @cached_property
    def silver(self) -> list[dict[str, Any]]:
        return self._records("silver.json")

    def _records(self, name: str) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = _json(self.files, name, self._contents(name))
        return found

    def _contents(self, name: str) -> bytes:
        return _unchanged(self.files, name, self.manifest["files"][name])


@dataclass(frozen=True)
class ComparisonContents:
    """The contents of a released comparison: its manifest and figures."""

    manifest: dict[str, Any]
    figures: dict[str, Any]


def read(files: ReleaseFiles) -> ReleaseContents:
    """Return the contents of the release. Raises BrokenReleaseError unless every file is unchanged."""
    manifest = _unchanged_manifest(files, NEEDED)
    digests = manifest["files"]
    report = _json(files, "report.json", _unchanged(files, "report.json", digests["report.json"]))
    in_conflict = {each["answer_id"] for each in report.get("conflicts", [])}
    has_texts = in_conflict and "items.csv" in digests
    items = _unchanged(files, "items.csv", digests["items.csv"]) if has_texts else b""
    return ReleaseContents(
        manifest=manifest,
        report=report,
        per_run=list(_rows(_unchanged(files, "per_run.csv", digests["per_run.csv"]))),
        texts={
            row["answer_id"]: row["answer"]
            for row in _rows(items)
            if row["answer_id"] in in_conflict
        },
        files=files,
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
    manifest = _unchanged_manifest(files, NEEDED_OF_COMPARISON)
    contents = _unchanged(files, "figures.json", manifest["files"]["figures.json"])
    figures = _json(files, "figures.json", contents)
    return ComparisonContents(manifest, figures)


def _unchanged_manifest(files: ReleaseFiles, needed: Collection[str]) -> dict[str, Any]:
    """Return the manifest, once every file that it names was found unchanged. None of them is held in memory."""
    try:
        manifest = _json(files, MANIFEST, files.read(MANIFEST))
    except FileNotFoundError as error:
        raise BrokenReleaseError(f"{files} is no release: there is no {MANIFEST} in it") from error
    except OSError as error:
        raise _unreadable(files, MANIFEST, error) from error
    digests = manifest.get("files") if isinstance(manifest, dict) else None
    if not isinstance(digests, dict) or not digests.keys() >= set(needed):
        raise BrokenReleaseError(f"{files} is no release: its {MANIFEST} does not name its files")
    for name, sha256 in digests.items():
        _require_unchanged(files, name, sha256)
    found: dict[str, Any] = manifest
    return found


def n_not_asked_by_batch(release: ReleaseContents) -> dict[str, int]:
    """By plausibility batch with a faithfulness batch, the number of silver answers that this did
    not ask about.

    They were adjudicated later, or a sample left them out.
    """
    with_evidence = {batch["pool"]["rule"].get("batch") for batch in release.manifest["batches"]}
    counts = _n_not_asked(release.manifest["files"]["silver.json"], release)
    return {batch: n for batch, n in counts.items() if batch in with_evidence}


def _n_not_asked(sha256: str, release: ReleaseContents) -> dict[str, int]:
    """Return the number of silver answers without a faithfulness verdict by batch; counted once for each content."""
    if sha256 not in _N_NOT_ASKED:
        answers = (
            each for record in release.silver for each in record["Truth_answers_alternative"]
        )
        counts = Counter(
            answer["batch"] for answer in answers if answer["faithful"]["status"] == "not asked"
        )
        while len(_N_NOT_ASKED) >= MOST_COUNTED:
            del _N_NOT_ASKED[next(iter(_N_NOT_ASKED))]
        _N_NOT_ASKED[sha256] = dict(counts)
    return _N_NOT_ASKED[sha256]


def _require_unchanged(files: ReleaseFiles, name: str, sha256: str) -> None:
    try:
        found = files.sha256(name)
    except OSError as error:
        raise _unreadable(files, name, error) from error
    if found != sha256:
        raise _changed(files, name)


def _unchanged(files: ReleaseFiles, name: str, sha256: str) -> bytes:
    try:
        contents = files.read(name)
    except OSError as error:
        raise _unreadable(files, name, error) from error
    if hashlib.sha256(contents).hexdigest() != sha256:
        raise _changed(files, name)
    return contents


def _changed(files: ReleaseFiles, name: str) -> BrokenReleaseError:
    return BrokenReleaseError(
        f"{files}/{name} is not what was released: its sha256 is another than in {MANIFEST}"
    )


def _unreadable(files: ReleaseFiles, name: str, error: OSError) -> BrokenReleaseError:
    return BrokenReleaseError(f"{files}/{name} cannot be read: {error.strerror or error}")


def _json(files: ReleaseFiles, name: str, contents: bytes) -> Any:
    try:
        return json.loads(contents.decode("utf-8"))
    except ValueError as error:
        raise BrokenReleaseError(f"{files}/{name} is no JSON: {error}") from error
