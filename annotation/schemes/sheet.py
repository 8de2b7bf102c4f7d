"""Schemes with a sheet: several questions on one screen, in one part or two. The first of two parts is answered
before the passages are shown, and cannot be changed afterwards.

A question is answered with one of its options or by setting ticks (annotation.schemes.questions), by a text or by
sentences of a passage (annotation.schemes.written_questions). It may be asked only after a certain answer to another
question; otherwise it must not be answered.

A response is {name of a choice: label of an option, name of a set tick: "yes", name of a text: the text}; a tick that
is not set and an empty text are absent. Example with the choice `clear` and the ticks `new` and `odd`: {"clear": "3",
"odd": "yes"}.
"""

from abc import abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from annotation.schemes import payloads
from annotation.schemes.base import Payload, Response, ResponseError, Row, Scheme, SchemeRole, Shows
from annotation.schemes.questions import Question
from stats.lots import fraction


@dataclass(frozen=True, kw_only=True)
class SheetScheme(Scheme):
    """A scheme with a sheet of questions.

    response_name   the name of a whole response, as "rating"
    part_names      the names of the parts on the screen
    """

    name: str
    asks: str
    response_name: str
    part_names: tuple[str, ...]
    shows: Shows
    role: SchemeRole = SchemeRole.COMPARISON
    shows_evidence: bool = False
    shows_passages: bool = True
    judges_passages: bool = False
    expected_seconds: int = 180

    @abstractmethod
    def questions(self, payload: Payload) -> Sequence[Question]:
        """All questions of the screen, in the order of reading with the answers in the order of their numbers."""

    def given_response(self, payload: Payload) -> Response:
        """The response of somebody else that the sheet begins with; {} for none."""
        return {}

    def asked_questions(self, payload: Payload, response: Mapping[str, str]) -> Iterator[Question]:
        """The questions that are asked, given the response so far: none whose condition is itself not asked."""
        unasked: set[str] = set()
        for question in self.questions(payload):
            rests_on = question.only_if.name if question.only_if else None
            if rests_on not in unasked and question.is_asked(response):
                yield question
            else:
                unasked.add(question.name)

    def unanswered_questions(self, payload: Payload, response: Mapping[str, str]) -> list[Question]:
        """The questions that are asked and have no answer yet."""
        return [
            question
            for question in self.asked_questions(payload, response)
            if not question.is_answered(response)
        ]

    def n_parts(self, payload: Payload) -> int:
        """The number of parts on this screen; a part without questions is left out."""
        return max((question.part for question in self.questions(payload)), default=1)

    def without_unasked_answers(
        self, payload: Payload, response: Mapping[str, str]
    ) -> dict[str, str]:
        """The response without answers to questions that are not asked, given the rest of the response.

        Without JavaScript a form shows these questions too, and says in words when they are asked. Texts stay, so that
        clean() refuses the response: what somebody wrote is not dropped without a word.
        """
        asked = {question.name for question in self.asked_questions(payload, response)}
        unasked = {
            name
            for question in self.questions(payload)
            if question.name not in asked and not question.keeps_unasked(response)
            for name in question.names
        }
        return {name: value for name, value in response.items() if name not in unasked}

    def clean(self, response: object, payload: Payload) -> Response:
        remaining = self._response_dict(response)
        clean = _take_answers(list(self.asked_questions(payload, remaining)), remaining)
        if remaining:
            self._refuse_unasked_texts(payload, remaining)
            raise ResponseError(
                f"{self.name}: nothing called {min(map(str, remaining))} is asked here"
            )
        return clean

    def _refuse_unasked_texts(self, payload: Payload, remaining: Mapping[str, Any]) -> None:
        for question in self.questions(payload):
            if question.only_if and question.keeps_unasked(remaining):
                labels = " or ".join(sorted(question.only_if.labels))
                raise ResponseError(
                    f"{question.name}: it is asked only where {question.only_if.name} is {labels}, and something is"
                    " written there: remove it, or choose that"
                )

    def first_part(self, response: object, payload: Payload) -> Response | None:
        if self.n_parts(payload) == 1:
            return None
        remaining = self._response_dict(response)
        asked = self.asked_questions(payload, remaining)
        return _take_answers([each for each in asked if each.part == 1], remaining)

    def _response_dict(self, response: object) -> dict[Any, Any]:
        if not isinstance(response, Mapping):
            raise ResponseError(f"{self.name}: the response is not a list of names and values")
        return dict(response)

    def words(self, response: Response) -> str:
        return self.response_name

    def own_words(self, response: Response) -> str:
        return f"your {self.response_name}"

    def response_lines(
        self,
        response: Response,
        order: Sequence[int],
        payload: Payload,
        letters: Mapping[int, str],
    ) -> list[str]:
        asked = self.asked_questions(payload, response)
        return [words for question in asked if (words := question.summary(response, letters))]

    def rows(self, response: Response, order: Sequence[int], payload: Payload) -> list[Row]:
        positions = {number: place for place, number in enumerate(order, start=1)}
        return [
            row
            for question in self.asked_questions(payload, response)
            for row in question.rows(response, positions)
        ]

    def simulated_response(
        self,
        payload: Payload,
        order: Sequence[int],
        *,
        seed: int,
        annotator: int,
        item: object,
        accuracy: float,
    ) -> Response:
        """Answers each question that is asked: the true answer with the given probability, else a random one.

        The true answer is drawn from the seed and the text of the question's subject, all with equal probability.
        """
        response: Response = {}
        for question in self.questions(payload):
            if not question.is_asked(response):
                continue
            answers = question.simple_answers
            subject = payloads.text_sha256(question.text(payload))
            truth = _random_draw(answers, "hidden", self.name, seed, question.row, subject)
            other = _random_draw(answers, "which", seed, annotator, item, question.name)
            is_right = fraction("right", seed, annotator, item, question.name) < accuracy
            response |= truth if is_right else other
        return response


def _take_answers(questions: Sequence[Question], remaining: dict[object, object]) -> Response:
    """Remove the answers to the questions from the response and return them."""
    answers: Response = {}
    for question in questions:
        answers |= question.take(remaining)
    return answers


def _random_draw(answers: Sequence[Response], *parts: object) -> Response:
    return answers[int(fraction(*parts) * len(answers))]
