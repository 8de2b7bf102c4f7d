"""What a scheme of judgement is. A scheme is one file in this folder and one template.

A response is flat: {name of what was asked: what was said}, both texts, as a form sends them. What a scheme
may ask depends on what the screen shows, so a response is read beside the item's payload
(annotation.schemes.payloads).
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, ClassVar

Payload = Mapping[str, Any]
Response = dict[str, str]


class ResponseError(ValueError):
    """The response does not answer what the scheme asks; the message says what is missing."""


class Shows(StrEnum):
    """What one item of a scheme puts on the screen, always of one question."""

    ANSWER = "an answer"
    PAIR = "two answers"
    ANSWERS = "all answers"
    PASSAGES = "the passages"


class SchemeRole(StrEnum):
    """What follows from the items of a scheme.

    ACCEPTANCE  which answers are accepted: the first question of a release. One scheme has it
    GROUNDING   which accepted answers are gold: asked of accepted answers, by evidence. One scheme has it
    COMPARISON  how systems compare: asked of the answers or passages of a comparison, without a verdict
    LABEL       nothing: its labels stand in the tables of judgements and items
    """

    ACCEPTANCE = "acceptance"
    GROUNDING = "grounding"
    COMPARISON = "comparison"
    LABEL = "label"


@dataclass(frozen=True)
class Option:
    """What can be chosen: its label in files, its key on the keyboard and the words beside it.

    also    a further key that does the same, as browsers call it; `also_sign` is how it is printed
    """

    label: str
    key: str
    words: str
    also: str = ""
    also_sign: str = ""

    @property
    def shortcuts(self) -> str:
        """All its keys, as aria-keyshortcuts has them."""
        return f"{self.key} {self.also}".rstrip()


@dataclass(frozen=True)
class Row:
    """One line of the long table: which question was asked about what, and what was said.

    What it speaks of is an answer, a passage, both, or (where both numbers are None) the whole item. The
    numbers are those of the payload; `position` is where the answer stood on the screen, from 1.
    """

    question: str
    label: str = ""
    value: float | None = None
    answer_number: int | None = None
    passage_number: int | None = None
    position: int | None = None


class Scheme(ABC):
    """name     as in commands, files and tables
    asks        what the annotator reads first
    shows       what one item puts on the screen
    role        what follows from its items
    expected_seconds  how long a judgement is expected to take, until a batch says otherwise
    has_verdict whether items end with a label; otherwise figures are computed from the judgements alone
    shows_evidence, shows_passages  whether the evidence paragraph, or whole passages, are part of the screen
    judges_passages  whether it asks which passages are relevant
    """

    name: str
    asks: str
    shows: Shows
    role: SchemeRole
    expected_seconds: int
    has_verdict: ClassVar[bool] = False
    shows_evidence: bool
    shows_passages: bool
    judges_passages: bool = False

    @property
    def labels(self) -> tuple[str, ...]:
        """What a whole response can be, where it is one choice; none of a sheet."""
        return ()

    @abstractmethod
    def clean(self, response: object, payload: Payload) -> Response:
        """The response as it is stored. Raises ResponseError where it is not an answer."""

    def first_part(self, response: object, payload: Payload) -> Response | None:
        """What of the response is said, and kept, before the item shows all that it has; None where it shows all at
        once. Raises ResponseError where that part is not whole.
        """
        return None

    @abstractmethod
    def words(self, response: Response) -> str:
        """What was said in a word or two."""

    def own_words(self, response: Response) -> str:
        """The same as the desk repeats it to who said it, in the middle of a sentence."""
        return self.words(response)

    @abstractmethod
    def in_full(
        self,
        response: Response,
        order: Sequence[int],
        payload: Payload,
        letters: Mapping[int, str],
    ) -> list[str]:
        """What was said, a line for each thing that was asked; the answers by these letters, by number.

        `order` is how they stood on the screen when it was said.
        """

    @abstractmethod
    def rows(self, response: Response, order: Sequence[int], payload: Payload) -> list[Row]:
        """The response as lines of the long table; `order` is how the answers stood on the screen."""

    @abstractmethod
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
        """What annotator number `annotator` of a rehearsal says of the item, whose answers stand in this order
        (annotation.rehearsal.annotators).
        """
