"""Which turns of a new version of a data set are the same as in the versions before it. Without Django.

A turn is the same if nothing that people judge an answer by has changed: its question and rewrite, the
questions before it in its conversation, its references, the passages that its truth names or that are
offered for it, and the titles and texts of these and of the passages that answers to it cite. A turn is known by its
id, so one that moved to another id is gone and new.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from corpus.records import DatasetRecords, TurnRecord

QUESTION, EARLIER, REFERENCE, PASSAGES, LINE = (
    "question",
    "earlier questions",
    "reference",
    "passages",
    "line of the file",
)

# What a turn is judged by, each part under its name.
Content = Mapping[str, Any]


@dataclass(frozen=True)
class Comparison:
    """How the turns of a version compare with those of the versions that it continues.

    unchanged  the number of turns that are the same as in some earlier version
    changed    by turn, what has changed since the version before
    new, gone  turns that no earlier version has, and those that the version before has and this one has not
    """

    unchanged: int
    changed: Mapping[str, Sequence[str]]
    new: Sequence[str]
    gone: Sequence[str]

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)


@dataclass(frozen=True)
class Version:
    """What is compared of a version: the content of each turn, and by id the title and text of each passage."""

    turns: Mapping[str, Content]
    texts: Mapping[str, tuple[str, str]]

    @classmethod
    def from_records(cls, records: DatasetRecords) -> "Version":
        offered: dict[str, set[str]] = {}
        for passage in records.passages:
            if passage.turn_id is not None:
                offered.setdefault(passage.turn_id, set()).add(passage.docid)
        texts = {each.docid: (each.title, each.text) for each in records.passages}
        return cls(_contents(records.turns, offered), texts)

    def other_texts(self, older: "Version") -> set[str]:
        """Return the passages that both have and whose title or text is another one in `older`."""
        both = self.texts.keys() & older.texts.keys()
        return {docid for docid in both if self.texts[docid] != older.texts[docid]}


def _contents(
    turns: Iterable[TurnRecord], offered: Mapping[str, set[str]]
) -> dict[str, dict[str, Any]]:
    asked: dict[str, list[str]] = {}
    contents = {}
    for turn in sorted(turns, key=lambda each: (each.conversation, each.number)):
        earlier = asked.setdefault(turn.conversation, [])
        wordings = [text for text in (turn.question, turn.rewrite) if text.strip()]
        references = (turn.reference, *turn.other_references)
        contents[turn.turn_id] = {
            QUESTION: (turn.question, turn.rewrite),
            EARLIER: tuple(earlier),
            REFERENCE: frozenset(text.strip() for text in references if text.strip()),
            PASSAGES: frozenset({*turn.truth_passages, *offered.get(turn.turn_id, ())}),
            # A line with `meta` says much by which no answer is judged: its section, who made it.
            LINE: "" if turn.meta else turn.record,
        }
        earlier += wordings[:1]
    return contents


def changes(
    turn: str, new: Version, old: Version, other_texts: set[str], cited: Mapping[str, set[str]]
) -> tuple[str, ...]:
    """Return what of a turn that both versions have differs, in the order of the parts.

    `other_texts` are the passages whose title or text differs, and `cited` the passages among them that answers cite,
    by turn.
    """
    before, after = old.turns[turn], new.turns[turn]
    found = [part for part in after if after[part] != before[part]]
    read = {*after[PASSAGES], *cited.get(turn, ())}
    if PASSAGES not in found and other_texts & read:
        found.append(PASSAGES)
    # The line says all of this again: it is named where nothing else is.
    return tuple(part for part in found if part != LINE) or tuple(found)
