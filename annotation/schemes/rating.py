"""Ratings of systems as in CLAP-NQ (Rosenthal et al. 2024, section 5): all answers to a question on one screen.

Each answer is rated "appropriate, useful, concise and complete" before the passage is shown, and "faithful to the
passage" when it is.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from annotation.schemes.base import Option, Payload, Shows
from annotation.schemes.questions import Choice, Condition, Question, Tick, Ticks
from annotation.schemes.sheet import SheetScheme


def _scale(*words: str) -> tuple[Option, ...]:
    """The points of a scale from 1; each has its words, so that nobody guesses what a 2 means."""
    return tuple(Option(str(n), str(n), each) for n, each in enumerate(words, start=1))


NO_TO_YES = _scale("no", "rather no", "rather yes", "yes")
SURENESS = _scale("not at all", "a little", "mostly", "completely")
# An answer with one of these labels is faithful: it is then asked which passages support it.
FAITHFUL = frozenset({"3", "4"})
# Letters: a digit would mean "yes" here and "no" on the scales of the same sheet.
RELEVANCE = (
    Option("relevant", "y", "Yes, some of it could be used in an answer"),
    Option("irrelevant", "n", "No, none of it"),
)


def relevance_questions(payload: Payload, part: int = 1) -> Iterator[Choice]:
    """A question for each passage: whether any of it could be used in an answer."""
    for passage in payload["passages"]:
        n = passage["number"]
        yield Choice(
            name=f"relevant.{n}",
            asks="Could you use any of this passage in an answer?",
            row="relevant",
            part=part,
            passage=n,
            options=RELEVANCE,
        )


@dataclass(frozen=True, kw_only=True)
class _Rating(SheetScheme):
    def questions(self, payload: Payload) -> Sequence[Question]:
        numbers = [answer["number"] for answer in payload["answers"]]
        n_passages = len(payload["passages"])
        several = n_passages > 1
        return [
            Choice(
                name="confidence",
                asks="How sure are you that you understand the question?",
                row="confidence",
                options=SURENESS,
                is_scale=True,
            ),
            *(each for n in numbers for each in _questions_before_passage(n)),
            *(relevance_questions(payload, part=2) if several else ()),
            *(
                each
                for n in numbers
                if n_passages
                for each in _questions_with_passage(n, payload, several)
            ),
        ]


def _questions_before_passage(n: int) -> Iterator[Question]:
    yield Choice(
        name=f"appropriate.{n}",
        asks="Is this answer appropriate: useful, concise and complete?",
        row="appropriate",
        answer=n,
        options=NO_TO_YES,
        is_scale=True,
    )
    yield Ticks(
        name=f"is.{n}",
        asks="Tick if this answer",
        row="is",
        answer=n,
        ticks=(
            Tick(
                name=f"unknown.{n}",
                key="d",
                words="says that it does not know",
                row="unknown",
                answer=n,
            ),
            Tick(
                name=f"incoherent.{n}", key="i", words="is incoherent", row="incoherent", answer=n
            ),
        ),
    )


def _questions_with_passage(n: int, payload: Payload, several: bool) -> Iterator[Question]:
    yield Choice(
        name=f"faithful.{n}",
        asks=f"Is this answer faithful to the {'passages' if several else 'passage'}?",
        row="faithful",
        part=2,
        answer=n,
        options=NO_TO_YES,
        is_scale=True,
    )
    if several:
        yield Ticks(
            name=f"supports.{n}",
            asks="Which passages support it?",
            summary_start="supported by ",
            row="supports",
            part=2,
            answer=n,
            only_if=Condition(name=f"faithful.{n}", labels=FAITHFUL),
            at_least_one=True,
            ticks=tuple(
                Tick(
                    name=f"supports.{n}.{passage['number']}",
                    key=_digit_key(passage["number"]),
                    words=f"passage {passage['number']}",
                    row="supports",
                    answer=n,
                    passage=passage["number"],
                )
                for passage in payload["passages"]
            ),
        )


def _digit_key(number: int) -> str:
    """The digit of a passage; "" from the tenth on, because typing 10 would set the first."""
    return str(number) if number < 10 else ""


SCHEME = _Rating(
    name="rating",
    asks="How good is each answer, and does it follow from the passage?",
    response_name="rating",
    part_names=("Without the passage", "With the passage"),
    shows=Shows.ANSWERS,
    judges_passages=True,
    expected_seconds=240,
)
