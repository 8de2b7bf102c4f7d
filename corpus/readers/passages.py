"""Passages: a table of those offered for turns, or JSON Lines of those that answers cite.

- TSV with a header, quoted as RFC 4180: `turn_id, passage_id, passage`, and optionally `url`.
- JSON Lines: `{"id": str, "contents" | "text": str, "url"?: str}`; if both are not blank, `contents` counts.

A file whose first visible character is "{" is JSON Lines. A passage has one text: the same passage
again for the same turn counts once; with another text it is a problem, for any turn.
"""

from collections.abc import Iterator
from hashlib import blake2b
from pathlib import Path

from corpus.problems import Report, json_excerpt
from corpus.readers.encoding import begins_with, is_utf8
from corpus.readers.fields import Fields
from corpus.readers.strict_json import objects_by_line
from corpus.readers.tables import rows
from corpus.records import PassageRecord

COLUMNS = ("turn_id", "passage_id", "passage")


def read(path: Path, *, name: str = "") -> tuple[PassageRecord, ...]:
    return tuple(stream(path, name=name))


def stream(path: Path, *, name: str = "") -> Iterator[PassageRecord]:
    """Yield the passages one by one, for files larger than memory: only ids and hashes are kept.

    `ImportProblems` is raised at the end, so the passages are not valid before that: read the file
    once to check it and a second time to use it, or collect the passages and use them after the
    end.
    """
    report = Report(name or path.name, "row")
    if is_utf8(path, report):
        known = _KnownPassages()
        for fields, passage in _passages(path, report):
            if known.is_new(passage, fields):
                yield passage
    report.finish()


def _passages(path: Path, report: Report) -> Iterator[tuple[Fields, PassageRecord]]:
    if begins_with(path, "{"):
        report.unit = "line"
        for line, values in objects_by_line(path, report):
            fields = Fields(values, report, line)
            yield fields, _passage_by_id(fields)
    else:
        for row, cells in rows(path, report, COLUMNS, delimiter="\t"):
            fields = Fields(cells, report, row)
            yield fields, _passage_of_turn(fields)


def _passage_of_turn(fields: Fields) -> PassageRecord:
    return PassageRecord(
        docid=fields.identifier("passage_id"),
        text=fields.text("passage"),
        url=fields.optional_unless_blank("url"),
        turn_id=fields.turn_id("turn_id"),
        index=fields.index,
    )


def _passage_by_id(fields: Fields) -> PassageRecord:
    return PassageRecord(
        docid=fields.identifier("id"),
        text=_text(fields),
        url=fields.optional_unless_blank("url"),
        turn_id=None,
        index=fields.index,
    )


def _text(fields: Fields) -> str:
    """Return the one of `contents` and `text` that is not blank, else the one that is present."""
    contents = fields.optional_text("contents")
    if contents.strip() or (fields.has_value("contents") and not fields.has_value("text")):
        return contents
    return fields.text("text")


class _KnownPassages:
    """The passages so far: the text of each id, and the offers."""

    def __init__(self) -> None:
        self._first_of: dict[str, tuple[int, bytes]] = {}
        self._offered: set[tuple[str | None, str]] = set()

    def is_new(self, passage: PassageRecord, fields: Fields) -> bool:
        if not fields.is_sound:
            return False
        digest = _hash(passage)
        first, known = self._first_of.setdefault(passage.docid, (fields.index, digest))
        if digest != known:
            message = f"has another text or url than in {fields.report.unit} {first}"
            fields.problem("passage", message, json_excerpt(passage.docid))
        offered = (passage.turn_id, passage.docid)
        new = offered not in self._offered
        self._offered.add(offered)
        return new


def _hash(passage: PassageRecord) -> bytes:
    return blake2b(f"{passage.url}\0{passage.text}".encode(), digest_size=16).digest()
