"""What a scheme of judgement is. A scheme is one file in this folder and one template."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any


class ResponseError(ValueError):
    """The response does not answer the scheme's question; the message says what is missing."""


@dataclass(frozen=True)
class Option:
    """A label that can be chosen: its key on the keyboard and the words beside it."""

    label: str
    key: str
    words: str


@dataclass(frozen=True)
class Row:
    """One line of the long table: which answer of the item, which question, what was said."""

    answer_number: int
    question: str
    label: str
    position: int


@dataclass(frozen=True)
class ChoiceScheme:
    """One question about one answer, with one label to choose.

    name        as in commands, files and tables; the question carries it in the long table
    asks        what the annotator reads
    options     the labels in the order of their keys
    accepted    the label that an item must end with for its answer to go on
    shows_evidence  whether the evidence paragraph is part of the screen
    prevalence  how often a rehearsal hides each label, by label; sums to 1

    A response is {name: label}. Right: {"plausibility": "malformed"}. Wrong: {"plausibility": "yes"}.
    """

    name: str
    asks: str
    options: tuple[Option, ...]
    accepted: str
    shows_evidence: bool
    prevalence: Mapping[str, float]

    @property
    def labels(self) -> tuple[str, ...]:
        return tuple(option.label for option in self.options)

    def option(self, label: str) -> Option:
        return next(option for option in self.options if option.label == label)

    def clean(self, response: object) -> dict[str, str]:
        """The response as it is stored. Raises ResponseError where it is not an answer."""
        label = response.get(self.name) if isinstance(response, Mapping) else None
        if label not in self.labels:
            choices = ", ".join(self.labels)
            raise ResponseError(f"{self.name}: choose one of {choices}, not {label!r}")
        return {self.name: str(label)}

    def label(self, response: Mapping[str, Any]) -> str:
        """The label that consensus is sought on."""
        return str(response[self.name])

    def response(self, label: str) -> dict[str, str]:
        return {self.name: label}

    def rows(self, response: Mapping[str, Any], order: Sequence[int]) -> list[Row]:
        """The response as lines of the long table."""
        return [Row(answer_number=1, question=self.name, label=self.label(response), position=1)]
