"""Judgements as the rows of judgements.csv."""

from collections import defaultdict
from collections.abc import Sequence
from typing import Any

from annotation import schemes
from annotation.models import Batch, Flag, Judgement, Review
from exports.rows import JudgementRow
from exports.tables.names import instant
from exports.tables.shown import Shown, shown


def judgement_rows(batches: Sequence[Batch]) -> list[JudgementRow]:
    rows = [row for batch in batches for row in _judgements_of(batch)]
    return sorted(
        rows, key=lambda row: (row.batch, row.item_id, row.assignment_id, row.submitted_at)
    )


def _judgements_of(batch: Batch) -> list[JudgementRow]:
    scheme = schemes.get(batch.scheme)
    answers: dict[int, dict[int, Shown]] = defaultdict(dict)
    for each in shown(batch):
        answers[each.item.pk][each.number] = each
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
            each = answers[assignment.item_id][said_row.answer_number]
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
