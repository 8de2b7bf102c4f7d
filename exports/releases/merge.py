"""The accepted answers, and the truth with them added.

Two tiers, by how the two questions about an answer ended (words as in `exports.rows.columns.AnswerRow`):

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

    {"answer": the text as it was judged,
     "tier": "gold" | "silver",
     "runs": [the runs that gave the very text, by code point],
     "plausible": {"verdict", "source", "votes": {label: n}},
     "faithful": {"status": "faithful", "source", "votes": {label: n}, "batch"}    of gold,
                 {"status": "not asked" | "no evidence"}                           of silver,
     "evidence": [{"passage_id", "start", "end", "text"}]: the paragraph of gold, [] of silver,
     "batch": the batch of the plausibility verdict,
     "accepted_at": when the verdict that completed it was given: of gold the later of the two, of
                    silver that of plausibility}

sorted by (gold before silver, answer by code point). Tier, runs and status come from the answers' rows,
the rest from the items that have the say: `is_newest`, `stands`, and no control.
"""

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from annotation.schemes import ACCEPTANCE, GROUNDING
from exports.rows.columns import AnswerRow, ItemRow
from exports.rows.tiers import SILVER, SILVER_STATUS

ALTERNATIVE = "Truth_answers_alternative"

TurnSource = tuple[str, Mapping[str, object]]
Record = dict[str, object]


def extended(
    turn_sources: Iterable[TurnSource],
    items: Iterable[ItemRow],
    answers: Iterable[AnswerRow],
    *,
    tiers: Collection[str],
) -> list[Record]:
    """The truth with the accepted answers of these tiers added, in the order of the turns.

    A source is the five truth keys, which come out with the same values, or empty for a turn without a
    truth record, which is left out. Every record has the list of accepted answers, which may be empty.

    Raises ValueError where the tables contradict each other: an accepted answer without the verdict
    that makes it one, with two items that have the say, with rows that differ, or in a turn without a
    truth record.
    """
    accepted = _accepted(items, answers, tiers)
    told = [(turn_id, source) for turn_id, source in turn_sources if source]
    strange = sorted(accepted.keys() - {turn_id for turn_id, _ in told})
    if strange:
        raise ValueError(f"accepted answers in turns without truth: {', '.join(strange)}")
    return [{**source, ALTERNATIVE: accepted.get(turn_id, [])} for turn_id, source in told]


@dataclass(frozen=True, slots=True)
class _Accepted:
    """What all the rows of an accepted answer say of it, and who gave it."""

    answer_id: str
    turn_id: str
    tier: str
    faithfulness: str
    runs: tuple[str, ...]


def _accepted(
    items: Iterable[ItemRow], answers: Iterable[AnswerRow], tiers: Collection[str]
) -> dict[str, list[Record]]:
    """The records of each turn's accepted answers, in their order."""
    with_say = _with_say(items)
    records: dict[str, list[Record]] = {}
    for each in _of_tiers(answers, tiers):
        records.setdefault(each.turn_id, []).append(_record(each, with_say))
    for of_turn in records.values():
        # the tiers' names happen to sort as the tiers do
        of_turn.sort(key=lambda record: (record["tier"], record["answer"]))
    return records


def _of_tiers(answers: Iterable[AnswerRow], tiers: Collection[str]) -> list[_Accepted]:
    rows_of: dict[str, list[AnswerRow]] = {}
    for row in answers:
        if row.tier in tiers:
            rows_of.setdefault(row.answer_id, []).append(row)
    return [_one(answer_id, rows) for answer_id, rows in rows_of.items()]


def _one(answer_id: str, rows: Sequence[AnswerRow]) -> _Accepted:
    said = {(row.turn_id, row.tier, row.faithfulness) for row in rows}
    if len(said) > 1:
        raise ValueError(f"the rows of the answer {answer_id} differ: {sorted(said)}")
    return _Accepted(answer_id, *said.pop(), runs=tuple(sorted({row.run for row in rows})))


def _with_say(items: Iterable[ItemRow]) -> dict[tuple[str, str], ItemRow]:
    """(scheme, answer id) -> the item whose ending counts."""
    found: dict[tuple[str, str], ItemRow] = {}
    for item in items:
        if item.is_control or not (item.is_newest and item.stands):
            continue
        first = found.setdefault((item.scheme, item.answer_id), item)
        if first is not item:
            raise ValueError(
                f"two items have the say on the {item.scheme} of the answer {item.answer_id}:"
                f" {first.item_id} and {item.item_id}"
            )
    return found


def _record(each: _Accepted, with_say: Mapping[tuple[str, str], ItemRow]) -> Record:
    plausible = _decided(with_say, ACCEPTANCE.name, ACCEPTANCE.accepted, each.answer_id)
    record: Record = {
        "answer": plausible.answer,
        "tier": each.tier,
        "runs": list(each.runs),
        "plausible": {"verdict": plausible.verdict, **_made_from(plausible)},
        "faithful": {"status": SILVER_STATUS.get(each.faithfulness)},
        "evidence": [],
        "batch": plausible.batch,
        "accepted_at": plausible.decided_at,
    }
    if each.tier == SILVER:
        return record
    faithful = _decided(with_say, GROUNDING.name, GROUNDING.accepted, each.answer_id)
    return record | {
        "faithful": {
            "status": faithful.verdict,
            **_made_from(faithful),
            "batch": faithful.batch,
        },
        "evidence": [_piece(span) for span in json.loads(faithful.evidence or "[]")],
        # times of one form sort as texts
        "accepted_at": max(plausible.decided_at, faithful.decided_at),
    }


def _decided(
    with_say: Mapping[tuple[str, str], ItemRow], scheme: str, label: str, answer_id: str
) -> ItemRow:
    item = with_say.get((scheme, answer_id))
    if item is None or item.verdict != label:
        raise ValueError(f"the accepted answer {answer_id} has no verdict {label!r}")
    return item


def _piece(span: Mapping[str, object]) -> Record:
    """What was shown, and where it stands; how it was found is in the items' rows."""
    return {key: span[key] for key in ("passage_id", "start", "end", "text")}


def _made_from(item: ItemRow) -> Record:
    return {"source": item.source, "votes": json.loads(item.votes)}
