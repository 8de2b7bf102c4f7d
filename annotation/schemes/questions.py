"""What a sheet asks: questions that are answered with one of their options (Choice) or by setting ticks (Ticks).

Of a response, {name: what was said}, a question knows which part is its own, whether that answers it, and how
it reads in the long table and in words.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from annotation.schemes.base import Option, Payload, Response, ResponseError, Row

TICKED = "yes"


@dataclass(frozen=True, kw_only=True)
class Condition:
    """Asked only where the choice `name` was answered with one of these labels."""

    name: str
    labels: frozenset[str]

    def holds(self, response: Mapping[str, str]) -> bool:
        return response.get(self.name) in self.labels


@dataclass(frozen=True)
class Mark:
    """What can be set on the screen, and then is {name: value} in the response: an option, or a tick.

    `key` is empty where no single key sets it; `end` is the word at an end of a scale.
    """

    name: str
    value: str
    key: str
    words: str
    end: str = ""

    def is_set(self, response: Mapping[str, str]) -> bool:
        return response.get(self.name) == self.value


@dataclass(frozen=True, kw_only=True)
class Question(ABC):
    """part     1, or 2: asked once the first part is answered and shut, and the passages are shown
    row         the question's name in the long table
    about       the numbers of the answer and of the passage that it speaks of, as in the payload
    """

    name: str
    asks: str
    row: str
    part: int = 1
    answer: int | None = None
    passage: int | None = None
    only_if: Condition | None = None

    def is_asked(self, response: Mapping[str, str]) -> bool:
        """Whether what was said has it asked."""
        return self.only_if is None or self.only_if.holds(response)

    def text(self, payload: Payload) -> str:
        """What it speaks of: an answer, a passage, or else the question that the screen is about."""
        for number, texts in (
            (self.answer, payload["answers"]),
            (self.passage, payload.get("passages", ())),
        ):
            for each in texts:
                if each["number"] == number:
                    return str(each["text"])
        return str(payload["question"])

    @property
    @abstractmethod
    def kind(self) -> str:
        """As the screen draws it: scale, choice or ticks."""

    @property
    @abstractmethod
    def is_needed(self) -> bool:
        """Whether saying nothing is no answer to it."""

    @property
    @abstractmethod
    def marks(self) -> list[Mark]:
        """All that can be set, in the order in which it stands."""

    @property
    def names(self) -> list[str]:
        """The names in a response that answer it."""
        return list(dict.fromkeys(mark.name for mark in self.marks))

    @property
    def sayings(self) -> list[Response]:
        """The simplest answers, one of which a simulated annotator gives: one mark, or none where that is one."""
        nothing: list[Response] = [] if self.is_needed else [{}]
        return nothing + [{mark.name: mark.value} for mark in self.marks]

    def is_answered(self, response: Mapping[str, str]) -> bool:
        """Whether the response says what it asks."""
        return not self.is_needed or any(mark.is_set(response) for mark in self.marks)

    @abstractmethod
    def take(self, left: dict[object, object]) -> Response:
        """What answers it, taken out of what is `left` of a response. Raises ResponseError."""

    @abstractmethod
    def rows(self, response: Response, stood: Mapping[int, int]) -> Iterator[Row]:
        """Lines of the long table; `stood` is the position of each answer on the screen, by number."""

    @abstractmethod
    def in_words(self, response: Response, letters: Mapping[int, str]) -> str:
        """As "A: appropriate 4"; empty where nothing was said that is worth a line."""

    def _about(self, letters: Mapping[int, str]) -> str:
        about = [letters[self.answer]] if self.answer is not None else []
        about += [f"passage {self.passage}"] if self.passage is not None else []
        return f"{', '.join(about)}: " if about else ""


@dataclass(frozen=True, kw_only=True)
class Choice(Question):
    """One of the options. `is_scale`: the labels are numbers, and the long table holds them as such.

    `ends` are the words at the two ends of a scale.
    """

    options: tuple[Option, ...]
    is_scale: bool = False
    ends: tuple[str, str] | None = None

    @property
    def labels(self) -> tuple[str, ...]:
        return tuple(option.label for option in self.options)

    @property
    def kind(self) -> str:
        return "scale" if self.is_scale else "choice"

    @property
    def is_needed(self) -> bool:
        return True

    @property
    def marks(self) -> list[Mark]:
        ends = dict(zip((self.labels[0], self.labels[-1]), self.ends or (), strict=False))
        return [
            Mark(self.name, each.label, each.key, each.words, ends.get(each.label, ""))
            for each in self.options
        ]

    def take(self, left: dict[object, object]) -> Response:
        label = left.pop(self.name, None)
        if not isinstance(label, str) or label not in self.labels:
            choices = ", ".join(self.labels)
            raise ResponseError(f"{self.name}: choose one of {choices}, not {label!r}")
        return {self.name: label}

    def rows(self, response: Response, stood: Mapping[int, int]) -> Iterator[Row]:
        label = response[self.name]
        yield Row(
            question=self.row,
            label="" if self.is_scale else label,
            value=float(label) if self.is_scale else None,
            answer_number=self.answer,
            passage_number=self.passage,
            position=_position(self.answer, stood),
        )

    def in_words(self, response: Response, letters: Mapping[int, str]) -> str:
        label = response[self.name]
        said = f"{self.row} {label}" if self.is_scale else label
        return f"{self._about(letters)}{said}"


@dataclass(frozen=True, kw_only=True)
class Tick:
    """`row`, `answer`, `passage` as of a Question; `yes` and `no` are its labels in the long table.

    `key` is empty where no single key sets it.
    """

    name: str
    key: str
    words: str
    row: str
    answer: int | None = None
    passage: int | None = None
    yes: str = "yes"
    no: str = "no"


@dataclass(frozen=True, kw_only=True)
class Ticks(Question):
    """Any of the ticks, or (where `at_least_one`) not none of them."""

    ticks: tuple[Tick, ...]
    at_least_one: bool = False

    @property
    def kind(self) -> str:
        return "ticks"

    @property
    def is_needed(self) -> bool:
        return self.at_least_one

    @property
    def marks(self) -> list[Mark]:
        return [Mark(tick.name, TICKED, tick.key, tick.words) for tick in self.ticks]

    def take(self, left: dict[object, object]) -> Response:
        taken: Response = {}
        for name in self.names:
            if name not in left:
                continue
            value = left.pop(name)
            if value != TICKED:
                raise ResponseError(f"{name}: {TICKED} or nothing, not {value!r}")
            taken[name] = TICKED
        if self.at_least_one and not taken:
            raise ResponseError(f"{self.name}: choose at least one")
        return taken

    def rows(self, response: Response, stood: Mapping[int, int]) -> Iterator[Row]:
        for tick in self.ticks:
            yield Row(
                question=tick.row,
                label=tick.yes if tick.name in response else tick.no,
                answer_number=tick.answer,
                passage_number=tick.passage,
                position=_position(tick.answer, stood),
            )

    def in_words(self, response: Response, letters: Mapping[int, str]) -> str:
        set_ones = [tick.words for tick in self.ticks if tick.name in response]
        return f"{self._about(letters)}{self.asks} {', '.join(set_ones)}" if set_ones else ""


def _position(answer: int | None, stood: Mapping[int, int]) -> int | None:
    return None if answer is None else stood.get(answer)
