"""The extended truth: the truth with the accepted answers added.

The tier of an answer by its outcomes (words as in `exports.rows.columns.AnswerRow`):

| plausibility  | faithfulness                                           | tier   |
| ------------- | ------------------------------------------------------ | ------ |
| plausible     | faithful                                               | gold   |
| plausible     | not_asked, no_evidence                                 | silver |
| plausible     | unfaithful, irrelevant, disputed                       | none   |
| plausible     | excluded, too_few_judgements, skipped_by_all, unjudged | none   |
| anything else | any                                                    | none   |

An answer whose faithfulness was asked and is not settled has no tier: an answer is silver if its
faithfulness was not asked, or had no evidence to judge by.

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
                    silver that of plausibility,
     "extracted_from": [the passages, by code point]     only of what a run of extracted sentences gave}

sorted by (gold before silver, answer by code point). Tier, runs and status come from the rows of
answers, the rest from the deciding items: `is_newest`, `stands`, and not control items.

Of a version that has read an earlier release its accepted answers are there too, as they were, unless
people have decided about them here.
"""

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from annotation.schemes import ACCEPTANCE, GROUNDING
from corpus.accepted import EXTRACTED_FROM
from exports.rows.columns import AnswerRow, ItemRow
from exports.rows.earlier_answers import NONE_EARLIER, Earlier, Record, deciding_items
from exports.rows.tiers import SILVER, SILVER_STATUS

ALTERNATIVE = "Truth_answers_alternative"

TurnSource = tuple[str, Mapping[str, object]]


def extended_truth(
    turn_sources: Iterable[TurnSource],
    items: Iterable[ItemRow],
    answers: Iterable[AnswerRow],
    *,
    tiers: Collection[str],
    earlier: Earlier = NONE_EARLIER,
) -> list[Record]:
    """The truth with the accepted answers of these tiers added, in the order of the turns.

    `earlier` are those of an earlier release that stand (`exports.rows.earlier_answers`).

    A source has the five truth keys, which are copied, or is empty for a turn without a truth
    record, which is left out. Every record has the list of accepted answers, which may be empty.

    Raises ValueError if the tables contradict each other: an accepted answer without the verdict
    that makes it one, with two deciding items, with rows that differ, or in a turn without a truth
    record.
    """
    accepted = _with_earlier(_records_by_turn(items, answers, tiers), earlier, tiers)
    with_truth = [(turn_id, source) for turn_id, source in turn_sources if source]
    without_truth = sorted(accepted.keys() - {turn_id for turn_id, _ in with_truth})
    if without_truth:
        raise ValueError(f"accepted answers in turns without truth: {', '.join(without_truth)}")
    return [{**source, ALTERNATIVE: accepted.get(turn_id, [])} for turn_id, source in with_truth]


def _with_earlier(
    accepted: dict[str, list[Record]], earlier: Earlier, tiers: Collection[str]
) -> dict[str, list[Record]]:
    merged = dict(accepted)
    for turn, records in earlier.items():
        texts = {record["answer"] for record in records}
        own = [record for record in accepted.get(turn, ()) if record["answer"] not in texts]
        kept = [record for record in records if record["tier"] in tiers]
        merged[turn] = sorted([*own, *kept], key=_place)
    return merged


def _place(record: Record) -> tuple[str, str]:
    """Return the sort key of an accepted answer: the names of the tiers sort as the tiers do."""
    return str(record["tier"]), str(record["answer"])


@dataclass(frozen=True, slots=True)
class _AcceptedAnswer:
    """An accepted answer: what all its rows have in common, its runs, and the passages of an extracted sentence.

    `passages` is None if no run of extracted sentences gave it.
    """

    answer_id: str
    turn_id: str
    tier: str
    faithfulness: str
    runs: tuple[str, ...]
    passages: tuple[str, ...] | None


def _records_by_turn(
    items: Iterable[ItemRow], answers: Iterable[AnswerRow], tiers: Collection[str]
) -> dict[str, list[Record]]:
    """The records of accepted answers by turn, in their order."""
    deciding = deciding_items(items)
    records: dict[str, list[Record]] = {}
    for answer in _accepted_answers(answers, tiers):
        records.setdefault(answer.turn_id, []).append(_record(answer, deciding))
    for of_turn in records.values():
        of_turn.sort(key=_place)
    return records


def _accepted_answers(
    answers: Iterable[AnswerRow], tiers: Collection[str]
) -> list[_AcceptedAnswer]:
    rows_of: dict[str, list[AnswerRow]] = {}
    for row in answers:
        if row.tier in tiers:
            rows_of.setdefault(row.answer_id, []).append(row)
    return [_accepted_answer(answer_id, rows) for answer_id, rows in rows_of.items()]


def _accepted_answer(answer_id: str, rows: Sequence[AnswerRow]) -> _AcceptedAnswer:
    facts = {(row.turn_id, row.tier, row.faithfulness) for row in rows}
    if len(facts) > 1:
        raise ValueError(f"the rows of the answer {answer_id} differ: {sorted(facts)}")
    runs = tuple(sorted({row.run for row in rows}))
    sentences = [row for row in rows if not row.competes]
    passages = tuple(sorted({row.passage_id for row in sentences if row.passage_id}))
    return _AcceptedAnswer(answer_id, *facts.pop(), runs, passages if sentences else None)


def _record(answer: _AcceptedAnswer, deciding_items: Mapping[tuple[str, str], ItemRow]) -> Record:
    plausible = _deciding_item(
        deciding_items, ACCEPTANCE.name, ACCEPTANCE.accepted, answer.answer_id
    )
    record: Record = {
        "answer": plausible.answer,
        "tier": answer.tier,
        "runs": list(answer.runs),
        "plausible": {"verdict": plausible.verdict, **_source_and_votes(plausible)},
        "faithful": {"status": SILVER_STATUS.get(answer.faithfulness)},
        "evidence": [],
        "batch": plausible.batch,
        "accepted_at": plausible.decided_at,
    }
    if answer.passages is not None:
        record[EXTRACTED_FROM] = list(answer.passages)
    if answer.tier == SILVER:
        return record
    faithful = _deciding_item(deciding_items, GROUNDING.name, GROUNDING.accepted, answer.answer_id)
    return record | {
        "faithful": {
            "status": faithful.verdict,
            **_source_and_votes(faithful),
            "batch": faithful.batch,
        },
        "evidence": [_span(span) for span in json.loads(faithful.evidence or "[]")],
        # Times of one format sort as text.
        "accepted_at": max(plausible.decided_at, faithful.decided_at),
    }


def _deciding_item(
    deciding_items: Mapping[tuple[str, str], ItemRow], scheme: str, label: str, answer_id: str
) -> ItemRow:
    item = deciding_items.get((scheme, answer_id))
    if item is None or item.verdict != label:
        raise ValueError(f"the accepted answer {answer_id} has no verdict {label!r}")
    return item


def _span(span: Mapping[str, object]) -> Record:
    """The place and the text of a span, without how it was found."""
    return {key: span[key] for key in ("passage_id", "start", "end", "text")}


def _source_and_votes(item: ItemRow) -> Record:
    return {"source": item.source, "votes": json.loads(item.votes)}
