"""The background questions of a study, written as text: on the form of its settings, or in a file.

    How well do you read English?
    ( ) It is my first language
    ( ) Well
    ( ) With effort

    Which other languages do you speak?
    ___

First the question, then its choices, or a line of underscores where people answer in words. A question ends at an
empty line. Wrong: neither choices nor a line of underscores, or both.
"""

import hashlib
import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from text.blocks import blocks

MOST_QUESTIONS = 20
MOST_CHOICES = 20
LONGEST_QUESTION = 1_000
LONGEST_CHOICE = 300
# Of an answer in words.
LONGEST_ANSWER = 500
CHOICE = re.compile(r"\(([ xX]?)\)\s*(.*)")
IN_WORDS = re.compile(r"_{3,}")


class BackgroundTextError(ValueError):
    """The text is no list of questions; the message names the line."""


@dataclass(frozen=True)
class Question:
    """A question with its choices; none where people answer in words."""

    text: str
    choices: tuple[str, ...] = ()

    @property
    def sha256(self) -> str:
        """What tells a wording from others: another text or other choices are another question."""
        wording = json.dumps([self.text, *self.choices], ensure_ascii=False)
        return hashlib.sha256(wording.encode("utf-8")).hexdigest()


@dataclass
class _Block:
    """The lines of one question, and the number of its first line."""

    number: int
    text: list[str] = field(default_factory=list)
    choices: list[str] = field(default_factory=list)
    is_in_words: bool = False


def read(text: str) -> list[Question]:
    """Return the questions; [] for an empty text. Raises BackgroundTextError.

    >>> [question.choices for question in read("Do you sail?\\n( ) no\\n( ) yes\\n\\nWhere?\\n___")]
    [('no', 'yes'), ()]
    """
    if "\0" in text:
        raise BackgroundTextError("it holds a NUL character: it is not a text")
    found = [_block(lines) for lines in blocks(text)]
    if len(found) > MOST_QUESTIONS:
        raise BackgroundTextError(f"at most {MOST_QUESTIONS} questions, not {len(found)}")
    seen: set[str] = set()
    return [_question(block, seen) for block in found]


def _block(lines: Sequence[tuple[int, str]]) -> _Block:
    block = _Block(number=lines[0][0])
    for number, line in lines:
        _add(block, line, number)
    return block


def _add(block: _Block, line: str, number: int) -> None:
    choice = CHOICE.fullmatch(line)
    if choice or IN_WORDS.fullmatch(line):
        if not block.text:
            what = "a choice" if choice else "a line for an answer in words"
            raise BackgroundTextError(f"line {number}: {what} has no question")
        if block.is_in_words or (block.choices and not choice):
            raise BackgroundTextError(
                f"line {number}: a question has choices, or one line ___ for an answer in words"
            )
    if choice:
        _add_choice(block, choice[1], choice[2], number)
    elif IN_WORDS.fullmatch(line):
        block.is_in_words = True
    elif block.choices or block.is_in_words:
        raise BackgroundTextError(
            f"line {number}: expected was a choice, ( ); the next question comes after an empty line"
        )
    else:
        block.text.append(line)


def _add_choice(block: _Block, mark: str, words: str, number: int) -> None:
    if mark in ("x", "X"):
        raise BackgroundTextError(f"line {number}: no choice is right here: write ( )")
    if not words or len(words) > LONGEST_CHOICE:
        raise BackgroundTextError(f"line {number}: a choice has 1 to {LONGEST_CHOICE} characters")
    if words in block.choices:
        raise BackgroundTextError(f"line {number}: the choice stands there twice")
    block.choices.append(words)


def _question(block: _Block, seen: set[str]) -> Question:
    """Return the question of the block, and add its text to those seen before."""
    where = f"the question in line {block.number}"
    text, n = "\n".join(block.text), len(block.choices)
    if not block.is_in_words and not 2 <= n <= MOST_CHOICES:
        raise BackgroundTextError(
            f"{where} has {n} choice{'' if n == 1 else 's'}; it needs 2 to {MOST_CHOICES}, each after ( ),"
            " or a line ___ for an answer in words"
        )
    if len(text) > LONGEST_QUESTION:
        raise BackgroundTextError(f"{where} has more than {LONGEST_QUESTION} characters")
    if text in seen:
        raise BackgroundTextError(f"{where} stands there twice")
    seen.add(text)
    return Question(text, tuple(block.choices))


def as_text(questions: Sequence[Question]) -> str:
    """Return the questions as read() takes them."""
    return "\n\n".join(
        "\n".join([each.text, *(f"( ) {words}" for words in each.choices or ())])
        + ("" if each.choices else "\n___")
        for each in questions
    )
