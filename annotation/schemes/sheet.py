"""Schemes that ask several things of one screen: a sheet of questions, in one part or in two. Of two, the first is
answered before the passages are shown, and stays as it is.

A question is answered with one of its options or by setting ticks (annotation.schemes.questions). It may depend
on what was said to another; then it is asked, and may be answered, only where that was said. Response:
{name of a choice: label of an option, name of a set tick: "yes"}; a tick that is not set is absent.

Right, of one choice `clear` and the ticks `new` and `odd`: {"clear": "3", "odd": "yes"}. Wrong: {"odd": "no"}.
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
    """said     what the whole response is called: "rating"
    part_names  what each part is called on the screen, in their order
    """

    name: str
    asks: str
    said: str
    part_names: tuple[str, ...]
    shows: Shows
    role: SchemeRole = SchemeRole.COMPARISON
    shows_evidence: bool = False
    shows_passages: bool = True
    judges_passages: bool = False
    expected_seconds: int = 180

    @abstractmethod
    def questions(self, payload: Payload) -> Sequence[Question]:
        """All that may be asked of this screen, in the order of reading it with the answers as numbered."""

    def asked(self, payload: Payload, response: Mapping[str, str]) -> Iterator[Question]:
        """What is asked in view of what was said."""
        for question in self.questions(payload):
            if question.is_asked(response):
                yield question

    def missing(self, payload: Payload, response: Mapping[str, str]) -> list[Question]:
        """What is asked and not answered yet."""
        return [
            question
            for question in self.asked(payload, response)
            if not question.is_answered(response)
        ]

    def n_parts(self, payload: Payload) -> int:
        """How many parts this screen has: one that nothing is asked in has no place on it."""
        return max((question.part for question in self.questions(payload)), default=1)

    def without_unasked(self, payload: Payload, response: Mapping[str, str]) -> dict[str, str]:
        """The response without what answers a question that is not asked in view of the rest of it.

        A form without a script shows such a question too, and says in words when it is asked.
        """
        asked = {question.name for question in self.asked(payload, response)}
        unasked = {
            name
            for question in self.questions(payload)
            if question.name not in asked
            for name in question.names
        }
        return {name: said for name, said in response.items() if name not in unasked}

    def clean(self, response: object, payload: Payload) -> Response:
        left = self._named(response)
        clean = _taken(list(self.asked(payload, left)), left)
        if left:
            raise ResponseError(f"{self.name}: nothing called {min(map(str, left))} is asked here")
        return clean

    def first_part(self, response: object, payload: Payload) -> Response | None:
        if self.n_parts(payload) == 1:
            return None
        said = self._named(response)
        return _taken([each for each in self.asked(payload, said) if each.part == 1], said)

    def _named(self, response: object) -> dict[Any, Any]:
        if not isinstance(response, Mapping):
            raise ResponseError(f"{self.name}: the response is not a list of names and values")
        return dict(response)

    def words(self, response: Response) -> str:
        return self.said

    def own_words(self, response: Response) -> str:
        return f"your {self.said}"

    def in_full(
        self,
        response: Response,
        order: Sequence[int],
        payload: Payload,
        letters: Mapping[int, str],
    ) -> list[str]:
        asked = self.asked(payload, response)
        return [words for question in asked if (words := question.in_words(response, letters))]

    def rows(self, response: Response, order: Sequence[int], payload: Payload) -> list[Row]:
        stood = {number: at for at, number in enumerate(order, start=1)}
        return [
            row
            for question in self.asked(payload, response)
            for row in question.rows(response, stood)
        ]

    def simulated(
        self,
        payload: Payload,
        order: Sequence[int],
        *,
        seed: int,
        annotator: int,
        item: object,
        accuracy: float,
    ) -> Response:
        """Each question has a hidden truth, from the seed and the text that it speaks of, evenly spread;
        it is told with the given accuracy. What depends on it is asked of what was told.
        """
        said: Response = {}
        for question in self.questions(payload):
            if not question.is_asked(said):
                continue
            about = payloads.text_sha256(question.text(payload))
            truth = _drawn(question.sayings, "hidden", self.name, seed, question.row, about)
            told = _drawn(question.sayings, "which", seed, annotator, item, question.name)
            is_right = fraction("right", seed, annotator, item, question.name) < accuracy
            said |= truth if is_right else told
        return said


def _taken(questions: Sequence[Question], left: dict[object, object]) -> Response:
    """What answers the questions, taken out of what is `left`."""
    taken: Response = {}
    for question in questions:
        taken |= question.take(left)
    return taken


def _drawn(sayings: Sequence[Response], *parts: object) -> Response:
    return sayings[int(fraction(*parts) * len(sayings))]
