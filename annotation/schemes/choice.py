"""Schemes with one question, answered by one label."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from annotation.rehearsal import annotators
from annotation.schemes import payloads
from annotation.schemes.base import (
    Option,
    Payload,
    Response,
    ResponseError,
    Row,
    Scheme,
    SchemeRole,
    SettledScheme,
    Shows,
)


@dataclass(frozen=True, kw_only=True)
class ChoiceScheme(Scheme):
    """A scheme with one choice. A response is {name: label}, for example {"plausibility": "malformed"}.

    options     the labels in the order of their keys
    prevalence  probability of each label as the true one in a rehearsal; sums to 1
    """

    name: str
    asks: str
    options: tuple[Option, ...]
    prevalence: Mapping[str, float]
    shows: Shows = Shows.ANSWER
    role: SchemeRole = SchemeRole.LABEL
    shows_evidence: bool = False
    shows_passages: bool = False
    expected_seconds: int = 30

    @property
    def labels(self) -> tuple[str, ...]:
        return tuple(option.label for option in self.options)

    @property
    def keys(self) -> str:
        """The keys in words: "1, 2 or 3"."""
        *before, last = (option.key for option in self.options)
        return f"{', '.join(before)} or {last}"

    @property
    def all_keys(self) -> str:
        """Every key that answers, in words: "1 or ←, 2 or →, or 0"."""
        *before, last = (" or ".join(option.key_signs) for option in self.options)
        has_second = any(option.second_key for option in self.options)
        return f"{', '.join(before)}{',' if has_second else ''} or {last}"

    def option(self, label: str) -> Option:
        return next(option for option in self.options if option.label == label)

    def clean(self, response: object, payload: Payload) -> Response:
        label = response.get(self.name) if isinstance(response, Mapping) else None
        if label not in self.labels:
            choices = ", ".join(self.labels)
            raise ResponseError(f"{self.name}: choose one of {choices}, not {label!r}")
        return {self.name: str(label)}

    def label(self, response: Mapping[str, str]) -> str:
        return str(response[self.name])

    def words(self, response: Response) -> str:
        return self.label(response)

    def response_lines(
        self,
        response: Response,
        order: Sequence[int],
        payload: Payload,
        letters: Mapping[int, str],
    ) -> list[str]:
        return [self.option(self.label(response)).words]

    def response(self, label: str) -> Response:
        return {self.name: label}

    def rows(self, response: Response, order: Sequence[int], payload: Payload) -> list[Row]:
        return [Row(question=self.name, label=self.label(response), answer_number=1, position=1)]

    def true_label(self, payload: Payload, order: Sequence[int], *, seed: int) -> str:
        """The true label in a rehearsal, drawn at random for the text of the first answer."""
        return annotators.hidden_label(
            scheme=self.name,
            seed=seed,
            text_sha256=payloads.text_sha256(payload["answers"][0]["text"]),
            prevalence=self.prevalence,
        )

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
        label = annotators.simulated_label(
            seed=seed,
            annotator=annotator,
            item=item,
            truth=self.true_label(payload, order, seed=seed),
            accuracy=accuracy,
            labels=self.labels,
        )
        return self.response(label)


@dataclass(frozen=True, kw_only=True)
class VerdictScheme(ChoiceScheme, SettledScheme):
    """A scheme whose items have a verdict, decided with one of its labels.

    accepted    the positive label: with the role ACCEPTANCE such an answer is accepted, with GROUNDING it is gold.
                The forecast of a batch is about its share
    """

    accepted: str
    has_fixed_labels: ClassVar[bool] = True
