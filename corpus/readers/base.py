"""What an import format is. A format is one module of this folder: its FORMAT reads the files of a data set, its
RUN_FORMAT a file of a run. `corpus.formats` finds them.
"""

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from corpus.records import AnswerRecord, DatasetRecords

Beat = Callable[[], None]
File = TypeVar("File")


@dataclass(frozen=True)
class ReadDataset:
    """A data set as it was read, checked and not written yet."""

    records: DatasetRecords
    files: list[dict[str, Any]]
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Part:
    """A file of a data set, or several alike.

    name        of the field that asks for it; of all but a format's first part also that of the command's option
    help_text   what stands in such a file, for the page
    example     the beginning of such a file, in three lines
    metavar, option_help  the same for the command. Of the first part, which the command takes without an option,
                the latter completes "the turns with their references:"
    """

    name: str
    label: str
    help_text: str
    example: str
    is_required: bool = True
    is_several: bool = False
    metavar: str = ""
    option_help: str


@dataclass(frozen=True, kw_only=True)
class DatasetFormat:
    """name   after --format, in the address of the import page, and of a stored data set
    title  on the page and in messages
    read   reads the files by their keys (`by_key`) and calls the function that it is given between its steps.
           Raises ImportProblems with every problem of every file, or, where each is sound by itself, with
           every problem between them
    """

    name: str
    title: str
    parts: tuple[Part, ...]
    read: Callable[[Mapping[str, Path], Beat], ReadDataset]

    def by_key(self, given: Mapping[str, Sequence[File]]) -> dict[str, File]:
        """The files of each part by what they are called in a job: the part, or their place among several."""
        found: dict[str, File] = {}
        for part in self.parts:
            files = given.get(part.name, ())
            places = range(1, len(files) + 1)
            keys = [f"file {place}" for place in places] if part.is_several else [part.name]
            found |= zip(keys, files, strict=False)
        return found


def in_places(files: Mapping[str, Path]) -> list[Path]:
    """The files of a part of several, in their order."""
    return [files[key] for key in sorted(files, key=lambda key: int(key.removeprefix("file ")))]


@dataclass(frozen=True, kw_only=True)
class RunFormat:
    """read        gives the answers, or raises ImportProblems with every problem of the file
    unit        what a record of the file is called in problems
    turn_field  the field that names the turn
    is_of       whether a file is of this format, by its beginning
    help_text   what stands in such a file
    """

    read: Callable[[Path], tuple[AnswerRecord, ...]]
    unit: str
    turn_field: str
    is_of: Callable[[Path], bool]
    help_text: str


def describe(path: Path) -> dict[str, Any]:
    """A file as it stands in a manifest."""
    with path.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    return {"name": path.name, "sha256": digest, "n_bytes": path.stat().st_size}
