"""Judgements as the rows of judgements.csv."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from sys import intern
from typing import Any

from annotation import schemes
from annotation.models import Batch, Flag, ItemPassage, Judgement, Review
from annotation.models.work import JudgementQuerySet
from corpus import versions
from corpus.models import Dataset
from exports.rows.columns import JudgementRow
from exports.rows.ids import timestamp
from exports.rows.rounds import rounds
from exports.rows.shown_answers import ShownAnswer, asked_pools, iter_shown_answers

# Texts of the imported files: long, and in no row.
_TURN = "assignment__item__turn"
DEFERRED_FIELDS = (f"{_TURN}__source", f"{_TURN}__truth_passages", f"{_TURN}__record")


def judgement_rows(
    batches: Sequence[Batch], *, dataset: Dataset | None = None
) -> list[JudgementRow]:
    """The rows of all judgements of the batches; `dataset` limits them to turns that stand in this version."""
    asked = asked_pools(batches) if dataset else ()
    rows = [row for batch in batches for row in _batch_rows(batch, dataset, asked)]
    return sorted(
        rows, key=lambda row: (row.batch, row.item_id, row.assignment_id, row.submitted_at)
    )


def rows_of_judgements(batch: Batch, judgements: Sequence[int]) -> list[JudgementRow]:
    """The rows of some judgements (keys) of the batch, in the order of the keys."""
    ordered = Judgement.objects.filter(pk__in=judgements).order_by("pk")
    items = set(ordered.values_list("assignment__item_id", flat=True))
    answers, found = iter_shown_answers(batch, items=items), rounds(batch, items=items)
    return _rows(batch, ordered, answers, found, items=items)


def _batch_rows(
    batch: Batch, dataset: Dataset | None, asked: Collection[int]
) -> list[JudgementRow]:
    of_batch = Judgement.objects.filter(
        versions.stands(dataset, "assignment__item__turn"), assignment__item__batch=batch
    )
    answers = iter_shown_answers(batch, dataset=dataset, asked=asked)
    return _rows(batch, of_batch, answers, rounds(batch))


def _rows(
    batch: Batch,
    judgements: JudgementQuerySet,
    answers: Iterable[ShownAnswer],
    round_of: Mapping[int, int],
    *,
    items: Collection[int] | None = None,
) -> list[JudgementRow]:
    context = _Context.read(batch, judgements, answers, items)
    scheme = schemes.get(batch.scheme)
    rows = []
    related = judgements.select_related("assignment__item__turn__conversation", "withdrawal")
    # One after the other: with its item and turn a judgement takes kilobytes.
    for judgement in related.defer(*DEFERRED_FIELDS).iterator():
        item = judgement.assignment.item
        common = _common_columns(batch, judgement, context)
        for line in scheme.rows(judgement.response, judgement.order, item.payload):
            answer = context.answers[item.pk].get(line.answer_number or 0)
            rows.append(
                JudgementRow(
                    **common,
                    question=line.question,
                    answer_id=answer.answer_id if answer else "",
                    answer=answer.text if answer else "",
                    runs=answer.runs if answer else "",
                    value=line.value,
                    label=intern(line.label),
                    position=line.position,
                    passage_id=context.passages[item.pk].get(line.passage_number or 0, ""),
                    round=round_of.get(judgement.pk),
                    text=line.text,
                )
            )
    return rows


@dataclass(frozen=True, slots=True)
class _Answer:
    """What rows say of an answer that an item shows, without its item, candidate and turn."""

    answer_id: str
    text: str
    runs: str


@dataclass(frozen=True)
class _Context:
    """What rows contain beside their judgements, by primary keys.

    answers     the answers that each item shows, by their number
    passages    the document ids of the passages that each item shows, by their number
    counted     the judgements that are counted
    flagged     the assignments with a flag
    reviews     the current review of each judgement
    pseudonyms  the pseudonym of each user
    """

    answers: dict[int, dict[int, _Answer]]
    passages: dict[int, dict[int, str]]
    counted: set[int]
    flagged: set[int]
    reviews: dict[int, Review]
    pseudonyms: dict[int, str]

    @classmethod
    def read(
        cls,
        batch: Batch,
        judgements: JudgementQuerySet,
        answers: Iterable[ShownAnswer],
        items: Collection[int] | None,
    ) -> "_Context":
        """Return what the rows of these judgements need of the database. `items` are theirs; None for all of the
        batch.
        """
        by_item: dict[int, dict[int, _Answer]] = defaultdict(dict)
        for each in answers:
            shown = _Answer(each.answer_id, each.candidate.text, each.runs)
            by_item[each.item.pk][each.number] = shown
        shows_passages = schemes.get(batch.scheme).shows_passages
        flags = Flag.objects.filter(assignment__judgements__in=judgements)
        reviews = Review.objects.filter(judgement__in=judgements, replaced_by=None)
        members = batch.study.memberships.all()
        return cls(
            answers=by_item,
            passages=_passages(batch, items) if shows_passages else defaultdict(dict),
            counted=set(judgements.counted().values_list("pk", flat=True)),
            flagged=set(flags.values_list("assignment_id", flat=True)),
            reviews={review.judgement_id: review for review in reviews},
            pseudonyms={membership.user_id: membership.pseudonym for membership in members},
        )


def _common_columns(batch: Batch, judgement: Judgement, context: _Context) -> dict[str, Any]:
    """The columns that are the same in all rows of a judgement."""
    assignment = judgement.assignment
    item = assignment.item
    return {
        "study": batch.study.slug,
        "batch": batch.name,
        "scheme": batch.scheme,
        # Once in memory, however many rows have it.
        "item_id": intern(str(item.public_id)),
        "turn_id": intern(item.turn.key),
        "annotator": context.pseudonyms[assignment.annotator_id],
        "assignment_id": str(assignment.public_id),
        "comment": judgement.comment,
        "shown_at": timestamp(judgement.shown_at),
        "submitted_at": timestamp(judgement.submitted_at),
        "active_seconds": judgement.active_seconds,
        "flagged": assignment.pk in context.flagged,
        "is_control": item.n_wanted is None,
        "is_rehearsal": batch.is_rehearsal,
        "guideline_sha256": intern(judgement.guideline_sha256),
        "payload_sha256": intern(judgement.payload_sha256),
        **_decisions(judgement, context.reviews.get(judgement.pk), judgement.pk in context.counted),
    }


def _passages(batch: Batch, items: Collection[int] | None) -> dict[int, dict[int, str]]:
    """The document ids of the passages that each of the items shows, by item and number; None for all of the batch."""
    found: dict[int, dict[int, str]] = defaultdict(dict)
    passages = ItemPassage.objects.filter(item__batch=batch)
    if items is not None:
        passages = passages.filter(item__in=items)
    for item, number, docid in passages.values_list("item", "number", "passage__docid"):
        found[item][number] = docid
    return found


def _decisions(judgement: Judgement, review: Review | None, is_counted: bool) -> dict[str, Any]:
    """The columns `withdrawn` to `counted_reason`. A review decides `paid` and `counted`, nothing
    else.
    """
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
