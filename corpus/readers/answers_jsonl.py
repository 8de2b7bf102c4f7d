"""A run as JSON Lines: one system's answers to single questions.

`{"id": str, "answer": str, "passages": [...]}`, one line a question. `id` is the question's in the
data set (a number counts as its digits); a missing or null answer is "". `passages`, which is
optional, are those that the answer rests on, best first: each an id, or `{"id"?, "text"?, "title"?,
"score"?}` with an id, a text or both. A passage without an id is identified by its text.
"""

import json
from collections.abc import Iterable, Iterator
from pathlib import Path

from corpus.problems import Report, json_excerpt
from corpus.readers.base import RunFormat
from corpus.readers.encoding import begins_with, is_utf8
from corpus.readers.fields import Fields
from corpus.readers.strict_json import JsonObject, objects_by_line
from corpus.records import AnswerRecord, CitationRecord, turn_id

FIELDS = ("answer", "passages")
# A single question is a conversation of one.
TURN_NUMBER = 1


def read(path: Path, *, name: str = "") -> tuple[AnswerRecord, ...]:
    report = Report(name or path.name, "line")
    records = []
    known: dict[str, int] = {}
    fields: set[str] = set()
    if is_utf8(path, report):
        for line, values in objects_by_line(path, report):
            fields |= values.keys()
            records.append(_answer(Fields(values, report, line), known))
        if not (known or report.n):
            report.add("there is no line with an answer")
    if records and fields.isdisjoint(FIELDS):
        report.add(f"no line has a field of a run ({', '.join(FIELDS)}): is this one?")
    report.finish()
    return tuple(records)


def _answer(fields: Fields, known: dict[str, int]) -> AnswerRecord:
    key = _id(fields)
    first = known.setdefault(key, fields.index)
    if first != fields.index:
        fields.problem("id", f"is already in line {first}", json_excerpt(key))
    return AnswerRecord(
        turn_id=turn_id(key, TURN_NUMBER),
        text=fields.optional_text("answer"),
        rewrite="",
        citations=_citations(fields),
        index=fields.index,
    )


def _id(fields: Fields) -> str:
    value = fields.values.get("id")
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    return fields.identifier("id")


def _citations(fields: Fields) -> tuple[CitationRecord, ...]:
    """Return the citations in the order of the file, which is their rank, without duplicates."""
    values = fields.values.get("passages")
    if values is None:
        return ()
    if not isinstance(values, list):
        fields.problem("passages", "is not a list", json_excerpt(values))
        return ()
    cited = [_citation(fields, value, place) for place, value in enumerate(values, start=1)]
    found: dict[tuple[str, str | None], CitationRecord] = {}
    for each in cited:
        found.setdefault((each.docid, None if each.docid else each.text), each)
    return tuple(found.values())


def _citation(fields: Fields, value: object, place: int) -> CitationRecord:
    field = f"passages[{place}]"
    if not isinstance(value, dict):
        return CitationRecord(fields.as_identifier(field, value), place, None, "")
    passage = Fields(value, fields.report, fields.index, within=field)
    docid = passage.identifier("id") if passage.has_value("id") else ""
    text = passage.text("text") if passage.has_value("text") else None
    if not docid and not (text or "").strip():
        fields.problem(field, "has neither id nor text")
    score = passage.as_finite("score", value["score"]) if passage.has_value("score") else None
    return CitationRecord(docid, place, score, "", text, passage.optional_text("title"))


def write(answers: Iterable[AnswerRecord]) -> Iterator[str]:
    """Yield the lines of a file with these answers."""
    for answer in answers:
        yield json.dumps(_line(answer), ensure_ascii=False) + "\n"


def _line(answer: AnswerRecord) -> JsonObject:
    line: JsonObject = {"id": answer.turn_id.rpartition("_")[0], "answer": answer.text}
    if passages := _passages(answer):
        line["passages"] = passages
    return line


def _passages(answer: AnswerRecord) -> list[JsonObject]:
    """Return the passages, each at the place of its rank; a place that is none's repeats the one before.

    So it was in the file: a passage that is there twice counts once.
    """
    passages: list[JsonObject] = []
    for each in _by_rank(answer):
        missing = (each.rank or 0) - 1 - len(passages)
        passages += passages[-1:] * missing
        passages.append(_passage(each))
    return passages


def _passage(citation: CitationRecord) -> JsonObject:
    fields: JsonObject = {
        "id": citation.docid,
        "title": citation.title or None,
        "text": citation.text,
        "score": citation.score,
    }
    return {name: value for name, value in fields.items() if value is not None}


def _by_rank(answer: AnswerRecord) -> list[CitationRecord]:
    return sorted(answer.citations, key=lambda each: each.rank or 0)


def holds(answer: AnswerRecord) -> bool:
    """Return whether a line can have the answer: a single question's, without rewrite and quotes."""
    ranks = [each.rank for each in _by_rank(answer)]
    return (
        answer.turn_id.rpartition("_")[2] == str(TURN_NUMBER)
        and not answer.rewrite
        and not any(each.quote for each in answer.citations)
        and None not in ranks
        and ranks[:1] in ([], [1])
        and len(set(ranks)) == len(ranks)
    )


RUN_FORMAT = RunFormat(
    suffix=".jsonl",
    holds=holds,
    write=write,
    read=read,
    unit="line",
    turn_field="id",
    is_of=lambda path: begins_with(path, "{"),
    help_text="JSON Lines, for single questions: id, answer and, where there are any, passages (ids, or objects"
    " with id, title, text and score, best first).",
)
