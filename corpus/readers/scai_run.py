"""A run of the SCAI-QReCC shared task: one system's answers.

`[{"Conversation_no", "Turn_no", "Model_rewrite": str, "Model_passages": {passage id: score},
"Model_answer": str, "Model_evidence": {"passage_id": str, "text": str}}]`. Every `Model_*` is
optional, and null counts as missing; a missing answer is "". A file without any of them is not a
run. Passages rank by score, highest first, ties by id descending, as in trec_eval (which compares
scores in single precision; here they are compared as they are).
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from operator import itemgetter
from pathlib import Path

from corpus.problems import Report, json_excerpt
from corpus.readers.base import RunFormat
from corpus.readers.encoding import begins_with
from corpus.readers.fields import WHOLE_NUMBER, Fields, Turns
from corpus.readers.strict_json import JsonObject, objects
from corpus.records import AnswerRecord, CitationRecord, turn_id

MODEL_FIELDS = ("Model_answer", "Model_rewrite", "Model_passages", "Model_evidence")
EXAMPLE = """\
[{"Conversation_no": 7, "Turn_no": 1, "Model_answer": "The sea going up and down.",
  "Model_passages": {"tides_p0": 17.3},
  "Model_evidence": {"passage_id": "tides_p0", "text": "the sea rises and falls"}}]
"""


def read(path: Path, *, name: str = "") -> tuple[AnswerRecord, ...]:
    report = Report(name or path.name, "record")
    turns = Turns()
    records = []
    fields: set[str] = set()
    for index, values in objects(path, report):
        fields |= values.keys()
        records.append(_answer(Fields(values, report, index), turns))
    if records and fields.isdisjoint(MODEL_FIELDS):
        report.add(f"no record has a field of a run ({', '.join(MODEL_FIELDS)}): is this one?")
    report.finish()
    return tuple(records)


def _answer(fields: Fields, turns: Turns) -> AnswerRecord:
    conversation, number = turns.take(fields)
    return AnswerRecord(
        turn_id=turn_id(conversation, number),
        text=fields.optional_text("Model_answer"),
        rewrite=fields.optional_unless_blank("Model_rewrite"),
        citations=_citations(_scores(fields), _quotes(fields)),
        index=fields.index,
    )


def _ranked(scores: Mapping[str, float]) -> list[tuple[str, float]]:
    return sorted(scores.items(), key=itemgetter(1, 0), reverse=True)


def _citations(scores: dict[str, float], quotes: dict[str, str]) -> tuple[CitationRecord, ...]:
    """Return the passages by rank, then the quoted one if it is not among them."""
    ranked = _ranked(scores)
    retrieved = [
        CitationRecord(docid, rank, score, quotes.get(docid, ""))
        for rank, (docid, score) in enumerate(ranked, start=1)
    ]
    only_quoted = [
        CitationRecord(docid, None, None, quote)
        for docid, quote in quotes.items()
        if docid not in scores
    ]
    return (*retrieved, *only_quoted)


def _scores(fields: Fields) -> dict[str, float]:
    field = "Model_passages"
    scores = _object(fields, field) or {}
    return {
        fields.as_identifier(field, docid): fields.as_finite(field, score, key=docid)
        for docid, score in scores.items()
    }


def _quotes(fields: Fields) -> dict[str, str]:
    """Return the quote by the id of its passage; empty if the run gives no evidence."""
    field = "Model_evidence"
    values = _object(fields, field)
    if values is None:
        return {}
    evidence = Fields(values, fields.report, fields.index, within=field)
    return {evidence.identifier("passage_id"): evidence.text("text")}


def _object(fields: Fields, field: str) -> JsonObject | None:
    """Return the object of an optional field, or None."""
    if not fields.has_value(field):
        return None
    value = fields.values[field]
    if isinstance(value, dict):
        return value
    fields.problem(field, "is not an object", json_excerpt(value))
    return None


def write(answers: Iterable[AnswerRecord]) -> Iterator[str]:
    """Yield the text of a file with these answers, a record a line."""
    before = "[\n"
    for answer in answers:
        yield f"{before} {json.dumps(_record(answer), ensure_ascii=False)}"
        before = ",\n"
    yield "\n]\n"


def _record(answer: AnswerRecord) -> JsonObject:
    conversation, _, number = answer.turn_id.rpartition("_")
    record: JsonObject = {
        "Conversation_no": int(conversation),
        "Turn_no": int(number),
        "Model_answer": answer.text,
    }
    if answer.rewrite:
        record["Model_rewrite"] = answer.rewrite
    if scores := {each.docid: each.score for each in answer.citations if each.score is not None}:
        record["Model_passages"] = scores
    for each in answer.citations:
        if _is_quoted(each):
            record["Model_evidence"] = {"passage_id": each.docid, "text": each.quote}
    return record


def _is_quoted(citation: CitationRecord) -> bool:
    return bool(citation.quote) or citation.score is None


def holds(answer: AnswerRecord) -> bool:
    """Return whether a record can have the answer: every passage ranks by its score, but one quoted."""
    scores = {each.docid: each.score for each in answer.citations if each.score is not None}
    ranked = _ranked(scores)
    rank_of = {docid: rank for rank, (docid, _) in enumerate(ranked, start=1)}
    conversation = answer.turn_id.rpartition("_")[0]
    return (
        WHOLE_NUMBER.fullmatch(conversation) is not None
        and sum(map(_is_quoted, answer.citations)) <= 1
        and all(each.rank == rank_of.get(each.docid) for each in answer.citations)
    )


RUN_FORMAT = RunFormat(
    suffix=".json",
    holds=holds,
    write=write,
    read=read,
    unit="record",
    turn_field="Turn_no",
    is_of=lambda path: begins_with(path, "["),
    help_text="JSON, a list with a record for each turn: Conversation_no, Turn_no, Model_answer and, where"
    " there are any, Model_rewrite, Model_passages (ids with their scores) and Model_evidence (passage_id and"
    " the text quoted from it).",
)
