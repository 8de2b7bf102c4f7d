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
    is_later    its part is not open yet
    is_over     its part is over: what was said stays
    is_missing  it is to be answered, and was not
    """

    question: Question
    marks: list[tuple[Mark, bool]]
    is_asked: bool
    is_later: bool
    is_over: bool
    is_missing: bool

    @property
    def only_labels(self) -> list[str]:
        """What has to be said for it to be asked; empty where it always is."""
        return sorted(self.question.only_if.labels) if self.question.only_if else []


@dataclass(frozen=True)
class Sheet:
    """Which part is open, and what the screen says of the parts. `carried` is what a form without a script sends
    along of parts that are over; `opener` is written on the button that opens the passages.
    """

    part: int
    part_names: list[str]
    passages_from: int
    opener: str
    carried: list[tuple[str, str]]
    n_missing: int

    @property
    def is_last(self) -> bool:
        return self.part == len(self.part_names)

    @property
    def shows_passages(self) -> bool:
        return self.part >= self.passages_from


def on_screen(
    scheme: SheetScheme,
    content: Payload,
    said: Mapping[str, str],
    *,
    part: int,
    tells_missing: bool = False,
) -> dict[str, Any]:
    """The content (as payloads.presented gives it) with its `sheet`: `asked` is what is asked of the whole, and each
    answer and passage has its own `asked`.

    Nothing is set but what was `said`. What is missing of the open part is marked where it is to be told.
    """
    missing = scheme.missing(content, said) if tells_missing else []
    left_out = {question.name for question in missing if question.part <= part}
    lines = [
        Asked(
            question=question,
            marks=[(mark, mark.is_set(said)) for mark in question.marks],
            is_asked=question.is_asked(said),
            is_later=question.part > part,
            is_over=question.part < part,
            is_missing=question.name in left_out,
        )
        for question in scheme.questions(content)
    ]
    n_parts = scheme.n_parts(content)
    several = len(content.get("passages", ())) > 1
    return {
        **content,
        "sheet": Sheet(
            part=part,
            part_names=list(scheme.part_names[:n_parts]),
            passages_from=min(scheme.passages_from, n_parts),
            opener="Show the passages" if several else "Show the passage",
            carried=_carried(lines),
            n_missing=len(left_out),
        ),
        "asked": _of(lines, None, None),
        "answers": [
            {**each, "asked": _of(lines, each["number"], None)} for each in content["answers"]
        ],
        "passages": [
            {**each, "asked": _of(lines, None, each["number"])}
            for each in content.get("passages", ())
        ],
    }


def _of(lines: Sequence[Asked], answer: int | None, passage: int | None) -> list[Asked]:
    return [
        each for each in lines if (each.question.answer, each.question.passage) == (answer, passage)
    ]


def _carried(lines: Sequence[Asked]) -> list[tuple[str, str]]:
    return [
        (mark.name, mark.value)
        for each in lines
        if each.is_over
        for mark, is_set in each.marks
        if is_set
    ]
