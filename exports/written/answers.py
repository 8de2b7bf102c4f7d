"""What people wrote from passages, in two rounds. Imports no Django.

In the second round another person sees a written answer and keeps it, changes it or skips it. An answer of the second
round names the one that was shown by `first`.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from annotation.schemes.routing import SKIP, Kind
from annotation.schemes.routing import Written as Content
from annotation.schemes.written_questions import TITLE


@dataclass(frozen=True, slots=True)
class Shown:
    """The question of an item and its passage. A sentence is called by its number, from 1; 0 is the title."""

    question: str
    title: str
    text: str
    sentences: tuple[str, ...]

    @classmethod
    def of(cls, payload: Mapping[str, Any]) -> "Shown":
        """Return what the payload of an item of writing shows: its question and its one passage."""
        passage = payload["passages"][0]
        # As the scheme asks: a passage that no file split is one sentence.
        text = passage["text"]
        sentences = tuple(passage["sentences"]) or (text,)
        return cls(payload["question"], passage["title"], text, sentences)

    def texts(self, numbers: Iterable[int]) -> list[str]:
        """The texts of these sentences, in their order; equal ones stay apart."""
        return [self.title if n == TITLE else self.sentences[n - 1] for n in numbers]


@dataclass(frozen=True, slots=True)
class WrittenAnswer:
    """One counted judgement of a batch of writing.

    judgement, turn  primary keys; the turn is that of the data set's version asked for
    round            1, or 2 if an answer of round 1 was shown, which is `first`
    kept             what round 2 says of it: keep or modify; "" in round 1 and where it was skipped
    sentences        the numbers of the ticked ones, sorted; 0 is the title
    """

    judgement: int
    turn: int
    turn_id: str
    batch: str
    item_id: str
    first_item_id: str
    annotator: str
    round: int
    first: int | None
    outcome: str
    kept: str
    answer: str
    sentences: tuple[int, ...]
    minimal: bool
    reason: str
    active_seconds: float
    shown: Shown

    @property
    def content(self) -> Content:
        """Return what is compared between two answers: confirmations, times and reasons are no part of it."""
        return Content(self.outcome, self.answer, self.sentences)

    @property
    def is_skipped(self) -> bool:
        return self.outcome == SKIP

    @property
    def body(self) -> list[int]:
        """The ticked sentences without the title."""
        return [n for n in self.sentences if n != TITLE]

    @property
    def sentences_in_words(self) -> str:
        return in_words(self.sentences)

    @property
    def is_non_consecutive(self) -> bool:
        """Whether a sentence that is not ticked lies between two that are. The title counts as none of them."""
        return self.content.kind == Kind.GAPS


@dataclass(frozen=True, slots=True)
class Written:
    """What was written; `n_without_first` answers of round 2 are left out: those that they saw no longer count."""

    answers: list[WrittenAnswer]
    n_without_first: int


@dataclass(frozen=True, slots=True)
class Pair:
    """An answer of the first round, and what another person made of it in the second."""

    first: WrittenAnswer
    second: WrittenAnswer

    @property
    def is_kept(self) -> bool:
        return self.first.content == self.second.content

    @property
    def differs(self) -> bool:
        """Whether the second differs, and neither is skipped."""
        return not (self.is_kept or self.first.is_skipped or self.second.is_skipped)


def in_words(numbers: Sequence[int]) -> str:
    """Sentences in words: (0, 2, 3) → "the title, 2, 3"; "none" without any."""
    return ", ".join("the title" if n == TITLE else str(n) for n in numbers) or "none"


def by_question(answers: Iterable[WrittenAnswer]) -> dict[int, list[WrittenAnswer]]:
    """The answers by turn: those of round 1 by their annotators, each followed by those of round 2 that saw it."""
    found: defaultdict[int, list[WrittenAnswer]] = defaultdict(list)
    firsts: list[WrittenAnswer] = []
    seconds: defaultdict[int | None, list[WrittenAnswer]] = defaultdict(list)
    for each in sorted(answers, key=lambda each: (each.annotator, each.judgement)):
        if each.round == 1:
            firsts.append(each)
        else:
            seconds[each.first].append(each)
    for first in firsts:
        found[first.turn] += [first, *seconds[first.judgement]]
    return dict(found)


def pairs(answers: Collection[WrittenAnswer]) -> list[Pair]:
    """All answers of round 2 with those that they saw, by turn."""
    known = {each.judgement: each for each in answers}
    return [
        Pair(known[each.first], each)
        for of_question in by_question(answers).values()
        for each in of_question
        if each.first is not None
    ]


def is_written(of_question: Sequence[WrittenAnswer]) -> bool:
    """Whether anybody did not skip the question."""
    return not all(each.is_skipped for each in of_question)


def n_people(of_question: Sequence[WrittenAnswer]) -> int:
    return len({each.annotator for each in of_question})
