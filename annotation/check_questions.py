"""The questions of a check of the guideline, written as text: on the form of a draft, or in a file.

    An answer is right, but one word is misspelt. Which label?
    ( ) malformed
    (x) plausible
    > Malformed is what nobody can read.

First the question, then its choices, of which one is marked as right, then, where there is one, the explanation. A
question ends at an empty line. Wrong: no choice that is marked, or two.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from text.blocks import blocks

MOST_QUESTIONS = 20
MOST_CHOICES = 9
LONGEST_TEXT = 1_000
LONGEST_CHOICE = 300
CHOICE = re.compile(r"\(([ xX]?)\)\s*(.*)")


class CheckTextError(ValueError):
    """The text is no list of questions; the message names the line."""


@dataclass(frozen=True)
class Question:
    """A question with its choices; `right` is the index of the right one, from 0."""

    text: str
    choices: tuple[str, ...]
    right: int
    explanation: str = ""

    def to_dict(self) -> dict[str, Any]:
        return asdict(self) | {"choices": list(self.choices)}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> "Question":
        return cls(**(dict(data) | {"choices": tuple(data["choices"])}))


@dataclass
class _Block:
    """The lines of one question, and the number of its first line."""

    number: int
    text: list[str] = field(default_factory=list)
    choices: list[str] = field(default_factory=list)
    right: list[int] = field(default_factory=list)
    explanation: list[str] = field(default_factory=list)


def read(text: str) -> list[Question]:
    """Return the questions; [] for an empty text. Raises CheckTextError.

    >>> [question.right for question in read("Is it lit?\\n( ) no\\n(x) yes")]
    [1]
    """
    if "\0" in text:
        raise CheckTextError("it holds a NUL character: it is not a text")
    found = [_block(lines) for lines in blocks(text)]
    if len(found) > MOST_QUESTIONS:
        raise CheckTextError(f"at most {MOST_QUESTIONS} questions, not {len(found)}")
    return [_question(block) for block in found]


def _block(lines: Sequence[tuple[int, str]]) -> _Block:
    block = _Block(number=lines[0][0])
    for number, line in lines:
        _add(block, line, number)
    return block


def _add(block: _Block, line: str, number: int) -> None:
    choice = CHOICE.fullmatch(line)
    if line.startswith(">"):
        if not block.choices:
            raise CheckTextError(f"line {number}: an explanation comes after the choices")
        block.explanation.append(line.removeprefix(">").strip())
    elif choice and block.text and not block.explanation:
        mark, words = choice.groups()
        _add_choice(block, words, number)
        if mark in ("x", "X"):
            block.right.append(len(block.choices) - 1)
    elif choice:
        where = (
            "a choice comes before the explanation" if block.text else "a choice has no question"
        )
        raise CheckTextError(f"line {number}: {where}")
    elif block.choices:
        raise CheckTextError(
            f"line {number}: expected was a choice, ( ) or (x), or an explanation, >; the next question comes after an"
            " empty line"
        )
    else:
        block.text.append(line)


def _add_choice(block: _Block, words: str, number: int) -> None:
    if not words or len(words) > LONGEST_CHOICE:
        raise CheckTextError(f"line {number}: a choice has 1 to {LONGEST_CHOICE} characters")
    if words in block.choices:
        raise CheckTextError(f"line {number}: the choice stands there twice")
    block.choices.append(words)


def _question(block: _Block) -> Question:
    where = f"the question in line {block.number}"
    text, explanation = "\n".join(block.text), "\n".join(block.explanation)
    if not 2 <= len(block.choices) <= MOST_CHOICES:
        n = len(block.choices)
        raise CheckTextError(f"{where} has {n} choices; it needs 2 to {MOST_CHOICES}: ( ) or (x)")
    if len(block.right) != 1:
        raise CheckTextError(
            f"{where} marks {len(block.right)} choices as right; mark one with (x)"
        )
    if max(len(text), len(explanation)) > LONGEST_TEXT:
        raise CheckTextError(f"{where} has more than {LONGEST_TEXT} characters")
    return Question(text, tuple(block.choices), block.right[0], explanation)


def as_text(questions: Sequence[Question]) -> str:
    """Return the questions as read() takes them."""
    return "\n\n".join(_as_block(each) for each in questions)


def _as_block(question: Question) -> str:
    choices = [
        f"({'x' if index == question.right else ' '}) {words}"
        for index, words in enumerate(question.choices)
    ]
    explanation = [f"> {line}".rstrip() for line in question.explanation.split("\n")]
    return "\n".join([question.text, *choices, *(explanation if question.explanation else [])])
