"""The file of a stored run, written from its rows in the format in which it can be imported again."""

from collections import defaultdict
from collections.abc import Iterator
from pathlib import PurePath

from corpus.formats import RELEASE, RUN_FORMATS, SCAI, SCAI_RUN
from corpus.models import Answer, Citation, Run
from corpus.readers.base import RunFormat
from corpus.records import AnswerRecord, CitationRecord

# An answer may cite a hundred passages.
ANSWERS_AT_ONCE = 500
TEXT = ("passage__text", "passage__title")


def format_of(run: Run) -> RunFormat:
    """Return a format whose files can say all of the run; if several can, probably that of the import."""
    imported = PurePath(run.files[0]["name"]).suffix if run.files else ""
    is_scai = run.dataset.format in (SCAI.name, RELEASE.name) and imported != ".jsonl"
    formats = sorted(RUN_FORMATS, key=lambda each: (each is SCAI_RUN) != is_scai)
    return next((each for each in formats if all(map(each.holds, records(run)))), formats[0])


def file_name(run: Run, format: RunFormat) -> str:
    return run.name.replace("/", "-") + format.suffix


def records(run: Run) -> Iterator[AnswerRecord]:
    """Yield the answers in the order of the data set, some hundred held at a time.

    Citations have the text of passages that the data set does not offer: the run may have brought it.
    """
    order = ("turn__conversation__position", "turn__number")
    pks = list(Answer.objects.filter(run=run).order_by(*order).values_list("pk", flat=True))
    index = 0
    for start in range(0, len(pks), ANSWERS_AT_ONCE):
        piece = pks[start : start + ANSWERS_AT_ONCE]
        cited = _citations(piece)
        answers = Answer.objects.filter(pk__in=piece).select_related("turn__conversation")
        for answer in answers.order_by(*order):
            index += 1
            citations = tuple(cited[answer.pk])
            yield AnswerRecord(answer.turn.key, answer.text, answer.rewrite, citations, index)


def _citations(answers: list[int]) -> dict[int, list[CitationRecord]]:
    found: dict[int, list[CitationRecord]] = defaultdict(list)
    rows = Citation.objects.filter(answer__in=answers).order_by("answer", "rank", "pk")
    own = Citation.objects.filter(answer__in=answers, passage__offers=None)
    texts = {pk: (text, title) for pk, text, title in own.values_list("pk", *TEXT)}
    for each in rows.select_related("passage").defer(*TEXT):
        text, title = texts.get(each.pk, (None, ""))
        found[each.answer_id].append(
            CitationRecord(each.passage.docid, each.rank, each.score, each.quote, text, title)
        )
    return found
