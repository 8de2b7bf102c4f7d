"""Curation of questions as in PermitQA: a person keeps, edits or rejects a question, its answer and the proof of it.

The payload has `made`: the answer, the proof and the type of the question, the types of its data set and the section of
its text. Nothing says who or what made the question, by which words.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from annotation import curating
from annotation.schemes.base import (
    Option,
    Payload,
    Response,
    ResponseError,
    SchemeRole,
    SettledScheme,
    Shows,
)
from annotation.schemes.questions import Choice, Condition, Question, Tick, Ticks
from annotation.schemes.sheet import SheetScheme
from annotation.schemes.written_questions import LONGEST_RAW, Text
from stats.aggregation import consensus

LONGEST_TEXT = 4_000  # characters
STAYS = frozenset({curating.KEEP, curating.EDIT})
OPTIONS = (
    Option(curating.KEEP, "1", "Keep it as it is"),
    Option(curating.EDIT, "2", "Edit it"),
    Option(curating.REJECT, "3", "Reject it"),
)
PROOF_OPTIONS = (
    *OPTIONS[:2],
    Option(curating.NONE, "3", "The text has none"),
)
WHY = (
    ("too_specific", "too specific"),
    ("several", "several questions"),
    ("not_from_text", "not from this text"),
    ("unclear", "unclear"),
    ("wrong_type", "wrong type"),
)
MOST_KEYS = 9  # types that have a key


@dataclass(frozen=True, kw_only=True)
class _Curation(SheetScheme, SettledScheme):
    options: tuple[Option, ...]
    accepted: str

    @property
    def rules(self) -> tuple[str, ...]:
        """The names of the consensus rules that count equal votes: there are as many different votes as edits."""
        return tuple(consensus.ITEM_BY_ITEM)

    def label(self, response: Mapping[str, str]) -> str:
        return curating.vote(response)

    def label_of_vote(self, vote: str) -> str:
        return curating.label_of(vote)

    def adjudicated_response(
        self,
        label: str,
        response: Mapping[str, str] | None,
        payload: Payload,
        judged: Sequence[Response] = (),
    ) -> Response:
        """A response of this scheme that says the same as the label.

        Without one, of kept and rejected, it has the type and the promotion that the counted responses give.
        """
        if response is None:
            if label == curating.EDITED:
                raise ResponseError("an edited question needs its texts")
            own_type = payload["made"]["type"] if len(types(payload)) > 1 else ""
            response = curating.decided_response(originals(payload), own_type, label, judged)
        cleaned = self.clean(self.without_unasked_answers(payload, response), payload)
        if self.words(cleaned) != label:
            raise ResponseError(_MISFITS[label])
        return cleaned

    def words(self, response: Response) -> str:
        return curating.label_of(curating.vote(response))

    def response_lines(
        self,
        response: Response,
        order: Sequence[int],
        payload: Payload,
        letters: Mapping[int, str],
    ) -> list[str]:
        """A line for each question, texts alone, so that they keep their direction."""
        lines = (
            (question, question.summary(response, letters))
            for question in self.asked_questions(payload, response)
        )
        return [
            words if isinstance(question, Text) else f"{question.name.replace('_', ' ')}: {words}"
            for question, words in lines
            if words
        ]

    def questions(self, payload: Payload) -> Sequence[Question]:
        made = payload["made"]
        found = [*_about_text("question", "the question", OPTIONS, payload["question"], None)]
        found[2:] = [_why(), *found[2:]]
        stands = Condition(name="question", labels=STAYS)
        if made["answer"]:
            found += _about_text("answer", "the answer", OPTIONS, made["answer"], stands)
            stands = Condition(name="answer", labels=STAYS)
        if made["proof"]:
            found += _about_text("proof", "the proof", PROOF_OPTIONS, made["proof"], stands)
        if len(types(payload)) > 1:
            found.append(_type(made, stands))
        promote = Tick(
            name=curating.PROMOTE,
            key="m",
            words="a good example for making further questions",
            row=curating.PROMOTE,
        )
        return [
            *found,
            Ticks(
                name=curating.PROMOTE,
                asks="Tick if it is so",
                row=curating.PROMOTE,
                only_if=stands,
                ticks=(promote,),
            ),
        ]


def originals(payload: Payload) -> dict[str, str]:
    """The texts of the payload that can be edited, by field; without those that it has not."""
    texts = {
        "question": payload["question"],
        "answer": payload["made"]["answer"],
        "proof": payload["made"]["proof"],
    }
    return {field: text for field, text in texts.items() if text}


def types(payload: Payload) -> list[str]:
    """The types of questions to choose from."""
    return list(payload["made"]["types"])


def _about_text(
    field: str,
    words: str,
    options: tuple[Option, ...],
    original: str,
    only_if: Condition | None,
) -> Iterator[Question]:
    yield Choice(
        name=field,
        asks=f"What about {words}?",
        row=field,
        options=options,
        only_if=only_if,
        simulated=(*[curating.KEEP] * 8, *(option.label for option in options[1:])),
    )
    yield Text(
        name=curating.text_name(field),
        asks=f"{words.capitalize()} as it should be",
        row=curating.text_name(field),
        # At most what the desk can send, so that the page counts towards the real limit.
        most=max(LONGEST_TEXT, min(2 * len(original), LONGEST_RAW)),
        original=original,
        only_if=Condition(name=field, labels=frozenset({curating.EDIT})),
    )


def _why() -> Ticks:
    return Ticks(
        name="question_why",
        asks="What is wrong with the question?",
        row="question_why",
        only_if=Condition(name="question", labels=frozenset({curating.EDIT, curating.REJECT})),
        ticks=tuple(
            Tick(name=f"why.{name}", key=str(n), words=words, row=f"why.{name}")
            for n, (name, words) in enumerate(WHY, start=1)
        ),
    )


def _type(made: dict[str, Any], only_if: Condition) -> Choice:
    return Choice(
        name=curating.TYPE,
        asks="Which type of question is it?",
        row=curating.TYPE,
        options=tuple(
            Option(each, str(n) if n <= MOST_KEYS else "", each)
            for n, each in enumerate(made["types"], start=1)
        ),
        only_if=only_if,
        prefilled=made["type"],
    )


_MISFITS = {
    curating.KEPT: "a text was changed: say that it is edited",
    curating.EDITED: "no text was changed: change one, or say that it is kept",
    curating.REJECTED: "it is rejected with its texts as they were",
}

SCHEME = _Curation(
    name="curation",
    role=SchemeRole.CURATION,
    asks="Is this a good question on the text, with its answer and its proof?",
    response_name="curation",
    part_names=("Curation",),
    shows=Shows.PASSAGES,
    options=(
        Option(curating.KEPT, "1", "It stays as it is"),
        Option(curating.EDITED, "2", "It stays with the texts below"),
        Option(curating.REJECTED, "3", "It is left out"),
    ),
    accepted=curating.KEPT,
    expected_seconds=90,
)
