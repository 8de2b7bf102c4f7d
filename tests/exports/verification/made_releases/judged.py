"""The items and judgements of made releases.

People err, some of their work is withdrawn, surplus or not counted, some items are adjudicated, excluded or without
evidence, and some are controls.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from exports.rows.columns import AnswerRow, ItemRow, JudgementRow
from exports.rows.ids import cell_json
from stats.aggregation.consensus import RULES, Outcome
from tests.exports.verification.made_releases.source import LABELS, OF_GUIDELINE, STUDY, Source

LOST = (
    {"withdrawn": True, "paid": False, "paid_reason": "withdrawn", "counted_reason": "withdrawn"},
    {"surplus": True, "counted_reason": "surplus"},
    {"counted_reason": "random: in a hurry"},
)


def batch(
    source: Source, scheme: str, asked: Sequence[tuple[AnswerRow, str, str]]
) -> tuple[list[ItemRow], list[JudgementRow]]:
    """Return the items and judgements of a batch of answers, each with its runs and the item that it came from."""
    items = [_item(source, scheme, *each) for each in asked]
    items += [_control(source, scheme, each) for each in items[:3]]
    judgements = [row for item in items for row in _judged(source, item)]
    votes: dict[str, dict[str, str]] = defaultdict(dict)
    for row in judgements:
        if row.counted and not row.is_control:
            votes[row.item_id][row.annotator] = row.label
    items = [replace(i, is_excluded=_is_excluded(source, i)) for i in items]
    kept = {i.item_id: votes[i.item_id] for i in items if not (i.is_control or i.is_excluded)}
    outcomes = RULES[source.rule](kept, LABELS[scheme])
    ended = [
        _ended(source, replace(i, n_counted=len(votes[i.item_id])), outcomes.get(i.item_id))
        for i in items
    ]
    return ended, judgements


def _item(source: Source, scheme: str, answer: AnswerRow, runs: str, came_from: str) -> ItemRow:
    spans = _evidence(source, runs) if scheme == "faithfulness" else []
    return ItemRow(
        study=STUDY,
        is_rehearsal=False,
        batch=scheme,
        scheme=scheme,
        item_id=source.identity(),
        turn_id=answer.turn_id,
        question=f"What of {answer.turn_id}?",
        answer_id=answer.answer_id,
        answer=answer.answer.strip(),
        runs=runs,
        state="",
        verdict="",
        source="",
        rule="",
        set_aside_reason="",
        votes="",
        posterior="",
        n_wanted=source.size.n_wanted,
        n_counted=0,
        is_excluded=False,
        is_control=False,
        is_newest=True,
        came_from=came_from,
        stands=True,
        inclusion_probability=1.0,
        score=0.5,
        evidence=cell_json(spans) if spans else "",
        quoted_by="|".join(sorted({run for span in spans for run in span["quoted_by"]})),
        cited_by="|".join(sorted({run for span in spans for run in span["cited_by"]})),
        decided_at="",
        after_sources=False,
    )


def _evidence(source: Source, runs: str) -> list[dict[str, Any]]:
    if source.random.random() < 0.1:
        return []
    cited = [run for run in runs.split("|") if source.random.random() < 0.6]
    place = {"passage_id": "p1", "start": 0, "end": 9, "text": "A passage"}
    found = {"source": "cited", "sas": None, "f1": 0.5, "reference_f1": None}
    return [place | found | {"cited_by": cited, "quoted_by": cited[:1]}]


def _control(source: Source, scheme: str, like: ItemRow) -> ItemRow:
    return replace(like, item_id=source.identity(), is_control=True, is_newest=False, n_wanted=None)


def _is_excluded(source: Source, item: ItemRow) -> bool:
    return not item.is_control and source.random.random() < 0.03


def _judged(source: Source, item: ItemRow) -> Iterator[JudgementRow]:
    """As many as are wanted, and some that do not count."""
    if item.scheme == "faithfulness" and not item.evidence:
        return
    truth = source.random.choice(LABELS[item.scheme][:1] * 3 + LABELS[item.scheme])
    n_more = source.random.choice([0, 0, 0, 0, 0, 1, 1])
    n = min(source.size.n_wanted + n_more, source.size.n_people)
    people = source.random.sample(sorted(source.accuracy), n)
    for place, person in enumerate(people):
        is_right = source.random.random() < source.accuracy[person]
        label = truth if is_right else source.random.choice(LABELS[item.scheme])
        row = _judgement(source, item, person, label)
        if place >= source.size.n_wanted:
            row = replace(row, **source.random.choice(LOST), counted=False, round=None)
        yield row


def _judgement(source: Source, item: ItemRow, person: str, label: str) -> JudgementRow:
    return JudgementRow(
        study=STUDY,
        is_rehearsal=False,
        batch=item.batch,
        scheme=item.scheme,
        item_id=item.item_id,
        turn_id=item.turn_id,
        question=item.scheme,
        answer_id=item.answer_id,
        answer=item.answer,
        runs=item.runs,
        annotator=person,
        assignment_id=source.identity(),
        value=None,
        label=label,
        comment="not sure, “really”" if source.random.random() < 0.05 else "",
        position=1,
        shown_at=source.now(),
        submitted_at=source.now(),
        active_seconds=round(source.random.uniform(2, 90), 1),
        withdrawn=False,
        surplus=False,
        flagged=False,
        is_control=item.is_control,
        paid=True,
        paid_reason="",
        counted=True,
        counted_reason="",
        guideline_sha256=OF_GUIDELINE,
        payload_sha256="1" * 64,
        round=None if item.is_control else 1,
    )


def _ended(source: Source, item: ItemRow, outcome: Outcome | None) -> ItemRow:
    if item.is_control:
        return item
    item = replace(item, decided_at=source.now(), votes="{}", posterior="{}", rule="")
    if item.is_excluded or outcome is None:
        return _set_aside(item, "excluded")
    if item.scheme == "faithfulness" and not item.evidence:
        return _set_aside(item, "no evidence")
    item = replace(
        item,
        source="consensus",
        rule=source.rule,
        votes=cell_json(dict(outcome.votes)),
        posterior=cell_json(dict(outcome.posterior)),
    )
    if outcome.label:
        return replace(item, state="decided", verdict=outcome.label)
    if source.random.random() < 0.5:
        label = source.random.choice(LABELS[item.scheme])
        return replace(item, state="decided", verdict=label, source="adjudication")
    if item.n_counted < 2:
        return replace(item, state="set aside", set_aside_reason="too few judgements")
    return replace(item, state="disputed")


def _set_aside(item: ItemRow, reason: str) -> ItemRow:
    return replace(item, state="set aside", set_aside_reason=reason, source="decision")
