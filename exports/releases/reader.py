"""Read the files of a release and compare them with its manifest. Imports no Django."""

import hashlib
import json
import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from exports.writers import csv_table

MANIFEST = "manifest.json"
NEEDED = ("report.json", "per_run.csv", "gold.json", "silver.json")
NEEDED_OF_COMPARISON = ("figures.json", "systems.csv")
# Between the members of a JSON list.
_BETWEEN = re.compile(r"[\s,]*")


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


@dataclass(frozen=True)
class RecordsFile:
    """A file of records by its sha256. Equal bytes say the same, wherever they are: by that `lru_cache` knows it."""

    sha256: str
    files: ReleaseFiles = field(compare=False)
    name: str = field(compare=False)

    def records(self) -> Iterator[dict[str, Any]]:
        """Yield the records, each parsed when it is asked for. Raises BrokenReleaseError if the file was changed."""
        return _members(self.contents().decode("utf-8"))

    def contents(self) -> bytes:
        """Return the file. Raises BrokenReleaseError if it was changed."""
        return _unchanged(self.files, self.name, self.sha256)


class BrokenReleaseError(Exception):
    """The folder is not an unchanged release. The message names the file and what is wrong with it."""


@dataclass(frozen=True)
class ReleaseContents:
    """The contents of a release: its JSON files, and the rows of per_run.csv as texts."""

    manifest: dict[str, Any]
    report: dict[str, Any]
    per_run: list[dict[str, str]]
    texts: dict[
        str, str
    ]  # of the answers in conflicts and in pairs that break transitivity, by answer id
    files: ReleaseFiles

    # The largest of what a page shows, which shows some records of one of them.
    @property
    def gold(self) -> RecordsFile:
        return self._file("gold.json")

    @property
    def silver(self) -> RecordsFile:
        return self._file("silver.json")

    def _file(self, name: str) -> RecordsFile:
        return RecordsFile(self.manifest["files"][name], self.files, name)


@dataclass(frozen=True)
class ComparisonContents:
    """The contents of a released comparison: its manifest and figures."""

    manifest: dict[str, Any]
    figures: dict[str, Any]


def read(files: ReleaseFiles) -> ReleaseContents:
    """Return the contents of the release. Raises BrokenReleaseError unless every file is unchanged."""
    manifest = _unchanged_manifest(files, NEEDED)
    digests = manifest["files"]
    report = json_of(files, "report.json", _unchanged(files, "report.json", digests["report.json"]))
    listed = {each["answer_id"] for each in report["conflicts"]}
    for pair in report["relations"]["breaks_transitivity"]:
        listed |= {pair["first_id"], pair["second_id"]}
    has_texts = listed and "items.csv" in digests
    items = _unchanged(files, "items.csv", digests["items.csv"]) if has_texts else b""
    return ReleaseContents(
        manifest=manifest,
        report=report,
        per_run=list(
            table_rows(
                files, "per_run.csv", _unchanged(files, "per_run.csv", digests["per_run.csv"])
            )
        ),
        texts={
            row["answer_id"]: row["answer"]
            for row in table_rows(files, "items.csv", items)
            if row["answer_id"] in listed
        },
        files=files,
    )


def table_rows(files: ReleaseFiles, name: str, contents: bytes) -> Iterator[dict[str, str]]:
    """Yield the rows of a table by column. Raises BrokenReleaseError where it cannot be read."""
    try:
        yield from csv_table.rows(contents)
    except ValueError as error:
        raise BrokenReleaseError(f"{files}/{name} cannot be read: {error}") from error


def is_comparison(files: ReleaseFiles) -> bool:
    """Whether the folder is of a comparison. False where it has no manifest that can be read."""
    try:
        manifest = json_of(files, MANIFEST, files.read(MANIFEST))
    except (OSError, BrokenReleaseError):
        return False
    named = manifest.get("files") if isinstance(manifest, dict) else None
    return isinstance(named, dict) and named.keys() >= set(NEEDED_OF_COMPARISON)


def read_comparison(files: ReleaseFiles) -> ComparisonContents:
    """Return the contents of a released comparison. Raises BrokenReleaseError as `read` does."""
    manifest = _unchanged_manifest(files, NEEDED_OF_COMPARISON)
    contents = _unchanged(files, "figures.json", manifest["files"]["figures.json"])
    figures = json_of(files, "figures.json", contents)
    return ComparisonContents(manifest, figures)


def _unchanged_manifest(files: ReleaseFiles, needed: Collection[str]) -> dict[str, Any]:
    """Return the manifest, once every file that it names was found unchanged. None of them is held in memory."""
    try:
        manifest = json_of(files, MANIFEST, files.read(MANIFEST))
    except FileNotFoundError as error:
        raise BrokenReleaseError(f"{files} is no release: there is no {MANIFEST} in it") from error
    except OSError as error:
        raise _unreadable(files, MANIFEST, error) from error
    digests = manifest.get("files") if isinstance(manifest, dict) else None
    if not isinstance(digests, dict) or not digests.keys() >= set(needed):
        raise BrokenReleaseError(f"{files} is no release: its {MANIFEST} does not name its files")
    for name, sha256 in digests.items():
        require_unchanged(files, name, sha256)
    found: dict[str, Any] = manifest
    return found


def n_not_asked_by_batch(manifest: Mapping[str, Any], counted: Mapping[str, int]) -> dict[str, int]:
    """By plausibility batch with a faithfulness batch, the number of silver answers that this did
    not ask about.

    They were adjudicated later, or a sample left them out. `counted` are the numbers by batch that were
    counted when the release was made.
    """
    with_evidence = {batch["pool"]["rule"].get("batch") for batch in manifest["batches"]}
    return {batch: n for batch, n in counted.items() if batch in with_evidence}


def n_not_asked(records: Iterable[Mapping[str, Any]]) -> dict[str, int]:
    """Return the number of silver answers without a faithfulness verdict by batch."""
    answers = (each for record in records for each in record["Truth_answers_alternative"])
    return Counter(
        answer["batch"] for answer in answers if answer["faithful"]["status"] == "not asked"
    )


def require_unchanged(files: ReleaseFiles, name: str, sha256: str) -> None:
    """Raise BrokenReleaseError if the file was changed or cannot be read."""
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


def _members(text: str) -> Iterator[Any]:
    """Yield the members of a JSON list. Raises ValueError where the text is none."""
    decoder, at = json.JSONDecoder(), text.index("[") + 1
    while True:
        between = _BETWEEN.match(text, at)
        at = between.end() if between else at
        if text.startswith("]", at):
            return
        member, at = decoder.raw_decode(text, at)
        yield member


def json_of(files: ReleaseFiles, name: str, contents: bytes) -> Any:
    """Return what the file says. Raises BrokenReleaseError if it is no JSON."""
    try:
        return json.loads(contents.decode("utf-8"))
    except ValueError as error:
        raise BrokenReleaseError(f"{files}/{name} is no JSON: {error}") from error
