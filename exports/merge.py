"""The accepted answers, and the truth with them added.

Two tiers, by how the two questions about an answer ended (words as in `rows.AnswerRow`):

| plausibility  | faithfulness                                           | tier   |
| ------------- | ------------------------------------------------------ | ------ |
| plausible     | faithful                                               | gold   |
| plausible     | not_asked, no_evidence                                 | silver |
| plausible     | unfaithful, irrelevant, disputed                       | none   |
| plausible     | excluded, too_few_judgements, skipped_by_all, unjudged | none   |
| anything else | whatever it is                                         | none   |

Where faithfulness was asked and is not settled, the answer is in neither tier: silver says that nobody
was asked, or had nothing to judge by, and not that the asking came to nothing.

An accepted answer in the extended truth:

    {"answer": text as it was judged (no outer white space),
     "tier": "gold" | "silver",
     "runs": [names of the runs that gave the very text and were drawn from, by code point],
     "plausible": {"verdict", "source", "votes": {label: n}},
     "faithful": {"status": "faithful", "verdict", "source", "votes", "batch"}      where it is gold,
                 {"status": "not asked" | "no evidence"}                            where it is silver,
     "evidence": [{"passage_id", "start", "end", "text"}]      the paragraph of gold, [] for silver,
     "batch": the batch of the plausibility verdict,
     "accepted_at": when the last verdict that it took was given: of gold the later of the two, of
                    silver that of plausibility}

sorted by (gold before silver, answer by code point). The tier is `AnswerRow.tier`; the rest is read
from the item that has the say: `is_newest`, no control and, for faithfulness, one that `stands`.
"""

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from annotation.schemes.faithfulness import SCHEME as FAITHFULNESS
from annotation.schemes.plausibility import SCHEME as PLAUSIBILITY
from exports.rows import AnswerRow, ItemRow
from exports.writers.scai_truth import ALTERNATIVE

TIERS = ("gold", "silver")
GOLD, SILVER = TIERS
WITHOUT_FAITHFULNESS = {"not_asked": "not asked", "no_evidence": "no evidence"}

Turn = tuple[str, Mapping[str, object]]
Record = dict[str, object]


def tier(plausibility: str, faithfulness: str) -> str:
    """gold, silver or "" by the table above."""
    if plausibility != PLAUSIBILITY.accepted:
        return ""
    if faithfulness == FAITHFULNESS.accepted:
        return GOLD
    return SILVER if faithfulness in WITHOUT_FAITHFULNESS else ""


def extended(
    turns: Iterable[Turn],
    items: Iterable[ItemRow],
    answers: Iterable[AnswerRow],
    *,
    tiers: Collection[str],
) -> list[Record]:
    """The truth with the accepted answers of these tiers added.

    `turns` are (turn id, source) in the data set's order; a source is the five truth keys, which come
    out with the same values, or empty for a turn without a truth record, which is left out. Every
    record has the list of accepted answers, which may be empty.

    Raises ValueError where the tables contradict each other: an accepted answer without the verdict
    that makes it one, with two items that have the say, whose rows differ, or in a turn without truth.
    """
    accepted = _accepted(items, answers, tiers)
    told = [(turn_id, source) for turn_id, source in turns if source]
    strange = sorted(accepted.keys() - {turn_id for turn_id, _ in told})
    if strange:
        raise ValueError(f"accepted answers in turns without truth: {', '.join(strange)}")
    return [{**source, ALTERNATIVE: accepted.get(turn_id, [])} for turn_id, source in told]


@dataclass(frozen=True, slots=True)
class _Credit:
    """One accepted answer in the table of answers: what all its rows say, and who gave it."""

    turn_id: str
    tier: str
    faithfulness: str
    runs: tuple[str, ...]


def _accepted(
    items: Iterable[ItemRow], answers: Iterable[AnswerRow], tiers: Collection[str]
) -> dict[str, list[Record]]:
    """The records of each turn's accepted answers, in their order."""
    say = _having_the_say(items)
    found: dict[str, list[Record]] = {}
    for answer_id, credit in _credits(answers, tiers).items():
        found.setdefault(credit.turn_id, []).append(_record(answer_id, credit, say))
    for records in found.values():
        records.sort(key=_place)
    return found


def _place(record: Record) -> tuple[int, str]:
    return TIERS.index(str(record["tier"])), str(record["answer"])


def _credits(answers: Iterable[AnswerRow], tiers: Collection[str]) -> dict[str, _Credit]:
    rows_of: dict[str, list[AnswerRow]] = {}
    for row in answers:
        if row.tier in tiers:
            rows_of.setdefault(row.answer_id, []).append(row)
    return {answer_id: _credit(answer_id, rows) for answer_id, rows in rows_of.items()}


def _credit(answer_id: str, rows: Sequence[AnswerRow]) -> _Credit:
    said = {(row.turn_id, row.tier, row.faithfulness) for row in rows}
    if len(said) > 1:
        raise ValueError(f"the rows of the answer {answer_id!r} differ: {sorted(said)}")
    return _Credit(*said.pop(), runs=tuple(sorted({row.run for row in rows})))


def _having_the_say(items: Iterable[ItemRow]) -> dict[tuple[str, str], ItemRow]:
    """(scheme, answer id) -> the item whose ending counts."""
    say: dict[tuple[str, str], ItemRow] = {}
    for item in items:
        if item.is_control or not item.is_newest or not item.stands:
            continue
        first = say.setdefault((item.scheme, item.answer_id), item)
        if first.item_id != item.item_id:
            raise ValueError(
                f"two items have the say on the {item.scheme} of {item.answer_id!r}:"
                f" {first.item_id}, {item.item_id}"
            )
    return say


def _record(answer_id: str, credit: _Credit, say: Mapping[tuple[str, str], ItemRow]) -> Record:
    plausible = _decided(say.get((PLAUSIBILITY.name, answer_id)), PLAUSIBILITY.accepted, answer_id)
    record: Record = {
        "answer": plausible.answer,
        "tier": credit.tier,
        "runs": list(credit.runs),
        "plausible": _verdict(plausible),
        "batch": plausible.batch,
    }
    if credit.tier == SILVER:
        return record | {
            "faithful": {"status": WITHOUT_FAITHFULNESS[credit.faithfulness]},
            "evidence": [],
            "accepted_at": plausible.decided_at,
        }
    faithful = _decided(say.get((FAITHFULNESS.name, answer_id)), FAITHFULNESS.accepted, answer_id)
    return record | {
        "faithful": {"status": faithful.verdict, **_verdict(faithful), "batch": faithful.batch},
        "evidence": json.loads(faithful.evidence or "[]"),
        # times of one form sort as texts
        "accepted_at": max(plausible.decided_at, faithful.decided_at),
    }


def _decided(item: ItemRow | None, label: str, answer_id: str) -> ItemRow:
    if item is None or item.verdict != label:
        raise ValueError(f"the accepted answer {answer_id!r} has no verdict {label!r}")
    return item


def _verdict(item: ItemRow) -> Record:
    return {
        "verdict": item.verdict,
        "source": item.source,
        "votes": json.loads(item.votes or "{}"),
    }
