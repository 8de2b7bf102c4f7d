"""Ids for citations that have only a text, and citations that contradict the data set's texts."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from hashlib import sha256

from corpus.models import Dataset, Offer
from corpus.problems import Problem, json_excerpt
from corpus.records import AnswerRecord, CitationRecord

# What the id of a passage begins with that has none of its own: it is known by its text.
BY_TEXT = "text:"


def with_passage_ids(dataset: Dataset, answers: Sequence[AnswerRecord]) -> tuple[AnswerRecord, ...]:
    """Return the answers, with an id for each passage that they cite by text alone.

    It is the id of a passage of the data set with that exact text, preferring one offered for the
    turn, or an id made of the text.
    """
    if all(cited.docid for answer in answers for cited in answer.citations):
        return tuple(answers)
    offered, anywhere = _by_text(dataset)

    def of(cited: CitationRecord, turn: str) -> CitationRecord:
        if cited.docid:
            return cited
        text = _hash(cited.text or "")
        docid = offered.get((turn, text)) or anywhere.get(text) or BY_TEXT + text
        return replace(cited, docid=docid)

    return tuple(
        replace(each, citations=_once(of(cited, each.turn_id) for cited in each.citations))
        for each in answers
    )


def _by_text(dataset: Dataset) -> tuple[dict[tuple[str, str], str], dict[str, str]]:
    """Return the ids of passages by turn and text, and by text; the first id if several have it."""
    with_text = dataset.passages.with_text().order_by("docid").values_list("pk", "docid", "text")
    text_of = {pk: (docid, _hash(text or "")) for pk, docid, text in with_text.iterator()}
    anywhere: dict[str, str] = {}
    for docid, text in text_of.values():
        anywhere.setdefault(text, docid)
    offered: dict[tuple[str, str], str] = {}
    offers = Offer.objects.filter(turn__conversation__dataset=dataset).order_by("passage__docid")
    for offer in offers.select_related("turn__conversation").iterator():
        docid, text = text_of[offer.passage_id]
        offered.setdefault((offer.turn.key, text), docid)
    return offered, anywhere


def _hash(text: str) -> str:
    return sha256(text.strip().encode()).hexdigest()[:32]


def _once(citations: Iterable[CitationRecord]) -> tuple[CitationRecord, ...]:
    found: dict[str, CitationRecord] = {}
    for each in citations:
        found.setdefault(each.docid, each)
    return tuple(found.values())


def contradictions(
    dataset: Dataset, answers: Iterable[AnswerRecord], *, file: str, unit: str
) -> Iterator[Problem]:
    """Yield the citations whose text differs from the data set's or an earlier citation's."""
    citations = [
        (answer, each) for answer in answers for each in answer.citations if each.text is not None
    ]
    if not citations:
        return
    wanted = {each.docid for _, each in citations}
    held = dataset.passages.with_text().values_list("docid", "text")
    known = {docid: (text, f"in {dataset}") for docid, text in held.iterator() if docid in wanted}
    for answer, each in citations:
        text, where = known.setdefault(each.docid, (each.text, f"in {unit} {answer.index}"))
        if (text or "").strip() != (each.text or "").strip():
            message = f"has another text {where}"
            yield Problem(file, unit, answer.index, "passages", json_excerpt(each.docid), message)
