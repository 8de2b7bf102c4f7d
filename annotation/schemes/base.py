"""The base class of schemes. A scheme is one file in this folder and one template.

A response is a flat dict, {name of a question: value}, both texts, as a form sends them. The questions of a scheme
may depend on what the screen shows, so a response is read together with the item's payload
(annotation.schemes.payloads).
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any, ClassVar

from stats.aggregation import consensus

Payload = Mapping[str, Any]
Response = dict[str, str]

GUIDELINES = Path(__file__).parent / "guidelines"


class ResponseError(ValueError):
    """The response does not answer what the scheme asks; the message says what is missing."""


class Shows(StrEnum):
    """The part of a screen besides the question."""

    ANSWER = "an answer"
    PAIR = "two answers"
    ORDERED_PAIR = "two answers in the order of their pool"
    ANSWERS = "all answers"
    PASSAGES = "the passages"


class SchemeRole(StrEnum):
    """The decisions that rest on the items of a scheme.

    ACCEPTANCE  which answers are accepted. Exactly one scheme has this role
    GROUNDING   which accepted answers are gold, judged by evidence. Exactly one scheme has this role
    COMPARISON  how systems compare, judged on the answers or passages of a comparison, without verdicts
    RELATION    how accepted answers of a question relate: relations.csv, and nothing else of a release
    WRITING     what people write for the questions of a pool of passages, without verdicts
    CURATION    which questions of a data set stay, and how they are worded: its next version
    LABEL       nothing; the labels are in the tables of judgements and items
    """

    ACCEPTANCE = "acceptance"
    GROUNDING = "grounding"
    COMPARISON = "comparison"
    RELATION = "relation"
    WRITING = "writing"
    CURATION = "curation"
    LABEL = "label"


@dataclass(frozen=True)
class Option:
    """An option to choose: its label in files, its key on the keyboard and its words on the screen.

    second_key    another key for it, by its name in browsers; `second_key_sign` is how it is printed
    """

    label: str
    key: str
    words: str
    second_key: str = ""
    second_key_sign: str = ""

    @property
    def key_signs(self) -> list[str]:
        """All its keys as they are printed."""
        return [self.key, *([self.second_key_sign] if self.second_key else [])]

    @property
    def shortcuts(self) -> str:
        """All its keys, as the value of aria-keyshortcuts."""
        return f"{self.key} {self.second_key}".rstrip()


@dataclass(frozen=True)
class Row:
    """One line of the table of judgements: a question, its subject and the label or value given.

    The subject is an answer, a passage, both, or (if both numbers are None) the whole item, by the numbers of the
    payload. `position` is the place of the answer on the screen, from 1. `text` is what was answered where it is
    neither a label nor a number.
    """

    question: str
    label: str = ""
    value: float | None = None
    answer_number: int | None = None
    passage_number: int | None = None
    position: int | None = None
    text: str = ""


class Scheme(ABC):
    """A kind of judgement.

    name                name in commands, files and tables
    asks                the question that the annotator reads first
    shows               what the screen of an item shows
    role                what its items decide
    expected_seconds    default of a batch for the expected time of a judgement
    has_verdict         whether items have a verdict; without one, figures use the judgements alone
    has_fixed_labels    whether a verdict is one of few labels and nothing else: so that rules can be compared, and
                        items settled a second time
    shows_evidence      whether the screen shows evidence
    shows_passages      whether the screen shows whole passages
    judges_passages     whether it asks which passages are relevant
    """

    name: str
    asks: str
    shows: Shows
    role: SchemeRole
    expected_seconds: int
    has_verdict: ClassVar[bool] = False
    has_fixed_labels: ClassVar[bool] = False
    shows_evidence: bool
    shows_passages: bool
    judges_passages: bool = False

    @property
    def is_released(self) -> bool:
        """Whether batches of it are part of releases of a data set. A comparison has releases of its own."""
        return self.role not in (SchemeRole.COMPARISON, SchemeRole.WRITING, SchemeRole.CURATION)

    @property
    def labels(self) -> tuple[str, ...]:
        """The labels of a scheme with one choice; () for a sheet."""
        return ()

    @property
    def guideline_template(self) -> str:
        """A guideline to start from, in Markdown; "" if the scheme has none."""
        path = GUIDELINES / f"{self.name}.md"
        return path.read_text(encoding="utf-8") if path.is_file() else ""

    def label_in_files(self, label: str, payload: Payload) -> str:
        """The label of an item as files have it. It differs where a label depends on the order of the screen."""
        return label

    @abstractmethod
    def clean(self, response: object, payload: Payload) -> Response:
        """The response as it is stored. Raises ResponseError if it is invalid."""

    def first_part(self, response: object, payload: Payload) -> Response | None:
        """The part of the response that is stored before the item shows everything; None if it has one part only.

        Raises ResponseError if that part is incomplete.
        """
        return None

    @abstractmethod
    def words(self, response: Response) -> str:
        """The response in a word or two."""

    def own_words(self, response: Response) -> str:
        """The response in words for its annotator, within a sentence."""
        return self.words(response)

    @abstractmethod
    def response_lines(
        self,
        response: Response,
        order: Sequence[int],
        payload: Payload,
        letters: Mapping[int, str],
    ) -> list[str]:
        """The whole response in words, a line for each question.

        `order` is that of the answers on the screen; `letters` are the names of the answers by their number.
        """

    @abstractmethod
    def rows(self, response: Response, order: Sequence[int], payload: Payload) -> list[Row]:
        """The response as lines of the table of judgements; `order` is that of the answers on the screen."""

    @abstractmethod
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
        """The response of annotator number `annotator` in a rehearsal (annotation.rehearsal.annotators).

        `order` is that of the answers on the screen.
        """


class SettledScheme(Scheme):
    """A scheme whose items end with a verdict: a label, found by a rule from the votes of its judgements.

    options     the labels in the order of their keys
    accepted    the positive label
    """

    has_verdict: ClassVar[bool] = True
    options: tuple[Option, ...]
    accepted: str

    @property
    def labels(self) -> tuple[str, ...]:
        return tuple(option.label for option in self.options)

    @property
    def rules(self) -> tuple[str, ...]:
        """The names of the rules (stats.aggregation.consensus) that can settle a batch of it."""
        return tuple(consensus.RULES)

    @abstractmethod
    def label(self, response: Mapping[str, str]) -> str:
        """The response as a vote. Votes that agree are equal."""

    def label_of_vote(self, vote: str) -> str:
        """The label of a verdict that was found by this vote."""
        return vote

    def adjudicated_response(
        self,
        label: str,
        response: Mapping[str, str] | None,
        payload: Payload,
        judged: Sequence[Response] = (),
    ) -> Response:
        """What is stored with an adjudication as `label` besides the label. Raises ResponseError if they do not fit.

        `judged` are the counted responses of the item.
        """
        return {}
