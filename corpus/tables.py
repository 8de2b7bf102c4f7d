"""What the database holds of a data set or a run, as the records that the readers give."""

from collections import defaultdict
from collections.abc import Collection

from corpus.models import Answer, Citation, Dataset, Offer, Passage, Run, Turn
from corpus.records import (
    AnswerRecord,
    CitationRecord,
    DatasetRecords,
    PassageRecord,
    TurnRecord,
    turn_id,
)


def turn_ids(dataset: Dataset, turns: Collection[int] | None = None) -> dict[str, int]:
    """The primary key of every turn, or of those named, by its id in files."""
    asked = Turn.objects.of(dataset)
    if turns is not None:
        asked = asked.filter(pk__in=turns)
    rows = asked.values_list("conversation__key", "number", "pk")
    return {turn_id(conversation, number): pk for conversation, number, pk in rows}


def dataset_records(dataset: Dataset) -> DatasetRecords:
    references = dict(Answer.objects.references(dataset).values_list("turn_id", "text"))
    turns = tuple(
        TurnRecord(
            conversation=turn.conversation.key,
            number=turn.number,
            question=turn.question,
            rewrite=turn.rewrite,
            reference=references.get(turn.pk, ""),
            truth_passages=tuple(turn.truth_passages),
            source=turn.source,
        )
        for turn in Turn.objects.of(dataset)
    )
    return DatasetRecords(turns, (*_offered(dataset), *_told(dataset)))


def _offered(dataset: Dataset) -> list[PassageRecord]:
    offers = Offer.objects.filter(turn__conversation__dataset=dataset)
    related = offers.select_related("passage", "turn__conversation")
    return [
        PassageRecord(
            offer.passage.docid, offer.passage.text or "", offer.passage.url, offer.turn.key
        )
        for offer in related
    ]


def _told(dataset: Dataset) -> list[PassageRecord]:
    told = Passage.objects.filter(dataset=dataset, offers=None, text__isnull=False)
    return [PassageRecord(each.docid, each.text or "", each.url, None) for each in told]


def run_records(run: Run) -> list[AnswerRecord]:
    cited: dict[int, list[CitationRecord]] = defaultdict(list)
    for each in Citation.objects.filter(answer__run=run).select_related("passage"):
        cited[each.answer_id].append(
            CitationRecord(each.passage.docid, each.rank, each.score, each.quote)
        )
    answers = Answer.objects.filter(run=run).select_related("turn__conversation")
    return [
        AnswerRecord(answer.turn.key, answer.text, answer.rewrite, tuple(cited[answer.pk]), index)
        for index, answer in enumerate(answers, start=1)
    ]
