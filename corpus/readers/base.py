"""Definition of import formats.

A format is one module of this folder: its FORMAT reads the files of a data set, its RUN_FORMAT a
file of a run. `corpus.formats` finds them.
"""

import dataclasses
import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from corpus import digests
from corpus.records import AnswerRecord, DatasetRecords

Beat = Callable[[], None]
File = TypeVar("File")
# A question that is no turn of a conversation is a conversation of one.
TURN_NUMBER = 1


@dataclass(frozen=True)
class ReadDataset:
    """A data set that was read and checked, but not written.

    release       the release whose accepted answers it has, empty for other data sets
    format        the format of a version that the accepted answers were added to, where it is not that of the files
    known_digest  a digest in place of that of the records
    """

    records: DatasetRecords
    files: list[dict[str, Any]]
    warnings: tuple[str, ...] = ()
    release: Mapping[str, Any] = dataclasses.field(default_factory=dict)
    format: str = ""
    known_digest: str = ""

    @property
    def digest(self) -> str:
        return self.known_digest or digests.digest(self.records.records)


@dataclass(frozen=True, kw_only=True)
class Part:
    """A file of a data set, or several of one kind.

    name        of the form's field; except for the first part also of the command's option
    help_text   contents of such a file, for the page
    example     the beginning of such a file, in three lines
    metavar, option_help  the same for the command. The first part has no option: its option_help
                completes "the turns with their references:"
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
    """A format of data sets.

    name   the value of --format, in the address of the import page, and of a stored data set
    title  on the page and in messages
    is_folder  whether the command takes a folder with a file for each part, which is called as the part's label
    has_types  whether its questions have types, to which an import can be limited
    read   reads the files by key (`by_key`) and calls the function that it is given between its steps.
           Raises ImportProblems with every problem of every file, or, if each is valid by itself,
           with every problem between them
    """

    name: str
    title: str
    parts: tuple[Part, ...]
    is_folder: bool = False
    has_types: bool = False
    read: Callable[[Mapping[str, Path], Beat], ReadDataset]

    def by_key(self, files_of_part: Mapping[str, Sequence[File]]) -> dict[str, File]:
        """Return the files by their key in a job: the part, or its position among several."""
        found: dict[str, File] = {}
        for part in self.parts:
            files = files_of_part.get(part.name, ())
            places = range(1, len(files) + 1)
            keys = [f"file {place}" for place in places] if part.is_several else [part.name]
            found |= zip(keys, files, strict=False)
        return found


def in_places(files: Mapping[str, Path]) -> list[Path]:
    """Return the files of a part of several, in their order."""
    return [files[key] for key in sorted(files, key=lambda key: int(key.removeprefix("file ")))]


@dataclass(frozen=True, kw_only=True)
class RunFormat:
    """A format of runs.

    read        returns the answers, or raises ImportProblems with every problem of the file
    unit        name of a record of the file in problems
    turn_field  field that names the turn
    is_of       tells by its beginning whether a file has this format
    help_text   contents of such a file
    suffix      of the name of such a file, as it is written
    holds       tells whether such a file can say all of an answer
    write       yields the text of a file that `read` makes the same answers of, if it holds them
    """

    read: Callable[[Path], tuple[AnswerRecord, ...]]
    unit: str
    turn_field: str
    is_of: Callable[[Path], bool]
    help_text: str
    suffix: str
    holds: Callable[[AnswerRecord], bool]
    write: Callable[[Iterable[AnswerRecord]], Iterator[str]]


def describe(path: Path) -> dict[str, Any]:
    """Return the file's entry in a manifest."""
    with path.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    return {"name": path.name, "sha256": digest, "n_bytes": path.stat().st_size}


def truth_of_question(
    key: str, question: str, docids: Sequence[str], reference: str
) -> dict[str, object]:
    """Return the truth in the shared task's form: releases of all formats are built and scored alike."""
    return {
        "Conversation_no": key,
        "Turn_no": TURN_NUMBER,
        "Truth_rewrite": question,
        "Truth_passages": list(docids),
        "Truth_answer": reference,
    }
