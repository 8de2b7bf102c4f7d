"""Questions that were made from passages, JSON Lines, a question a line, with its answer and proof.

    {"id", "question", "answer", "proof", "type", "section", "document",
     "passage": {"id", "text", "title", "kind", "document"},
     "maker": {"model", "prompt", "prompt_sha256", "seed"}}

A question is a conversation of one, its passage is offered for it, and its answer is the reference; a blank one
means that the passage does not answer it. The other fields become Turn.meta (corpus.question_meta). `document` is
that of the passage or of the line; where neither names one, the passage is a document by itself.

Required are id, question, answer and passage with its id and text. `record` is the line in its canonical form: the
keys as they came, with Python's own spaces and other letters than ASCII as they are.
"""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from corpus import names, quotes
from corpus.problems import Report, json_excerpt
from corpus.question_meta import missing_proofs
from corpus.readers.base import (
    TURN_NUMBER,
    DatasetFormat,
    Part,
    ReadDataset,
    describe,
    truth_of_question,
)
from corpus.readers.encoding import is_utf8
from corpus.readers.fields import Fields
from corpus.readers.strict_json import JsonObject, objects_by_line
from corpus.records import DatasetRecords, PassageRecord, TurnRecord, turn_id

LONGEST_NAME = 200
LARGEST_SEED = 2**64  # some programs draw seeds of 64 bits, and -1 means a random one
SHA256 = re.compile("[0-9a-f]{64}")
# What lines with one passage must agree in.
OF_PASSAGE = ("text", "title", "kind", "document")
# A question a line, so the line is long.
EXAMPLE = (
    '{"id": "q1", "question": "How long is a tide?", "answer": "Half a day.",'
    ' "proof": "A tide lasts half a day.", "type": "closed", "section": "Results",'
    ' "passage": {"id": "p1", "title": "Tides", "text": "A tide lasts half a day.", "kind": "text",'
    ' "document": "tides.pdf"},'
    ' "maker": {"model": "gpt-4", "prompt": "closed-1", "seed": 1}}\n'
)


@dataclass(slots=True)
class _Known:
    """Of the lines so far: the line of each question, and each passage with its first line."""

    lines: dict[str, int] = field(default_factory=dict)
    passages: dict[str, tuple[int, Mapping[str, str]]] = field(default_factory=dict)


def read(path: Path, *, name: str = "") -> DatasetRecords:
    """Return the questions with their passages. Raises ImportProblems with every problem of the file."""
    report = Report(name or path.name, "line")
    turns: list[TurnRecord] = []
    passages: list[PassageRecord] = []
    if is_utf8(path, report):
        known = _Known()
        for line, values in objects_by_line(path, report):
            turn, passage = _question(Fields(values, report, line), known, part=path.name)
            turns.append(turn)
            passages.append(passage)
        if not (turns or report.n):
            report.add("there is no line with a question")
    report.finish()
    return DatasetRecords(tuple(turns), tuple(passages))


def _question(fields: Fields, known: _Known, *, part: str) -> tuple[TurnRecord, PassageRecord]:
    key = fields.unique_identifier("id", known.lines)
    _require_name(fields, "id", key)
    question, answer = fields.text_unless_blank("question"), fields.text_unless_blank("answer")
    if not question and fields.is_sound:
        fields.problem("question", "says nothing")
    docid, about = _passage(fields, known)
    docids = (docid,) if answer else ()
    passage = PassageRecord(
        docid=docid,
        text=about["text"],
        url="",
        turn_id=turn_id(key, TURN_NUMBER),
        index=fields.index,
        title=about["title"],
    )
    meta = {
        **{name: _name(fields, name) for name in ("type", "section")},
        **{name: about[name] for name in ("kind", "document")},
        **_proof(fields, about["text"]),
        "maker": _maker(fields),
    }
    turn = TurnRecord(
        conversation=key,
        number=TURN_NUMBER,
        question=question,
        rewrite="",
        reference=answer,
        truth_passages=docids,
        source=truth_of_question(key, question, docids, answer),
        index=fields.index,
        record=_record(fields),
        part=part,
        meta=meta,
    )
    return turn, passage


def _record(fields: Fields) -> str:
    """Return the line, which is kept whole; report what cannot be kept or written in fields that are not read."""
    if not fields.is_sound:
        return ""
    for name, value in fields.values.items():
        fields.holdable(name, name)
        for leaf in _leaves(value):
            if isinstance(leaf, str):
                fields.holdable(name, leaf)
            elif isinstance(leaf, float):
                fields.as_finite(name, leaf)
    return line_of(fields.values) if fields.is_sound else ""


