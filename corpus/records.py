"""What the readers give: plain values, one record for each thing that a file tells of.

`index` is a record's place in its file as corpus.problems.Problem counts it, so that what is found wrong
later, between files, is named like the rest; 0 where it was not read from a file. It is no content.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace


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
class TurnRecord:
    """A turn and what is true of it.

    `question` is "" where no questions file told it, `reference` is "" where there is no truth.
    `source` holds the five truth keys exactly as the file had them, to be written back untouched; it is
    empty for a turn that only the questions file tells of, and `index` is then a place in that file.
    `other_references` are right answers beside the reference. `record` is the whole line of a format that is
    written back byte for byte, and `part` the file that the turn came from, of a data set of several.
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

    @property
    def turn_id(self) -> str:
        return turn_id(self.conversation, self.number)


@dataclass(frozen=True, slots=True)
class PassageRecord:
    """A passage; offered for the turn `turn_id`, or, where that is None, only told by its text."""

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

    Rank and score are None where the passage was only quoted, not retrieved; `quote` is "" where the
    run quoted nothing from it. Where the run tells the passage's text it is `text`, under `title`; a docid of
    "" then is yet to be found by the text.
    """

    docid: str
    rank: int | None
    score: float | None
    quote: str
    text: str | None = None
    title: str = ""


@dataclass(frozen=True, slots=True)
class AnswerRecord:
    """A run's answer to a turn: `text` raw, with its outer white space; `index` is its place in the file, from 1."""

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
    """The turns with their questions, and after them a turn without truth for every other question.

    Turns without truth are kept because they are context of later turns and because runs answer them.
    """
    asked = {question.turn_id: question for question in questions}
    told = tuple(
        replace(turn, question=asked.pop(turn.turn_id).question) if turn.turn_id in asked else turn
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
        for question in asked.values()
    )
    return (*told, *others)
