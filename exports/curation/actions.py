"""The next version of a data set, from a batch in which its questions were curated."""

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from accounts import permissions
from accounts.errors import ActionError
from accounts.models import Role, User
from annotation import curating
from annotation.models import Batch, BatchState
from annotation.schemes import SchemeRole, get
from audit import events
from corpus import clapnq
from corpus import queries as corpus_queries
from corpus.actions import datasets
from corpus.actions.datasets import ImportResult
from corpus.models import Dataset
from corpus.readers.base import ReadDataset
from corpus.records import DatasetRecords, TurnRecord
from exports.curation import files, queries
from exports.curation.queries import DISPUTED, Curated
from exports.releases.preconditions import obstacle


class CurationError(ActionError):
    """The batch has no curated questions, or no next version can be made of them; the message says why."""


def require_curation(batch: Batch) -> None:
    """Raise CurationError unless questions are curated in the batch."""
    if get(batch.scheme).role != SchemeRole.CURATION:
        raise CurationError(
            f"no questions are curated in the batch {batch.name}: it asks {batch.scheme}"
        )
    if batch.state == BatchState.DRAFT:
        raise CurationError(f"the batch {batch.name} is a draft: nobody has judged anything in it")


def export(*, batch: Batch, out: Path, by: User) -> list[str]:
    """Write the files of the batch into a new folder, and return their names. Raises CurationError and ReleaseError."""
    permissions.require(by, batch.study, Role.REQUESTER)
    require_curation(batch)
    return files.write(batch, out)


def objection(batch: Batch) -> str:
    """Why no next version can be made of the batch now; "" if it can."""
    if batch.withdrawn_objection:
        return batch.withdrawn_objection
    if batch.is_rehearsal:
        return f"the batch {batch.name} is a rehearsal: nobody has decided anything"
    if batch.state != BatchState.CLOSED:
        return f"the batch {batch.name} is {batch.state}: close and settle it first"
    if found := obstacle(batch):
        return found.of(f"the batch {batch.name}")
    n = sum(each.outcome == DISPUTED for each in queries.curated(batch))
    if n:
        what = "1 question is" if n == 1 else f"{n} questions are"
        return f"{what} in dispute: an adjudicator decides first"
    return ""


def make_next_version(*, batch: Batch, by: User) -> ImportResult:
    """Write the next version of the batch's data set: with the texts as decided, without the rejected questions.

    What was not asked or was set aside stays as it was. Made again, it changes nothing. Raises CurationError.
    """
    permissions.require(by, batch.study, Role.REQUESTER)
    require_curation(batch)
    if why_not := objection(batch):
        raise CurationError(why_not)
    dataset = batch.pool.dataset
    read = _curated_dataset(batch, dataset)
    _require_newest(dataset, read)
    result = datasets.save(
        study=batch.study,
        name=dataset.name,
        read=read,
        by=by,
        format=dataset.format,
        as_new_version=True,
    )
    events.record(
        study=batch.study, by=by, verb="made a version", target=batch, version=result.name
    )
    return result


def _require_newest(dataset: Dataset, read: ReadDataset) -> None:
    """Raise CurationError if a later version is there that is not the one to be made."""
    others = Dataset.objects.counting().filter(study=dataset.study_id, name=dataset.name)
    newest = others.order_by("-version").first()
    if newest is not None and newest.version > dataset.version and newest.digest != read.digest:
        raise CurationError(
            f"the questions were drawn from {dataset}, and there is {newest} by now: curate that one"
        )


def _curated_dataset(batch: Batch, dataset: Dataset) -> ReadDataset:
    records = corpus_queries.dataset_records(dataset)
    decided = {each.turn.key: each for each in queries.curated(batch)}
    turns = tuple(
        _curated_turn(turn, decided.get(turn.turn_id), batch, dataset.format)
        for turn in records.turns
        if not _is_rejected(decided.get(turn.turn_id))
    )
    if not turns:
        raise CurationError(
            "every question is rejected: there is no next version without questions"
        )
    left = {turn.turn_id for turn in turns}
    passages = tuple(
        each for each in records.passages if each.turn_id is None or each.turn_id in left
    )
    return ReadDataset(DatasetRecords(turns, passages), list(dataset.files))


def _is_rejected(each: Curated | None) -> bool:
    return each is not None and each.outcome == curating.REJECTED


def _curated_turn(
    turn: TurnRecord, each: Curated | None, batch: Batch, dataset_format: str
) -> TurnRecord:
    """The turn with its texts and its type as they were decided; itself where nothing was changed."""
    if each is None or each.texts is None:
        return turn
    own_type = each.original_type
    changed = {
        field: text for field, text in each.texts.items() if text != each.original.get(field, "")
    }
    if each.type != own_type:
        changed["type"] = each.type
    if not changed:
        return turn
    question = changed.get("question")
    wording = "rewrite" if turn.rewrite.strip() else "question"
    answer = changed.get("answer", turn.reference)
    source = dict(turn.source)
    if source and question is not None:
        source["Truth_rewrite"] = question
    if source:
        source["Truth_answer"] = answer
    return replace(
        turn,
        **({wording: question} if question is not None else {}),
        reference=answer,
        source=source,
        record=_curated_line(turn.record, changed, dataset_format),
        meta=_curated_meta(turn.meta, each, changed, batch),
    )


def _curated_meta(
    meta: Mapping[str, Any], each: Curated, changed: Mapping[str, str], batch: Batch
) -> dict[str, Any]:
    """The metadata of the turn, with what was decided, by whom, why, and what it was before."""
    row = queries.rows(batch, [each])[0]
    found = {
        **meta,
        "curation": {
            "batch": batch.name,
            "outcome": each.outcome,
            "decided_by": row.decided_by,
            "annotators": sorted(each.responses),
            "why": row.why,
            "reason": row.reason,
            "before": {**each.original, "type": each.original_type},
        },
    }
    if "proof" in changed:
        found |= {"proof": changed["proof"], "proof_status": row.proof_place}
    if "type" in changed:
        found["type"] = changed["type"]
    return found


def _curated_line(line: str, changed: Mapping[str, str], dataset_format: str) -> str:
    """The line of a format that is written back as it was read, with the changed texts."""
    if not line:
        return ""
    if dataset_format == "clapnq":
        record = clapnq.record_of(line)
        if "question" in changed:
            record["input"] = changed["question"]
        if "answer" in changed:
            first = next(each for each in record["output"] if (each.get("answer") or "").strip())
            first["answer"] = changed["answer"]
        return clapnq.line_of(record)
    return json.dumps({**json.loads(line), **changed}, ensure_ascii=False)
