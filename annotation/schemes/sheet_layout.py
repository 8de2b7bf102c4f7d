"""A sheet as it stands on a screen: with each answer and each passage what is asked of it. Plain Python."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from annotation.schemes.base import Payload
from annotation.schemes.questions import Mark, Question
from annotation.schemes.sheet import SheetScheme


@dataclass(frozen=True)
class Asked:
    """A question on the screen.

    marks       what can be set, each with whether it is
    is_asked    what was said so far has it asked
    is_over     its part is over: what was said stays
    is_missing  it is to be answered, and was not
    """

    question: Question
    marks: list[tuple[Mark, bool]]
    is_asked: bool
    is_over: bool
    is_missing: bool

    @property
    def only_labels(self) -> list[str]:
        """What has to be said for it to be asked; empty where it always is."""
        return sorted(self.question.only_if.labels) if self.question.only_if else []


@dataclass(frozen=True)
class Sheet:
    """Which part is on the screen, by its number and name, and whether it is the last one: it shows the passages.
    `passages` is what they are called.
    """

    part: int
    n_parts: int
    name: str
    passages: str
    n_missing: int

    @property
    def is_last(self) -> bool:
        return self.part == self.n_parts


def on_screen(
    scheme: SheetScheme,
    content: Payload,
    said: Mapping[str, str],
    *,
    shows_all: bool,
    tells_missing: bool = False,
) -> dict[str, Any]:
    """The content (as payloads.presented gives it) with its `sheet`: `asked` is what is asked of the whole, and each
    answer and passage has its own `asked`. Of a first part there are no passages, and no question of what follows.

    Nothing is set but what was `said`. What is missing is marked where it is to be told.
    """
    n_parts = scheme.n_parts(content)
    part = n_parts if shows_all else 1
    passages = content.get("passages", ())
    missing = scheme.missing(content, said) if tells_missing else []
    left_out = {question.name for question in missing}
    lines = [
        Asked(
            question=question,
            marks=[(mark, mark.is_set(said)) for mark in question.marks],
            is_asked=question.is_asked(said),
            is_over=question.part < part,
            is_missing=question.name in left_out,
        )
        for question in scheme.questions(content)
        if question.part <= part
    ]
    return {
        **content,
        "sheet": Sheet(
            part=part,
            n_parts=n_parts,
            name=scheme.part_names[part - 1],
            passages="passages" if len(passages) > 1 else "passage",
            n_missing=sum(each.is_missing for each in lines),
        ),
        "asked": _of(lines, None, None),
        "answers": [
            {**each, "asked": _of(lines, each["number"], None)} for each in content["answers"]
        ],
        "passages": [
            {**each, "asked": _of(lines, None, each["number"])}
            for each in (passages if part == n_parts else ())
        ],
    }


def _of(lines: Sequence[Asked], answer: int | None, passage: int | None) -> list[Asked]:
    return [
        each for each in lines if (each.question.answer, each.question.passage) == (answer, passage)
    ]
