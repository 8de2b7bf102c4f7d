"""The records of the next version of a data set, from a batch in which its questions were curated."""

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from annotation import curating
from annotation.models import Batch
from corpus import clapnq
from corpus import queries as corpus_queries
from corpus.readers.base import ReadDataset
from corpus.records import DatasetRecords, TurnRecord
from exports.curation import queries
from exports.curation.queries import Curated


def curated_dataset(batch: Batch) -> ReadDataset:
    """The records of the next version. It has no turns where every question of the data set is rejected.

    Accepted answers of a release come along by corpus.actions.carried_answers.
    """
    dataset = batch.pool.dataset
    records = corpus_queries.dataset_records(dataset)
    decided = {each.turn.key: each for each in queries.curated(batch)}
    turns = tuple(
        _curated_turn(replace(turn, accepted=()), decided.get(turn.turn_id), batch, dataset.format)
        for turn in records.turns
        if not _is_rejected(decided.get(turn.turn_id))
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
    changed = {
        field: text for field, text in each.texts.items() if text != each.original.get(field, "")
    }
    if each.type != each.original_type:
        changed["type"] = each.type
    if not changed:
        return turn
    # People saw the wording that stands alone.
    question = changed.get("question", turn.rewrite if turn.rewrite.strip() else turn.question)
    answer = changed.get("answer", turn.reference)
    truth = {
        name: text
        for field, name, text in (
            ("question", "Truth_rewrite", question),
            ("answer", "Truth_answer", answer),
        )
        if field in changed
    }
    return replace(
        turn,
        question=turn.question if turn.rewrite.strip() else question,
        rewrite=question if turn.rewrite.strip() else turn.rewrite,
        reference=answer,
        source={**turn.source, **truth} if turn.source else {},
        record=curated_line(turn.record, changed, dataset_format),
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


def curated_line(line: str, changed: Mapping[str, str], dataset_format: str) -> str:
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
