"""Written answers as in CLAP-NQ (Rosenthal et al. 2024, section 3): a person ticks the sentences of a passage that an
answer rests on, and writes the answer from them. In a second round, another person sees what was written, and keeps or
changes it.

An answer of which few words are in the ticked sentences, or that repeats nearly the whole passage, is not refused: the
desk says so while it is written (static/js/desk/writing.js).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from annotation.schemes.base import Option, Payload, Response, ResponseError, SchemeRole, Shows
from annotation.schemes.questions import TICK, Choice, Condition, Question, Tick, Ticks
from annotation.schemes.routing import ANSWERED, SENTENCE, SKIP, UNANSWERABLE, Written
from annotation.schemes.sheet import SheetScheme
from annotation.schemes.written_questions import (
    SIMULATED_START,
    TITLE,
    Sentences,
    Text,
    as_stored,
)

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
KEEP, MODIFY = "keep", "modify"
KEPT = (
    Option(KEEP, "k", "I keep all of it"),
    Option(MODIFY, "e", "I change something"),
)
CONFIRMATIONS = ("makes_sense", "concise", "grammatical")
IF_ANSWERED = Condition(name="outcome", labels=frozenset({ANSWERED}))
IF_SKIPPED = Condition(name="outcome", labels=frozenset({SKIP}))
UNLESS_SKIPPED = Condition(name="outcome", labels=frozenset({ANSWERED, UNANSWERABLE}))


@dataclass(frozen=True, kw_only=True)
class _Writing(SheetScheme):
    def questions(self, payload: Payload) -> Sequence[Question]:
        written = payload.get("written")
        whose = "your" if written is None else "the"
        return [
            Choice(
                name="outcome",
                asks="Does the passage answer the question?",
                row="outcome",
                options=OUTCOMES,
                simulated=(*[ANSWERED] * 8, UNANSWERABLE, SKIP),
            ),
            *([_kept()] if written else []),
            *(_sentences(passage) for passage in payload["passages"]),
            Text(
                name="answer",
                asks=f"{whose.capitalize()} answer",
                row="answer",
                most=LONGEST_ANSWER,
                only_if=IF_ANSWERED,
                given=written["answer"] if written else "",
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
                asks=f"Confirm that {whose} answer is all of this",
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

    def given_response(self, payload: Payload) -> Response:
        """What was written in the first round: a second one begins with it."""
        if "written" not in payload:
            return {}
        written = Written.of_payload(payload["written"])
        answer = {"answer": written.answer} if written.answer else {}
        ticks = {f"{SENTENCE}{n}": TICK for n in written.ticked}
        return {"outcome": written.outcome, **ticks, **answer}

    def clean(self, response: object, payload: Payload) -> Response:
        clean = super().clean(response, payload)
        if clean.get("kept") == KEEP:
            _require_as_written(Written.of_response(clean), Written.of_payload(payload["written"]))
        return clean

    def simulated_response(self, payload: Payload, *args: Any, **options: Any) -> Response:
        """As of a sheet, but the text is made of the ticked sentences. Who keeps an answer says what was written; who
        changes one ticks one sentence more.
        """
        response = super().simulated_response(payload, *args, **options)
        given = self.given_response(payload)
        if response.get("kept") == KEEP:
            response = {name: value for name, value in response.items() if not _is_of_written(name)}
            return self.without_unasked_answers(payload, response | given) | _needed(given)
        if response["outcome"] != ANSWERED:
            return response
        sheet = {question.name: question for question in self.questions(payload)}
        passage = sheet["s.1"]
        assert isinstance(passage, Sentences)  # noqa: S101  the one passage of a pool of writing
        if given.get("outcome") == ANSWERED:
            response = {k: v for k, v in response.items() if not k.startswith(SENTENCE)}
            response |= passage.ticks(_one_more(passage.ticked(given), len(passage.sentences)))
        copied = " ".join(passage.sentences[n - 1] for n in passage.ticked(response) if n != TITLE)
        return response | {"answer": as_stored(SIMULATED_START + copied)[:LONGEST_ANSWER]}


def _kept() -> Choice:
    return Choice(
        name="kept",
        asks="Somebody else wrote this answer. Do you keep it?",
        row="kept",
        options=KEPT,
        only_if=UNLESS_SKIPPED,
    )


def _is_of_written(name: str) -> bool:
    """Whether this part of a response is one that a second round is shown."""
    return name in ("outcome", "answer") or name.startswith(SENTENCE)


def _one_more(ticked: Sequence[int], n_sentences: int) -> list[int]:
    """The ticked sentences and the first one after them, or between them, that is not; without the title.

    >>> _one_more([0, 2, 4], 5), _one_more([4, 5], 5)
    ([2, 3, 4], [3, 4, 5])
    """
    body = [n for n in ticked if n != TITLE] or [1]
    after = range(body[0] + 1, n_sentences + 1)
    before = range(body[0] - 1, 0, -1)
    missing = next((n for n in (*after, *before) if n not in body), body[0])
    return sorted({*body, missing})


def _needed(given: Response) -> Response:
    """The confirmations of an answer."""
    if given["outcome"] != ANSWERED:
        return {}
    return dict.fromkeys(CONFIRMATIONS, TICK)


def _require_as_written(sent: Written, written: Written) -> None:
    """Raise ResponseError if what is kept is not what was written."""
    differs = [
        words
        for words, is_same in (
            ("outcome", sent.outcome == written.outcome),
            ("text", sent.answer == written.answer),
            ("ticked sentences", sent.ticked == written.ticked),
        )
        if not is_same
    ]
    if differs:
        raise ResponseError(
            f"kept: {KEEP} leaves all as it was written, and the {' and the '.join(differs)} differ from it: choose"
            f" {MODIFY}, or put back what was there"
        )


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
