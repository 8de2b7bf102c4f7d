"""Which accepted answers are sentences that were extracted from evidence."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from exports.verification.per_run import EXTRACTED
from exports.verification.tables import Rows

EXTRACTED_FROM = "extracted_from"
AcceptedByTurn = Mapping[str, Sequence[Mapping[str, Any]]]


def passages_of(rows: Rows) -> dict[str, list[str]]:
    """Where a run of extracted sentences gave the answer of these rows, the passages that it was extracted from."""
    sentences = [row for row in rows if row["kind"] == EXTRACTED]
    passages = sorted({row["passage_id"] for row in sentences} - {""})
    return {EXTRACTED_FROM: passages} if sentences else {}


def names_no_passages(written: AcceptedByTurn, computed: AcceptedByTurn) -> bool:
    """Whether the release was made before accepted answers named the passages of extracted sentences."""
    return _has_passages(computed) and not _has_passages(written)


def _has_passages(accepted: AcceptedByTurn) -> bool:
    return any(EXTRACTED_FROM in each for answers in accepted.values() for each in answers)


def without_passages(answers: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    return [{key: each[key] for key in each if key != EXTRACTED_FROM} for each in answers]


def with_passages_by_run(accepted: AcceptedByTurn, rows: Rows) -> dict[str, list[dict[str, Any]]]:
    """The answers with their passages as such a release took them: silver ones that only runs of sentences gave."""
    runs = {row["run"] for row in rows if row["kind"] == EXTRACTED}
    passages = {
        (row["turn_id"], row["answer"].strip()): row["passage_id"]
        for row in rows
        if row["sampled"] == "drawn" and row["passage_id"]
    }
    found: dict[str, list[dict[str, Any]]] = {}
    for turn, answers in accepted.items():
        for each in answers:
            is_sentence = each["tier"] == "gold" or runs.issuperset(each["runs"])
            passage = passages.get((turn, each["answer"]))
            named = {EXTRACTED_FROM: [passage] if passage else []} if is_sentence else {}
            found.setdefault(turn, []).append({**each, **named})
    return found