def _leaves(value: object) -> Iterator[object]:
    """Yield the keys and values in a value of JSON that are neither lists nor objects, however deep."""
    left = [value]
    while left:
        value = left.pop()
        if isinstance(value, dict):
            left += [*value, *value.values()]
        elif isinstance(value, list):
            left += value
        else:
            yield value


def line_of(record: Mapping[str, object]) -> str:
    """Return the line of a question, without its line end."""
    return json.dumps(record, ensure_ascii=False)


def _passage(fields: Fields, known: _Known) -> tuple[str, dict[str, str]]:
    """Return the id of the passage, and what else is said of it; report what an earlier line says otherwise."""
    passage = _object(fields, "passage", is_required=True)
    if passage is None:
        return "", dict.fromkeys(OF_PASSAGE, "")
    docid = passage.identifier("id")
    _require_name(passage, "id", docid)
    about = {
        "text": passage.text("text"),
        "title": passage.optional_text("title"),
        "kind": _name(passage, "kind"),
        "document": _document(fields, passage) or docid,
    }
    if not about["text"].strip() and passage.is_sound:
        passage.problem("text", "says nothing")
    line, first = known.passages.setdefault(docid, (fields.index, about))
    for name in OF_PASSAGE if passage.is_sound else ():
        if about[name] != first[name]:
            said = json_excerpt(about[name])
            passage.problem(
                name, f"is not that of the passage {json_excerpt(docid)} in line {line}", said
            )
    return docid, about


def _document(fields: Fields, passage: Fields) -> str:
    """Return the document that the passage or the line names."""
    own, of_line = _name(passage, "document"), _name(fields, "document")
    if own and of_line and own != of_line:
        fields.problem("document", "is not that of the passage", json_excerpt(of_line))
    return own or of_line


def _proof(fields: Fields, passage: str) -> dict[str, str]:
    """Return the proof and whether it is in the passage; both empty where there is none."""
    proof = fields.optional_unless_blank("proof")
    if not proof:
        return {"proof": "", "proof_status": ""}
    n, n_passage = (len(" ".join(text.split())) for text in (proof, passage))
    if n_passage and n > n_passage:
        message = f"is longer than its passage: {n:,} characters, the passage {n_passage:,}"
        fields.problem("proof", message, json_excerpt(proof))
    return {"proof": proof, "proof_status": quotes.place(proof, passage).status.value}


def _maker(fields: Fields) -> JsonObject:
    maker = _object(fields, "maker")
    if maker is None:
        return {"model": "", "prompt": "", "prompt_sha256": "", "seed": None}
    sha256 = maker.optional_unless_blank("prompt_sha256").lower()
    if sha256 and not SHA256.fullmatch(sha256):
        maker.problem("prompt_sha256", "is not 64 digits from 0 to f", json_excerpt(sha256))
    return {
        "model": _name(maker, "model"),
        "prompt": maker.optional_text("prompt"),
        "prompt_sha256": sha256,
        "seed": maker.number("seed", least=-LARGEST_SEED, most=LARGEST_SEED)
        if maker.has_value("seed")
        else None,
    }


def _name(fields: Fields, field: str) -> str:
    """Return an optional name: one line, as it is printed in tables."""
    name = fields.optional_unless_blank(field)
    _require_name(fields, field, name)
    if len(name) > LONGEST_NAME:
        fields.problem(field, f"has more than {LONGEST_NAME} characters", json_excerpt(name))
    return name


def _require_name(fields: Fields, field: str, name: str) -> None:
    """Report a name that is not distinguishable in print."""
    if (flaw := names.flaw(name)) and name.strip():
        fields.problem(field, flaw, json_excerpt(name))


def _object(fields: Fields, field: str, *, is_required: bool = False) -> Fields | None:
    """Return the fields of an object in a field; None where there is none, which is reported if it is required."""
    value = fields.values.get(field)
    if value is None and not is_required:
        return None
    if not fields.required(field):
        return None
    if not isinstance(value, dict):
        fields.problem(field, "is not an object", json_excerpt(value))
        return None
    return Fields(value, fields.report, fields.index, within=field)


def read_dataset(path: Path) -> ReadDataset:
    records = read(path)
    return ReadDataset(records, [describe(path)], warnings=missing_proofs(records.turns))


FORMAT = DatasetFormat(
    name="questions",
    title="Made questions",
    parts=(
        Part(
            name="questions",
            label="Questions",
            help_text="JSON Lines, a question a line: id, question, answer (blank where the passage does not"
            " answer it), passage (its id, text, and where known title, kind and document), and where known proof"
            " (the sentence of the passage that proves the answer), type, section and maker (model, prompt, seed).",
            example=EXAMPLE,
            option_help="questions made from passages, JSON Lines",
        ),
    ),
    has_types=True,
    read=lambda files, beat: read_dataset(files["questions"]),
)
