"""Bringing a data set in: read and checked as a whole first, written in one transaction after."""

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.db import transaction

from accounts.actions import people
from accounts.models import Study, User
from activity.actions import events
from corpus import digests, tables
from corpus.models import Answer, Conversation, Dataset, Offer, Passage, Run, RunKind, Turn
from corpus.problems import ImportProblems, Problem
from corpus.readers import passages, scai_questions, scai_truth
from corpus.records import DatasetRecords, PassageRecord, TurnRecord, with_questions

FORMATS = ("scai",)
REFERENCE_RUN = "reference"


class ChangedError(Exception):
    """There is something else under this name; the message says where it differs."""


@dataclass(frozen=True)
class ReadDataset:
    """A data set as it was read, checked and not written yet."""

    records: DatasetRecords
    files: list[dict[str, Any]]


@dataclass(frozen=True)
class Imported:
    """What became of an import. `created` is False where the same was there already."""

    created: bool
    name: str
    counts: dict[str, int]
    warnings: tuple[str, ...] = ()


def read(
    *, truth: Path, questions: Path | None = None, passages_file: Path | None = None
) -> ReadDataset:
    """Read the files of a data set. Raises ImportProblems with every problem of a file."""
    turns = scai_truth.read(truth)
    if questions is not None:
        turns = with_questions(turns, scai_questions.read(questions))
    _require_questions(turns, truth.name)
    offered = passages.read(passages_file) if passages_file is not None else ()
    if passages_file is not None:
        _require_turns(offered, turns, passages_file.name)
    files = [describe(path) for path in (truth, questions, passages_file) if path is not None]
    return ReadDataset(DatasetRecords(turns, offered), files)


def describe(path: Path) -> dict[str, Any]:
    """A file as it stands in a manifest."""
    with path.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    return {"name": path.name, "sha256": digest, "n_bytes": path.stat().st_size}


def _require_questions(turns: Iterable[TurnRecord], file: str) -> None:
    _refuse(
        Problem(
            file, "turn", None, "Truth_rewrite", turn.turn_id, "has neither rewrite nor question"
        )
        for turn in turns
        if not (turn.rewrite.strip() or turn.question.strip())
    )


def _require_turns(
    offered: Iterable[PassageRecord], turns: Iterable[TurnRecord], file: str
) -> None:
    known = {turn.turn_id for turn in turns}
    unknown = dict.fromkeys(
        each.turn_id for each in offered if each.turn_id is not None and each.turn_id not in known
    )
    _refuse(
        Problem(file, "turn", None, "turn_id", turn_id, "is not a turn of the data set")
        for turn_id in unknown
    )


def _refuse(problems: Iterable[Problem]) -> None:
    found = list(problems)
    if found:
        raise ImportProblems(found)


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

    The same content again changes nothing and says so. Other content under the same name is refused
    with the difference (ChangedError) unless it is to be the next version.
    """
    people.lock(study)
    digest = digests.digest(read.records.records)
    newest = study.datasets.filter(name=name).order_by("-version").first()
    if newest is not None and newest.digest == digest:
        return Imported(created=False, name=str(newest), counts=_counts(newest))
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
    return Imported(created=True, name=str(dataset), counts=counts)


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
