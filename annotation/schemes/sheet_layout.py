"""The layout of a sheet on a screen: each answer and passage with its questions. Imports no Django."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from annotation.schemes.base import Payload
from annotation.schemes.questions import Mark, Question
from annotation.schemes.sheet import SheetScheme
from annotation.schemes.written_questions import Text


@dataclass(frozen=True)
class ScreenQuestion:
    """A question on the screen.

    marks       its options or ticks, each with whether it is set
    is_asked    whether it is asked, given the response so far
    is_closed   its part is closed: the answer cannot be changed
    is_missing  the answer is missing, and the screen says so
    written     the text of a question that is answered in words
    """

    question: Question
    marks: list[tuple[Mark, bool]]
    is_asked: bool
    is_closed: bool
    is_missing: bool
    written: str = ""

    @property
    def only_labels(self) -> list[str]:
        """The labels after which it is asked; [] if it is always asked."""
        return sorted(self.question.only_if.labels) if self.question.only_if else []


@dataclass(frozen=True)
class Sheet:
    """The part of the sheet that is on the screen. The last part shows the passages.

    `passages` is "passage" or "passages"; `n_missing` counts the questions marked as missing; `is_written` says that
    sentences are ticked and an answer is written from them; `given` is the response of somebody else that it begins
    with, as JSON, or "".
    """

    part: int
    n_parts: int
    name: str
    passages: str
    n_missing: int
    is_written: bool = False
    given: str = ""

    @property
    def is_last(self) -> bool:
        return self.part == self.n_parts


def content_with_questions(
    scheme: SheetScheme,
    content: Payload,
    response: Mapping[str, str],
    *,
    shows_all: bool,
    marks_missing: bool = False,
) -> dict[str, Any]:
    """The content (of payloads.content_in_order) with its `sheet` and the `questions` about the whole screen.

    Each answer and passage has its own `questions`. Unless `shows_all`, passages and questions of the second part
    are left out. The marks of the response are set; with `marks_missing`, unanswered questions are marked.
    """
    n_parts = scheme.n_parts(content)
    part = n_parts if shows_all else 1
    passages = content.get("passages", ())
    missing = scheme.unanswered_questions(content, response) if marks_missing else []
    missing_names = {question.name for question in missing}
    given = scheme.given_response(content)
    lines = [
        ScreenQuestion(
            question=question,
            marks=[(mark, mark.is_set(question.on_screen(response))) for mark in question.marks],
            # A text stays in sight where it is asked no more.
            is_asked=question.is_asked(response) or question.keeps_unasked(response),
            is_closed=question.part < part,
            is_missing=question.name in missing_names,
            written=question.written(response) if isinstance(question, Text) else "",
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
            is_written={"text", "sentences"} <= {each.question.kind for each in lines},
            given=json.dumps(given) if given else "",
        ),
        "questions": _questions_about(lines, None, None),
        "answers": [
            {**each, "questions": _questions_about(lines, each["number"], None)}
            for each in content["answers"]
        ],
        "passages": [
            {**each, "questions": _questions_about(lines, None, each["number"])}
            for each in (passages if part == n_parts else ())
        ],
    }


def _questions_about(
    lines: Sequence[ScreenQuestion], answer: int | None, passage: int | None
) -> list[ScreenQuestion]:
    return [
        each for each in lines if (each.question.answer, each.question.passage) == (answer, passage)
    ]
