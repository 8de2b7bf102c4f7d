"""Passages: a table of those offered for turns, or JSON Lines of those that answers cite.

- TSV with a header, quoted as RFC 4180: `turn_id, passage_id, passage`, and `url` where there is one.
- JSON Lines: `{"id": str, "contents" | "text": str, "url"?: str}`; where both say something, `contents` counts.

A file whose first visible character is "{" is JSON Lines. A passage has one text: the same passage again
for the same turn is counted once, and with another text it is a problem, wherever it stands.
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
    """The passages one by one, for files larger than memory: only ids and hashes are kept.

    `ImportProblems` comes at the end. Nothing may be made of the passages before that: go through the file
    once to check it and a second time to use it, or collect what is wanted and use it after the end.
    """
    report = Report(name or path.name, "row")
    if is_utf8(path, report):
        known = _Known()
        for fields, passage in _passages(path, report):
            if known.is_new(passage, fields):
                yield passage
    report.finish()


def _passages(path: Path, report: Report) -> Iterator[tuple[Fields, PassageRecord]]:
    if begins_with(path, "{"):
        report.unit = "line"
        for line, values in objects_by_line(path, report):
            fields = Fields(values, report, line)
            yield fields, _told(fields)
    else:
        for row, cells in rows(path, report, COLUMNS, delimiter="\t"):
            fields = Fields(cells, report, row)
            yield fields, _offered(fields)


def _offered(fields: Fields) -> PassageRecord:
    return PassageRecord(
        docid=fields.identifier("passage_id"),
        text=fields.text("passage"),
        url=fields.optionally_said("url"),
        turn_id=fields.turn_id("turn_id"),
        index=fields.index,
    )


def _told(fields: Fields) -> PassageRecord:
    return PassageRecord(
        docid=fields.identifier("id"),
        text=_text(fields),
        url=fields.optionally_said("url"),
        turn_id=None,
        index=fields.index,
    )


def _text(fields: Fields) -> str:
    """Of `contents` and `text` the one that says something, else the one that is there."""
    contents = fields.optional_text("contents")
    if contents.strip() or (fields.given("contents") and not fields.given("text")):
        return contents
    return fields.text("text")


class _Known:
    """The passages met so far: which text each id stands for, and what is offered where."""

    def __init__(self) -> None:
        self._first_of: dict[str, tuple[int, bytes]] = {}
        self._offered: set[tuple[str | None, str]] = set()

    def is_new(self, passage: PassageRecord, fields: Fields) -> bool:
        if not fields.clean:
            return False
        told = _hash(passage)
        first, known = self._first_of.setdefault(passage.docid, (fields.index, told))
        if told != known:
            message = f"has another text or url than in {fields.report.unit} {first}"
            fields.problem("passage", message, json_excerpt(passage.docid))
        offered = (passage.turn_id, passage.docid)
        new = offered not in self._offered
        self._offered.add(offered)
        return new


def _hash(passage: PassageRecord) -> bytes:
    return blake2b(f"{passage.url}\0{passage.text}".encode(), digest_size=16).digest()
