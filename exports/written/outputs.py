"""Written answers as lines of CLAP-NQ's files. Imports no Django.

    {"id", "input", "passages", "output": [{"answer", "selected_sentences": [text], "meta": {"annotator": [number],
     "has_minimal_answer", "non_consecutive", "round", "skip"}}]}

Each answer of the first round is an output; those of the second that say the same (outcome, text and ticks) join it
and make its round 2, the others are outputs of their own behind it. A skipped question has no text, no sentence and
`skip`; one that the passage does not answer has no text and no sentence. As in the published files two people's equal
answers of the *first* round stay two outputs.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from corpus.clapnq import line_of, record_of
from exports.written.answers import WrittenAnswer

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Question:
    """A question as it was imported: the line of its file, or "" if that was of another format."""

    turn: int
    id: str
    text: str
    part: str
    line: str
    passages: tuple[Json, ...] = ()


def numbers(answers: Sequence[WrittenAnswer]) -> dict[str, int]:
    """The number of each annotator, from 1, in the order of the pseudonyms."""
    return {name: n for n, name in enumerate(sorted({each.annotator for each in answers}), start=1)}


def outputs(of_question: Sequence[WrittenAnswer], number_of: Mapping[str, int]) -> list[Json]:
    """The outputs of a question, whose answers come as `answers.by_question` has them."""
    return [
        _output(group, [number_of[each.annotator] for each in group])
        for group in _groups(of_question)
    ]


def _groups(of_question: Sequence[WrittenAnswer]) -> Iterator[list[WrittenAnswer]]:
    """Yield the answers that are one output each: the first, and those that say the same of it."""
    for first in (each for each in of_question if each.round == 1):
        seconds = [each for each in of_question if each.first == first.judgement]
        yield [first, *(each for each in seconds if each.content == first.content)]
        yield from ([each] for each in seconds if each.content != first.content)


def _output(group: Sequence[WrittenAnswer], annotators: list[int]) -> Json:
    newest = group[-1]
    return {
        "answer": newest.answer,
        "selected_sentences": newest.shown.texts(newest.sentences),
        "meta": {
            "annotator": annotators,
            "has_minimal_answer": any(each.minimal for each in group),
            "non_consecutive": newest.is_non_consecutive,
            "round": newest.round,
            "skip": newest.is_skipped,
        },
    }


def line(question: Question, found: Sequence[Json]) -> str:
    """The question's line with these outputs, without its line end; all else is as it was imported."""
    imported = record_of(question.line) if question.line else _record(question)
    return line_of({**imported, "output": list(found)})


def _record(question: Question) -> Json:
    return {"id": question.id, "input": question.text, "passages": list(question.passages)}


def is_imported_unanswerable(line: str) -> bool:
    """Whether the file says that the passages do not answer the question: it has outputs, all of them without a text.

    A line without any output says nothing yet.
    """
    found = (record_of(line).get("output") or []) if line else []
    return bool(found) and not any((each.get("answer") or "").strip() for each in found)
