"""Judgements and items as the plain rows of a release (exports.rows); answers: exports.answers."""

import json
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from annotation import schemes
from annotation.models import (
    Batch,
    BatchState,
    Exclusion,
    Flag,
    Item,
    ItemAnswer,
    Judgement,
    Review,
    Source,
    Verdict,
    VerdictState,
)
from corpus.models import Dataset
from exports.rows import ItemRow, JudgementRow
from sampling.models import Candidate, EvidenceSpan, Fate
from sampling.selection import State


def released_batches(dataset: Dataset, *, is_rehearsal: bool) -> list[Batch]:
    """The closed batches on the data set, all real or all rehearsed, oldest first."""
    closed = Batch.objects.filter(
        pool__dataset=dataset, is_rehearsal=is_rehearsal, state=BatchState.CLOSED
    )
    return list(closed.select_related("study", "pool", "guideline").order_by("closed_at", "pk"))


def answer_id(turn: str, text_sha256: str) -> str:
    """How a distinct answer of a turn is called in a release."""
    return f"{turn}:{text_sha256[:16]}"


def instant(at: datetime | None) -> str:
    return at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ") if at else ""


@dataclass(frozen=True)
class _Shown:
    """An answer that an item shows, with what the tables say of it everywhere."""

    item: Item
    candidate: Candidate
    number: int
    runs: str

    @property
    def turn(self) -> str:
        return self.candidate.turn.key

    @property
    def id(self) -> str:
        return answer_id(self.turn, self.candidate.text_sha256)


def _shown(batch: Batch) -> list[_Shown]:
    answers = ItemAnswer.objects.filter(item__batch=batch).select_related(
        "item", "candidate__turn__conversation"
    )
    answers = answers.order_by("item__position", "number")
    runs = _runs_of(answer.candidate for answer in answers)
    return [
        _Shown(each.item, each.candidate, each.number, runs[_drawn_id(each.candidate)])
        for each in answers
    ]


def _drawn_id(candidate: Candidate) -> int:
    """The candidate that was drawn from the runs: in an evidence pool, the one it was copied from."""
    return candidate.source_id or candidate.pk


def _runs_of(candidates: Any) -> dict[int, str]:
    """The runs that gave each drawn candidate's very text."""
    drawn = {_drawn_id(candidate) for candidate in candidates}
    fates = Fate.objects.filter(candidate__in=drawn, state=State.DRAWN)
    names: dict[int, set[str]] = defaultdict(set)
    for candidate_id, name in fates.values_list("candidate_id", "answer__run__name"):
        if candidate_id is not None:
            names[candidate_id].add(name)
    return defaultdict(str, {pk: "|".join(sorted(runs)) for pk, runs in names.items()})


def judgement_rows(batches: Sequence[Batch]) -> list[JudgementRow]:
    rows = [row for batch in batches for row in _judgements_of(batch)]
    return sorted(
        rows, key=lambda row: (row.batch, row.item_id, row.assignment_id, row.submitted_at)
    )


def _judgements_of(batch: Batch) -> list[JudgementRow]:
    scheme = schemes.get(batch.scheme)
    shown: dict[int, dict[int, _Shown]] = defaultdict(dict)
    for each in _shown(batch):
        shown[each.item.pk][each.number] = each
    said = Judgement.objects.filter(assignment__item__batch=batch)
    counted = set(said.counted().values_list("pk", flat=True))
    reviews = {
        review.judgement_id: review
        for review in Review.objects.filter(judgement__in=said, replaced_by=None)
    }
    flagged = set(
        Flag.objects.filter(assignment__item__batch=batch).values_list("assignment_id", flat=True)
    )
    pseudonyms = {
        membership.user_id: membership.pseudonym for membership in batch.study.memberships.all()
    }
    rows = []
    for judgement in said.select_related("assignment__item", "withdrawal"):
        assignment = judgement.assignment
        for said_row in scheme.rows(judgement.response, judgement.order):
            each = shown[assignment.item_id][said_row.answer_number]
            rows.append(
                JudgementRow(
                    study=batch.study.slug,
                    batch=batch.name,
                    scheme=batch.scheme,
                    item_id=str(assignment.item.public_id),
                    turn_id=each.turn,
                    question=said_row.question,
                    answer_id=each.id,
                    answer=each.candidate.text,
                    runs=each.runs,
                    annotator=pseudonyms[assignment.annotator_id],
                    assignment_id=str(assignment.public_id),
                    value=None,
                    label=said_row.label,
                    comment=judgement.comment,
                    position=said_row.position,
                    shown_at=instant(judgement.shown_at),
                    submitted_at=instant(judgement.submitted_at),
                    active_seconds=judgement.active_seconds,
                    flagged=assignment.pk in flagged,
                    is_control=assignment.item.n_wanted is None,
                    is_rehearsal=batch.is_rehearsal,
                    guideline_sha256=judgement.guideline_sha256,
                    payload_sha256=judgement.payload_sha256,
                    **_decisions(judgement, reviews.get(judgement.pk), judgement.pk in counted),
                )
            )
    return rows


