"""The judgements of annotators as the entries that `stats.annotators` examines."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any

from django.db.models import QuerySet

from accounts.models import Study
from annotation.models import Batch, BatchState, Item, Key, Source, Verdict, VerdictState
from annotation.schemes import get
from exports.rows.columns import JudgementRow
from exports.rows.judgements import judgement_rows
from exports.rows.pairs import PAIR_QUESTIONS, rows_of_first_answer
from stats.annotators.entries import ADJUDICATION, CONTROL, Entry
from text.segmentation import n_words


def real_batches(study: Study) -> QuerySet[Batch]:
    """The study's batches without drafts and rehearsals, in the order of their creation."""
    rows = study.batches.counting().filter(is_rehearsal=False).exclude(state=BatchState.DRAFT)
    return rows.select_related("study", "pool", "guideline").order_by("created_at", "pk")


def entries(batches: Sequence[Batch]) -> list[Entry]:
    """An entry for each label of each judgement that is not withdrawn; one for both answers of a pair.

    Late judgements and those that a review does not count are work, and have entries too.
    `is_counted` is true for counted judgements of items that are neither control items nor
    excluded.
    """
    items = {str(item.public_id): item for item in Item.objects.filter(batch__in=batches)}
    words = {
        name: (n_words_on_screen(item.payload), n_answer_words(item.payload["answers"]))
        for name, item in items.items()
    }
    excluded = {name for name, item in items.items() if item.is_excluded}
    known_labels = _known_labels(batches)
    return [
        _entry(
            row,
            words[row.item_id],
            known_labels.get((row.item_id, row.question), ("", "")),
            excluded,
        )
        for row in rows_of_first_answer(judgement_rows(batches))
        if not row.withdrawn and (row.label or row.value is not None)
    ]


def _entry(
    row: JudgementRow, n: tuple[int, int], known: tuple[str, str], excluded: set[str]
) -> Entry:
    return Entry(
        worker=row.annotator,
        batch=row.batch,
        submission=row.assignment_id,
        item=row.item_id,
        turn=row.turn_id,
        asked=row.question,
        answer=" ".join(filter(None, (row.answer_id, row.passage_id))),
        label=row.label or f"{row.value:g}",
        position=row.position or 0,
        submitted_at=datetime.fromisoformat(row.submitted_at).timestamp(),
        active_seconds=row.active_seconds,
        n_words=n[0],
        n_answer_words=n[1],
        is_counted=row.counted and not row.is_control and row.item_id not in excluded,
        is_extra=row.counted and not row.is_control and not row.is_first,
        is_pair=row.question in PAIR_QUESTIONS,
        known=known[0],
        known_by=known[1],
    )


def _known_labels(batches: Sequence[Batch]) -> dict[tuple[str, str], tuple[str, str]]:
    """The known label of control items and adjudicated items, and how it is known, by item and
    question.
    """
    verdicts = Verdict.objects.current().filter(
        item__batch__in=batches, state=VerdictState.DECIDED, source=Source.ADJUDICATION
    )
    keys = Key.objects.filter(item__batch__in=batches, item__is_excluded=False)
    return {
        (str(each.item.public_id), each.item.batch.scheme): (
            get(each.item.batch.scheme).label_in_files(each.label, each.item.payload),
            known_by,
        )
        for rows, known_by in ((verdicts, ADJUDICATION), (keys, CONTROL))
        for each in rows.select_related("item__batch")
    }


def n_words_on_screen(payload: dict[str, Any]) -> int:
    """The number of words of question, answers and evidence, without parts of the screen that are
    folded.
    """
    return sum(n_words(text) for text in _texts(payload))


def n_answer_words(answers: Sequence[Mapping[str, str]]) -> int:
    """The number of words of the answers that a screen shows."""
    return sum(n_words(answer["text"]) for answer in answers)


def _texts(payload: dict[str, Any]) -> Iterator[str]:
    yield payload["question"]
    yield from (answer["text"] for answer in payload["answers"])
    yield from payload.get("evidence", ())
