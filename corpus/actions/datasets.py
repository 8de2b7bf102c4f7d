"""Bringing a data set in: read and checked as a whole first, written in one transaction after."""

import hashlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from django.db import transaction

from accounts import permissions
from accounts.actions import people
from accounts.models import Role, Study, User
from activity.actions import events
from corpus import digests, tables
from corpus.models import Answer, Conversation, Dataset, Offer, Passage, Run, RunKind, Turn
from corpus.problems import ImportProblems, Problem
from corpus.readers import passages, scai_questions, scai_truth
from corpus.records import (
    DatasetRecords,
    PassageRecord,
    QuestionRecord,
    TurnRecord,
    with_questions,
)

Record = TypeVar("Record")

FORMATS = ("scai",)
REFERENCE_RUN = "reference"


class ChangedError(Exception):
    """There is something else under this name; the message says where it differs."""


@dataclass(frozen=True)
class ReadDataset:
    """A data set as it was read, checked and not written yet."""

    records: DatasetRecords
    files: list[dict[str, Any]]
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True)
class Imported:
    """What became of an import. `created` is False where the same was there already."""

    created: bool
    name: str
    counts: dict[str, int]
    warnings: tuple[str, ...] = ()


def read(
    *,
    truth: Path,
    questions: Path | None = None,
    passages_file: Path | None = None,
    beat: Callable[[], None] = lambda: None,
) -> ReadDataset:
    """Read the files of a data set. `beat` is called between its steps.

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


@transaction.atomic
def save(
    *,
    study: Study,
    name: str,
    read: ReadDataset,
    by: User,
    format: str = "scai",
    licence: str = "",
    citation: str = "",
    as_new_version: bool = False,
) -> Imported:
    """Write a data set that was read.

    The same content again changes nothing and says so, but for licence and citation, which are no
    content: what is said of them now holds from now on. Other content under the same name is refused
    with the difference (ChangedError) unless it is to be the next version. Raises ValidationError where
    the data set cannot be called so.
    """
    permissions.require(by, study, Role.REQUESTER)
    people.lock(study)
    digest = digests.digest(read.records.records)
    newest = study.datasets.filter(name=name).order_by("-version").first()
    if newest is not None and newest.digest == digest:
        said_now = _say_anew(newest, {"licence": licence, "citation": citation}, by)
        return Imported(
            created=False,
            name=str(newest),
            counts=_counts(newest),
            warnings=(*read.warnings, *said_now),
        )
    if newest is not None and not as_new_version:
        difference = digests.difference(
            tables.dataset_records(newest).records, read.records.records
        )
        raise ChangedError(
            f"the study {study.slug} has another dataset {newest}: {difference}."
            " Import it under another name, or as the next version (--new-version)"
        )
    dataset = Dataset(
        study=study,
        name=name,
        version=newest.version + 1 if newest else 1,
        format=format,
        licence=licence,
        citation=citation,
        digest=digest,
        files=read.files,
        created_by=by,
    )
    dataset.full_clean(exclude=["files", "study"])
    dataset.save()
    turns = _write_turns(dataset, read.records.turns)
    _write_references(dataset, read.records.turns, turns, by)
    _write_passages(dataset, read.records.passages, turns)
    counts = _counts(dataset)
    events.record(study=study, by=by, verb="imported", target=dataset, digest=digest, **counts)
    return Imported(created=True, name=str(dataset), counts=counts, warnings=read.warnings)


def _say_anew(dataset: Dataset, about: dict[str, str], by: User) -> tuple[str, ...]:
    """Write what is said of the data set now and was not before. Releases keep what they were made with."""
    changed = {
        field: text for field, text in about.items() if text and text != getattr(dataset, field)
    }
    if not changed:
        return ()
    before = {field: getattr(dataset, field) for field in changed}
    for field, text in changed.items():
        setattr(dataset, field, text)
    dataset.full_clean(exclude=["files", "study"])
    dataset.save(update_fields=list(changed))
    events.record(
        study=dataset.study, by=by, verb="described", target=dataset, before=before, **changed
    )
    return tuple(
        f"its {field} is now {text}, and was {before[field] or 'not said'}"
        for field, text in changed.items()
    )


def _counts(dataset: Dataset) -> dict[str, int]:
    return {
        "n_conversations": dataset.conversations.count(),
        "n_turns": Turn.objects.of(dataset).count(),
        "n_references": Answer.objects.references(dataset).count(),
        "n_passages": dataset.passages.count(),
    }


def _write_turns(dataset: Dataset, records: Iterable[TurnRecord]) -> dict[str, Turn]:
    records = list(records)
    keys = dict.fromkeys(record.conversation for record in records)
    conversations = Conversation.objects.bulk_create(
        Conversation(dataset=dataset, key=key, position=position)
        for position, key in enumerate(keys)
    )
    by_key = {conversation.key: conversation for conversation in conversations}
    turns = Turn.objects.bulk_create(
        Turn(
            conversation=by_key[record.conversation],
            number=record.number,
            question=record.question,
            rewrite=record.rewrite,
            truth_passages=list(record.truth_passages),
            source=record.source,
        )
        for record in records
    )
    return {record.turn_id: turn for record, turn in zip(records, turns, strict=True)}


def _write_references(
    dataset: Dataset, records: Iterable[TurnRecord], turns: dict[str, Turn], by: User
) -> None:
    """The references are a run, so that one code serves them; a turn without truth has no row."""
    texts = {record.turn_id: record.reference for record in records if record.reference.strip()}
    digest = hashlib.sha256(dataset.digest.encode()).hexdigest()
    run = Run.objects.create(
        dataset=dataset,
        name=REFERENCE_RUN,
        kind=RunKind.REFERENCE,
        digest=digest,
        answers_digest=digest,
        n_answers=len(texts),
        created_by=by,
    )
    Answer.objects.bulk_create(
        Answer(run=run, turn=turns[turn_id], text=text) for turn_id, text in texts.items()
    )


def _write_passages(
    dataset: Dataset, records: Iterable[PassageRecord], turns: dict[str, Turn]
) -> None:
    first = {record.docid: record for record in reversed(list(records))}
    in_order = dict.fromkeys(record.docid for record in records)
    stored = write_passages(dataset, [first[docid] for docid in in_order])
    n_offered: dict[str, int] = {}
    offers = []
    for record in records:
        if record.turn_id is not None:
            position = n_offered[record.turn_id] = n_offered.get(record.turn_id, -1) + 1
            offers.append(
                Offer(turn=turns[record.turn_id], passage=stored[record.docid], position=position)
            )
    Offer.objects.bulk_create(offers)


def write_passages(dataset: Dataset, records: Iterable[PassageRecord]) -> dict[str, Passage]:
    written = Passage.objects.bulk_create(
        Passage(dataset=dataset, docid=record.docid, text=record.text, url=record.url)
        for record in records
    )
    return {passage.docid: passage for passage in written}
