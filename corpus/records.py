"""Records that the readers return: plain values, one for each thing in a file.

`index` is a record's place in its file, counted as in corpus.problems.Problem, so that problems
found later, between files, can name it; 0 if it was not read from a file. It is not content.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Any


def turn_id(conversation: str, number: int) -> str:
    return f"{conversation}_{number}"


@dataclass(frozen=True, slots=True)
class QuestionRecord:
    conversation: str
    number: int
    question: str
    index: int = field(default=0, compare=False)

    @property
    def turn_id(self) -> str:
        return turn_id(self.conversation, self.number)


@dataclass(frozen=True, slots=True)
class AcceptedRecord:
    """An answer that people accepted in a release, as its silver.json has it (docs/formats.md)."""

    source: dict[str, Any] = field(hash=False)

    @property
    def text(self) -> str:
        return str(self.source["answer"])

    @property
    def tier(self) -> str:
        """Return gold or silver."""
        return str(self.source["tier"])


@dataclass(frozen=True, slots=True)
class TurnRecord:
    """A turn and its truth.

    `question` is "" if no questions file has it, `reference` is "" if there is no truth. `source`
    holds the five truth keys exactly as in the file, to be written back unchanged; it is empty for
    a turn that only the questions file has, and `index` is then a place in that file.
    `other_references` are further correct answers. `record` is the whole line of a format that is
    written back byte for byte, and `part` the file of the turn, in a data set of several. `accepted`
    are the accepted answers of a release, in its order. `meta` says how the question was made, as Turn.meta.
    """

    conversation: str
    number: int
    question: str
    rewrite: str
    reference: str
    truth_passages: tuple[str, ...]
    source: dict[str, object] = field(default_factory=dict, hash=False)
    index: int = field(default=0, compare=False)
    other_references: tuple[str, ...] = ()
    record: str = ""
    part: str = field(default="", compare=False)
    accepted: tuple[AcceptedRecord, ...] = ()
    meta: dict[str, Any] = field(default_factory=dict, hash=False)

    @property
    def turn_id(self) -> str:
        return turn_id(self.conversation, self.number)


@dataclass(frozen=True, slots=True)
class PassageRecord:
    """A passage, offered for the turn `turn_id`; if that is None, only its text is given."""

    docid: str
    text: str
    url: str
    turn_id: str | None
    index: int = field(default=0, compare=False)
    title: str = ""
    sentences: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class CitationRecord:
    """A passage that an answer rests on; `rank` counts from 1.

    Rank and score are None if the passage was only quoted, not retrieved; `quote` is "" if the run
    quoted nothing from it. `text` and `title` are those that the run gives. A docid of "" is to be
    found by the text.
    """

    docid: str
    rank: int | None
    score: float | None
    quote: str
    text: str | None = None
    title: str = ""


@dataclass(frozen=True, slots=True)
class AnswerRecord:
    """A run's answer to a turn.

    `text` is raw, with outer white space; `index` is its place in the file, from 1.
    """

    turn_id: str
    text: str
    rewrite: str
    citations: tuple[CitationRecord, ...]
    index: int


@dataclass(frozen=True, slots=True)
class ScoreRecord:
    turn_id: str
    run: str
    value: float
    index: int = field(default=0, compare=False)


Record = TurnRecord | PassageRecord | AnswerRecord | ScoreRecord


@dataclass(frozen=True, slots=True)
class DatasetRecords:
    turns: tuple[TurnRecord, ...]
    passages: tuple[PassageRecord, ...] = ()

    @property
    def records(self) -> tuple[Record, ...]:
        return (*self.turns, *self.passages)


def with_questions(
    turns: Iterable[TurnRecord], questions: Iterable[QuestionRecord]
) -> tuple[TurnRecord, ...]:
    """Return the turns with their questions, then a turn without truth for every other question.

    Turns without truth are kept because they are context of later turns and because runs answer
    them.
    """
    question_of = {question.turn_id: question for question in questions}
    with_question = tuple(
        replace(turn, question=question_of.pop(turn.turn_id).question)
        if turn.turn_id in question_of
        else turn
        for turn in turns
    )
    others = (
        TurnRecord(
            question.conversation,
            question.number,
            question.question,
            "",
            "",
            (),
            {},
            question.index,
        )
        for question in question_of.values()
    )
    return (*with_question, *others)
