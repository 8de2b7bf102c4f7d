"""Judgements as the rows of judgements.csv."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from annotation import schemes
from annotation.models import Batch, Flag, ItemPassage, Judgement, Review
from annotation.models.work import JudgementQuerySet
from exports.rows.columns import JudgementRow
from exports.rows.ids import instant
from exports.rows.shown_answers import Shown, shown

# What the turn was read from is long, and no row says it.
_TURN = "assignment__item__turn"
NOT_READ = (f"{_TURN}__source", f"{_TURN}__truth_passages", f"{_TURN}__record")


def judgement_rows(batches: Sequence[Batch]) -> list[JudgementRow]:
    rows = [row for batch in batches for row in _judgements_of(batch)]
    return sorted(
        rows, key=lambda row: (row.batch, row.item_id, row.assignment_id, row.submitted_at)
    )


def rows_of(batch: Batch, judgements: Sequence[Judgement]) -> list[JudgementRow]:
    """Of these judgements of the batch alone, in the order of their keys."""
    said = Judgement.objects.filter(pk__in=[each.pk for each in judgements]).order_by("pk")
    items = list(said.values_list("assignment__item_id", flat=True))
    return _rows(batch, said, shown(batch, items=items))


def _judgements_of(batch: Batch) -> list[JudgementRow]:
    return _rows(batch, Judgement.objects.filter(assignment__item__batch=batch), shown(batch))


def _rows(
    batch: Batch, said: JudgementQuerySet, everything_shown: Sequence[Shown]
) -> list[JudgementRow]:
    beside = _Beside.read(batch, said, everything_shown)
    scheme = schemes.get(batch.scheme)
    rows = []
    for judgement in said.select_related(
        "assignment__item__turn__conversation", "withdrawal"
    ).defer(*NOT_READ):
        item = judgement.assignment.item
        of_all = _of_all(batch, judgement, beside)
        for line in scheme.rows(judgement.response, judgement.order, item.payload):
            answer = beside.answers[item.pk].get(line.answer_number or 0)
            rows.append(
                JudgementRow(
                    **of_all,
                    question=line.question,
                    answer_id=answer.id if answer else "",
                    answer=answer.candidate.text if answer else "",
                    runs=answer.runs if answer else "",
                    value=line.value,
                    label=line.label,
                    position=line.position,
                    passage_id=beside.passages[item.pk].get(line.passage_number or 0, ""),
                )
            )
    return rows


@dataclass(frozen=True)
class _Beside:
    """What the rows of a batch say besides its judgements.

    answers, passages  what each item shows, by item and number: answers, and the ids of passages
    counted, flagged   the judgements that count; the assignments with a flag
    reviews            the review in force, by judgement
    pseudonyms         by user
    """

    answers: dict[int, dict[int, Shown]]
    passages: dict[int, dict[int, str]]
    counted: set[int]
    flagged: set[int]
    reviews: dict[int, Review]
    pseudonyms: dict[int, str]

    @classmethod
    def read(
        cls, batch: Batch, said: JudgementQuerySet, everything_shown: Sequence[Shown]
    ) -> "_Beside":
        answers: dict[int, dict[int, Shown]] = defaultdict(dict)
        for each in everything_shown:
            answers[each.item.pk][each.number] = each
        shows_passages = schemes.get(batch.scheme).shows_passages
        flags = Flag.objects.filter(assignment__judgements__in=said)
        reviews = Review.objects.filter(judgement__in=said, replaced_by=None)
        members = batch.study.memberships.all()
        return cls(
            answers=answers,
            passages=_passages(batch) if shows_passages else defaultdict(dict),
            counted=set(said.counted().values_list("pk", flat=True)),
            flagged=set(flags.values_list("assignment_id", flat=True)),
            reviews={review.judgement_id: review for review in reviews},
            pseudonyms={membership.user_id: membership.pseudonym for membership in members},
        )


def _of_all(batch: Batch, judgement: Judgement, beside: _Beside) -> dict[str, Any]:
    """What every row of a judgement says."""
    assignment = judgement.assignment
    item = assignment.item
    return {
        "study": batch.study.slug,
        "batch": batch.name,
        "scheme": batch.scheme,
        "item_id": str(item.public_id),
        "turn_id": item.turn.key,
        "annotator": beside.pseudonyms[assignment.annotator_id],
        "assignment_id": str(assignment.public_id),
        "comment": judgement.comment,
        "shown_at": instant(judgement.shown_at),
        "submitted_at": instant(judgement.submitted_at),
        "active_seconds": judgement.active_seconds,
        "flagged": assignment.pk in beside.flagged,
        "is_control": item.n_wanted is None,
        "is_rehearsal": batch.is_rehearsal,
        "guideline_sha256": judgement.guideline_sha256,
        "payload_sha256": judgement.payload_sha256,
        **_decisions(judgement, beside.reviews.get(judgement.pk), judgement.pk in beside.counted),
    }


def _passages(batch: Batch) -> dict[int, dict[int, str]]:
    """The ids of the passages that each item shows, by item and number."""
    found: dict[int, dict[int, str]] = defaultdict(dict)
    shown = ItemPassage.objects.filter(item__batch=batch)
    for item, number, docid in shown.values_list("item", "number", "passage__docid"):
        found[item][number] = docid
    return found


def _decisions(judgement: Judgement, review: Review | None, is_counted: bool) -> dict[str, Any]:
    """What became of the work: withdrawn and surplus as they happened, paid and counted as decided."""
    withdrawn = hasattr(judgement, "withdrawal")
    without_review = "withdrawn" if withdrawn else "surplus" if judgement.is_surplus else ""
    return {
        "withdrawn": withdrawn,
        "surplus": judgement.is_surplus,
        "paid": review.is_paid if review else not withdrawn,
        "paid_reason": review.paid_because if review else "withdrawn" if withdrawn else "",
        "counted": is_counted,
        "counted_reason": review.counted_because if review else without_review,
    }
