"""Digests of and differences between records in a canonical form.

The form leaves out what carries no meaning: the order of the records, of truth passages and of
citations; an answer's place in its file; a turn's raw source (its five keys are fields of the
turn). So the digests of two sets of records are equal exactly if their difference is empty.

Both functions need records of different things, as the readers return them.
"""

import json
import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from hashlib import sha256

from corpus.records import (
    AnswerRecord,
    CitationRecord,
    PassageRecord,
    Record,
    ScoreRecord,
    TurnRecord,
)

N_NAMED = 5
DIGITS = re.compile("([0-9]+)")

Identity = tuple[str, ...]
Content = dict[str, object]


def digest(records: Iterable[Record]) -> str:
    """Return the sha256, in hexadecimal, of the sorted sha256 of the records' canonical JSON."""
    hashes = sorted(sha256(_canonical(record)).digest() for record in records)
    return sha256(b"".join(hashes)).hexdigest()


def answers_digest(answers: Iterable[AnswerRecord]) -> str:
    """Return the sha256 of the texts of a run's answers, equal for two runs with the same answers.

    Texts are stripped of outer white space; an empty answer and a missing one are the same.
    """
    texts = {answer.turn_id: answer.text.strip() for answer in answers}
    sorted_texts = sorted((turn, text) for turn, text in texts.items() if text)
    return sha256(json.dumps(sorted_texts, separators=(",", ":")).encode("ascii")).hexdigest()


@dataclass(frozen=True, slots=True)
class FirstNames:
    """The number of names and the first few of them. Numbers in them are sorted as numbers."""

    n: int
    first: tuple[str, ...]

    def __str__(self) -> str:
        n_more = self.n - len(self.first)
        return ", ".join(self.first) + (f" and {n_more} more" if n_more else "")


@dataclass(frozen=True, slots=True)
class Difference:
    """The records that were added, removed or changed.

    `fields` counts the changed records by field.

    True if there are any. Printed: "1 added (turn 2_1); 7 changed (turn 1_1, turn 1_2, turn 1_3,
    turn 1_4, turn 1_5 and 2 more: reference in 7, rewrite in 1)".
    """

    added: FirstNames
    removed: FirstNames
    changed: FirstNames
    fields: tuple[tuple[str, int], ...]

    def __bool__(self) -> bool:
        return bool(self.added.n or self.removed.n or self.changed.n)

    def __str__(self) -> str:
        fields = ", ".join(f"{field} in {n}" for field, n in self.fields)
        parts = (
            (self.added.n, "added", str(self.added)),
            (self.removed.n, "removed", str(self.removed)),
            (self.changed.n, "changed", f"{self.changed}: {fields}"),
        )
        return (
            "; ".join(f"{n} {what} ({names})" for n, what, names in parts if n) or "no difference"
        )


def difference(old: Iterable[Record], new: Iterable[Record]) -> Difference:
    before = {_identity(record): record for record in old}
    after = {_identity(record): record for record in new}
    changed = {
        identity: fields
        for identity in before.keys() & after.keys()
        if (fields := _changed_fields(before[identity], after[identity]))
    }
    times = Counter(field for fields in changed.values() for field in fields)
    return Difference(
        added=_first_identities(after.keys() - before.keys()),
        removed=_first_identities(before.keys() - after.keys()),
        changed=_first_identities(changed),
        fields=tuple(sorted(times.items())),
    )


def _changed_fields(old: Record, new: Record) -> list[str]:
    before, after = _content(old), _content(new)
    return [field for field in {**before, **after} if before.get(field) != after.get(field)]


def first_names(names: Iterable[str]) -> FirstNames:
    return _first_identities((name,) for name in names)


def _first_identities(identities: Iterable[Identity]) -> FirstNames:
    ordered = sorted(identities, key=lambda identity: [natural(part) for part in identity])
    return FirstNames(
        len(ordered), tuple(" ".join(filter(None, each)) for each in ordered[:N_NAMED])
    )


def natural(text: str) -> list[tuple[str, int]]:
    """Return a sort key of alternating texts and numbers, so that turn 2_1 precedes 10_1."""
    parts = [*DIGITS.split(text), "0"]
    return [(parts[i], int(parts[i + 1])) for i in range(0, len(parts), 2)]


def _identity(record: Record) -> Identity:
    match record:
        case TurnRecord():
            return ("turn", record.turn_id)
        case AnswerRecord():
            return ("answer", record.turn_id)
        case PassageRecord():
            return ("passage", record.turn_id or "", record.docid)
        case ScoreRecord():
            return ("score", record.turn_id, record.run)


def _canonical(record: Record) -> bytes:
    values = [*_identity(record), _content(record)]
    return json.dumps(values, sort_keys=True, separators=(",", ":")).encode("ascii")


def _content(record: Record) -> Content:
    """Return the values of a record without its identity."""
    match record:
        case TurnRecord():
            return {
                "question": record.question,
                "rewrite": record.rewrite,
                "reference": record.reference,
                "truth_passages": sorted(set(record.truth_passages)),
                **({"record": record.record} if record.record else {}),
                **_accepted(record),
                **({"meta": record.meta} if record.meta else {}),
            }
        case AnswerRecord():
            cited = sorted(record.citations, key=lambda citation: citation.docid)
            return {
                "text": record.text,
                "rewrite": record.rewrite,
                "citations": [_citation(citation) for citation in cited],
            }
        case PassageRecord():
            return {"text": record.text, "url": record.url, **_parts(record)}
        case ScoreRecord():
            return {"value": _number(record.value)}


def _accepted(turn: TurnRecord) -> Content:
    """Return the accepted answers, which only a version that has read a release has."""
    return {"accepted": [each.source for each in turn.accepted]} if turn.accepted else {}


def _parts(passage: PassageRecord) -> Content:
    """Return the fields that only some formats have, if they have values.

    So the digests of all other formats stay as they were.
    """
    fields = {"title": passage.title, "sentences": list(passage.sentences)}
    return {name: value for name, value in fields.items() if value}


def _citation(citation: CitationRecord) -> list[object]:
    score = None if citation.score is None else _number(citation.score)
    return [citation.docid, citation.rank, score, citation.quote]


def _number(value: float) -> float:
    """Return the same value for 1 and 1.0, and for 0.0 and -0.0."""
    return float(value) + 0.0
