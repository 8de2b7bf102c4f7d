"""Written answers as in CLAP-NQ (Rosenthal et al. 2024, section 3): a person ticks the sentences of a passage that an
answer rests on, and writes the answer from them.

An answer of which few words are in the ticked sentences, or that repeats nearly the whole passage, is not refused: the
desk says so while it is written (static/js/desk/writing.js).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from annotation.schemes.base import Option, Payload, SchemeRole, Shows
from annotation.schemes.questions import Choice, Condition, Question, Tick, Ticks
from annotation.schemes.sheet import SheetScheme
from annotation.schemes.written_questions import Sentences, Text

ANSWERED, UNANSWERABLE, SKIP = "answered", "unanswerable", "skip"
LONGEST_ANSWER = 4_000  # characters
OUTCOMES = (
    Option(ANSWERED, "a", "The passage answers the question"),
    Option(UNANSWERABLE, "u", "The passage does not answer it"),
    Option(SKIP, "s", "I skip this question"),
)
SKIP_REASONS = (
    Option("unclear", "1", "The question is unclear"),
    Option("broken", "2", "The passage is broken"),
    Option("several", "3", "Several questions in one"),
    Option("other", "4", "Another reason"),
)
IF_ANSWERED = Condition(name="outcome", labels=frozenset({ANSWERED}))
IF_SKIPPED = Condition(name="outcome", labels=frozenset({SKIP}))


@dataclass(frozen=True, kw_only=True)
class _Writing(SheetScheme):
    def questions(self, payload: Payload) -> Sequence[Question]:
        return [
            Choice(
                name="outcome",
                asks="Does the passage answer the question?",
                row="outcome",
                options=OUTCOMES,
            ),
            *(_sentences(passage) for passage in payload["passages"]),
            Text(
                name="answer",
                asks="Your answer",
                row="answer",
                most=LONGEST_ANSWER,
                only_if=IF_ANSWERED,
            ),
            Ticks(
                name="minimal",
                asks="Tick if it is so",
                row="minimal",
                only_if=IF_ANSWERED,
                ticks=(
                    Tick(name="minimal", key="m", words="a short answer would do", row="minimal"),
                ),
            ),
            Choice(
                name="reason",
                asks="Why do you skip it?",
                row="reason",
                options=SKIP_REASONS,
                only_if=IF_SKIPPED,
            ),
            Ticks(
                name="confirm",
                asks="Confirm that your answer is all of this",
                row="confirm",
                only_if=IF_ANSWERED,
                all_needed=True,
                ticks=(
                    _confirmation("makes_sense", "1", "makes sense"),
                    _confirmation("concise", "2", "concise"),
                    _confirmation("grammatical", "3", "grammatical"),
                ),
            ),
        ]


def _sentences(passage: Mapping[str, Any]) -> Sentences:
    n = passage["number"]
    return Sentences(
        name=f"s.{n}",
        asks="Tick the sentences that the answer rests on",
        row="sentences",
        passage=n,
        title=passage["title"],
        # A passage that no file split is one sentence; no pool of writing has one.
        sentences=tuple(passage["sentences"]) or (passage["text"],),
        only_if=IF_ANSWERED,
    )


def _confirmation(name: str, key: str, words: str) -> Tick:
    return Tick(name=name, key=key, words=words, row=name)


SCHEME = _Writing(
    name="writing",
    role=SchemeRole.WRITING,
    asks="Write an answer from the passage.",
    response_name="written answer",
    part_names=("Writing",),
    shows=Shows.PASSAGES,
    expected_seconds=300,
)
