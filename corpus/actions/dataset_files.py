"""Reading the files of a data set, of one format or another, and checking them against each other."""

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from corpus import digests
from corpus.problems import ImportProblems, Problem, shown
from corpus.readers import clapnq as clapnq_lines
from corpus.readers import passages, scai_questions, scai_truth
from corpus.records import (
    DatasetRecords,
    PassageRecord,
    QuestionRecord,
    TurnRecord,
    with_questions,
)

Record = TypeVar("Record")

SCAI = "scai"
CLAPNQ = "clapnq"
FORMATS = (SCAI, CLAPNQ)
# What the files of the shared task's format are called; of CLAP-NQ's there are any number.
PARTS = ("truth", "questions", "passages")


@dataclass(frozen=True)
class ReadDataset:
    """A data set as it was read, checked and not written yet."""

    records: DatasetRecords
    files: list[dict[str, Any]]
    warnings: tuple[str, ...] = ()


def of_format(
    *, format: str, files: Mapping[str, Path], beat: Callable[[], None] = lambda: None
) -> ReadDataset:
    """Read files by what they are: `truth`, `questions` and `passages`, or, of CLAP-NQ, by their places."""
    if format == CLAPNQ:
        return clapnq(paths=[files[part] for part in sorted(files, key=_place)], beat=beat)
    return scai(
        truth=files["truth"],
        questions=files.get("questions"),
        passages_file=files.get("passages"),
        beat=beat,
    )


def part_of_several(place: int) -> str:
    """What a file is called by its place, from 1, where a format has several of one kind."""
    return f"file {place}"


def _place(part: str) -> int:
    return int(part.removeprefix("file "))


def clapnq(*, paths: Sequence[Path], beat: Callable[[], None] = lambda: None) -> ReadDataset:
    """Read files of CLAP-NQ, parts of one data set, each called by its name. Raises as scai() does."""
    wrong = list(_of_one_name(paths))
    parts: list[DatasetRecords] = []
    for path in paths:
        try:
            parts.append(clapnq_lines.read(path))
        except ImportProblems as problems:
            wrong += problems.problems
        beat()
    if wrong := wrong or list(_asked_twice(parts)):
        raise ImportProblems(wrong)
    turns = tuple(turn for part in parts for turn in part.turns)
    offered = tuple(passage for part in parts for passage in part.passages)
    return ReadDataset(DatasetRecords(turns, offered), [describe(path) for path in paths])


def _of_one_name(paths: Sequence[Path]) -> Iterator[Problem]:
    """The parts of a data set are told apart, and written back, by their files' names."""
    names = [path.name for path in paths]
    for name in dict.fromkeys(name for name in names if names.count(name) > 1):
        message = "is the name of two files: a part of a data set is called after its file"
        yield Problem(name, "line", None, "", "", message)


def _asked_twice(parts: Iterable[DatasetRecords]) -> Iterator[Problem]:
    first: dict[str, TurnRecord] = {}
    for turn in (turn for part in parts for turn in part.turns):
        known = first.setdefault(turn.turn_id, turn)
        if known is not turn:
            message = f"is already in line {known.index} of {known.part}"
            yield Problem(turn.part, "line", turn.index, "id", shown(turn.conversation), message)


def scai(
    *,
    truth: Path,
    questions: Path | None = None,
    passages_file: Path | None = None,
    beat: Callable[[], None] = lambda: None,
) -> ReadDataset:
    """Read the files of a data set of the shared task. `beat` is called between its steps.

    Raises ImportProblems with every problem of every file, or, where each is sound by itself, with
    every problem between them.
    """
    wrong: list[Problem] = []
    turns = _sound(scai_truth.read, truth, wrong)
    beat()
    asked = _sound(scai_questions.read, questions, wrong) if questions is not None else None
    offered = _sound(passages.read, passages_file, wrong) if passages_file is not None else ()
    beat()
    if wrong:
        raise ImportProblems(wrong)
    warnings = () if asked is None else _not_asked(turns, asked)
    turns = with_questions(turns, asked or ())
    problems = [
        *_without_question(turns, truth.name, questions.name if questions else ""),
        *_on_other_turns(offered, turns, passages_file.name if passages_file else ""),
    ]
    if problems:
        raise ImportProblems(problems)
    files = [describe(path) for path in (truth, questions, passages_file) if path is not None]
    return ReadDataset(DatasetRecords(turns, offered), files, warnings)


def _sound(
    read: Callable[[Path], tuple[Record, ...]], path: Path, wrong: list[Problem]
) -> tuple[Record, ...]:
    """What the file tells. Where it is not sound, nothing, and its problems stand in `wrong`."""
    try:
        return read(path)
    except ImportProblems as problems:
        wrong += problems.problems
        return ()


def describe(path: Path) -> dict[str, Any]:
    """A file as it stands in a manifest."""
    with path.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    return {"name": path.name, "sha256": digest, "n_bytes": path.stat().st_size}


def _not_asked(turns: Iterable[TurnRecord], asked: Iterable[QuestionRecord]) -> tuple[str, ...]:
    """A questions file may be a part of the truth's; that it is one is said."""
    known = {question.turn_id for question in asked if question.question}
    missing = [turn.turn_id for turn in turns if turn.turn_id not in known]
    if not missing:
        return ()
    return (
        f"{len(missing)} turns of the truth have no question in the questions file:"
        f" {digests.named(missing)}",
    )


def _without_question(turns: Iterable[TurnRecord], truth: str, questions: str) -> Iterator[Problem]:
    for turn in turns:
        if not (turn.rewrite or turn.question):
            file, field = (truth, "Truth_rewrite") if turn.source else (questions, "Question")
            message = "has neither rewrite nor question"
            yield Problem(file, "record", turn.index, field, turn.turn_id, message)


def _on_other_turns(
    offered: Iterable[PassageRecord], turns: Iterable[TurnRecord], file: str
) -> Iterator[Problem]:
    known = {turn.turn_id for turn in turns}
    for each in offered:
        if each.turn_id is not None and each.turn_id not in known:
            message = "is not a turn of the data set"
            yield Problem(file, "row", each.index, "turn_id", each.turn_id, message)