def _decisions(judgement: Judgement, review: Review | None, is_counted: bool) -> dict[str, Any]:
    """What became of the work: withdrawn and surplus as they happened, paid and counted as decided."""
    withdrawn = hasattr(judgement, "withdrawal")
    without_review = "withdrawn" if withdrawn else "surplus" if judgement.is_surplus else ""
    return {
        "withdrawn": withdrawn,
        "surplus": judgement.is_surplus,
        "paid": review.is_paid if review else not withdrawn,
        "paid_reason": review.paid_reason if review else "withdrawn" if withdrawn else "",
        "counted": is_counted,
        "counted_reason": review.counted_reason if review else without_review,
    }


def item_rows(batches: Sequence[Batch]) -> list[ItemRow]:
    """Every item of the batches, and which of several batches has the say on an answer."""
    shown = [(batch, each) for batch in batches for each in _shown(batch)]
    verdicts = {
        verdict.item_id: verdict
        for verdict in Verdict.objects.current().filter(item__batch__in=batches)
    }
    with_say = _with_say(shown, verdicts)
    excluded = set(
        Exclusion.objects.filter(
            item__batch__in=batches, replaced_by=None, is_excluded=True
        ).values_list("item_id", flat=True)
    )
    standing = _standing(shown)
    evidence = _evidence(batches)
    rows = [
        _item_row(
            batch,
            each,
            verdicts.get(each.item.pk),
            is_excluded=each.item.pk in excluded,
            is_newest=each.item.pk in with_say,
            came_from=standing.get(each.item.came_from_id or 0, ("", False)),
            evidence=evidence[batch.pool_id, each.item.turn_id],
        )
        for batch, each in shown
    ]
    return sorted(rows, key=lambda row: (row.batch, row.turn_id, row.answer_id, row.item_id))


def _with_say(shown: Sequence[tuple[Batch, _Shown]], verdicts: dict[int, Verdict]) -> set[int]:
    """Of the items of one scheme on one answer: the adjudicated one, else that of the newest batch."""
    best: dict[tuple[str, str], tuple[bool, int, int]] = {}
    for rank, (batch, each) in enumerate(shown):
        if each.item.n_wanted is None:
            continue
        verdict = verdicts.get(each.item.pk)
        adjudicated = verdict is not None and verdict.source == Source.ADJUDICATION
        key = (batch.scheme, each.id)
        best[key] = max(best.get(key, (False, -1, 0)), (adjudicated, rank, each.item.pk))
    return {item_id for _, _, item_id in best.values()}


def _standing(shown: Sequence[tuple[Batch, _Shown]]) -> dict[int, tuple[str, bool]]:
    """Of the items that others came from: the public id, and whether the verdict is still that."""
    origins = {each.item.came_from_id for _, each in shown if each.item.came_from_id}
    items = Item.objects.filter(pk__in=origins).select_related("batch")
    labels = dict(
        Verdict.objects.current()
        .filter(item__in=origins, state=VerdictState.DECIDED)
        .values_list("item_id", "label")
    )
    return {
        item.pk: (
            str(item.public_id),
            labels.get(item.pk) == schemes.get(item.batch.scheme).accepted,
        )
        for item in items
    }


def _evidence(batches: Sequence[Batch]) -> dict[tuple[int, int], str]:
    """The paragraph of each (pool, turn), as JSON."""
    spans = EvidenceSpan.objects.filter(pool__in=[batch.pool_id for batch in batches])
    pieces: dict[tuple[int, int], list[dict[str, Any]]] = defaultdict(list)
    for span in spans.select_related("passage").order_by("pool_id", "turn_id", "position"):
        pieces[span.pool_id, span.turn_id].append(
            {
                "passage_id": span.passage.docid,
                "start": span.start,
                "end": span.end,
                "text": (span.passage.text or "")[span.start : span.end],
            }
        )
    return defaultdict(str, {key: _json(paragraph) for key, paragraph in pieces.items()})


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True)


def _item_row(
    batch: Batch,
    each: _Shown,
    verdict: Verdict | None,
    *,
    is_excluded: bool,
    is_newest: bool,
    came_from: tuple[str, bool],
    evidence: str,
) -> ItemRow:
    item, candidate = each.item, each.candidate
    return ItemRow(
        study=batch.study.slug,
        batch=batch.name,
        scheme=batch.scheme,
        item_id=str(item.public_id),
        turn_id=each.turn,
        question=item.payload["question"],
        answer_id=each.id,
        answer=candidate.text,
        runs=each.runs,
        state=verdict.state if verdict else "",
        verdict=verdict.label if verdict else "",
        source=verdict.source if verdict else "",
        rule=verdict.rule if verdict else "",
        set_aside_reason=verdict.set_aside_reason if verdict else "",
        votes=_json(verdict.votes) if verdict else "",
        n_wanted=item.n_wanted,
        n_counted=item.n_counted,
        is_excluded=is_excluded,
        is_control=item.n_wanted is None,
        is_rehearsal=batch.is_rehearsal,
        is_newest=is_newest,
        came_from=came_from[0],
        stands=came_from[1] if item.came_from_id else True,
        inclusion_probability=candidate.inclusion_probability,
        score=candidate.score,
        evidence=evidence,
        decided_at=instant(verdict.decided_at if verdict else None),
    )
