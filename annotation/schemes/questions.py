"""The questions of a sheet: answered with one option (Choice) or by setting ticks (Ticks). Others are answered by a
text or by sentences of a passage (annotation.schemes.written_questions).

A question reads its own part of a response, {name: value}, and gives it as lines of the table of judgements and
in words.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from annotation.schemes.base import Option, Payload, Response, ResponseError, Row

# The value of a set tick in a response.
TICK = "yes"


@dataclass(frozen=True, kw_only=True)
class Condition:
    """The question is asked only if the choice `name` was answered with one of these labels."""

    name: str
    labels: frozenset[str]

    def holds(self, response: Mapping[str, str]) -> bool:
        return response.get(self.name) in self.labels


@dataclass(frozen=True)
class Mark:
    """An option or a tick on the screen. If it is set, the response has {name: value}.

    `key` is empty if no single key sets it.
    """

    name: str
    value: str
    key: str
    words: str

    def is_set(self, response: Mapping[str, str]) -> bool:
        return response.get(self.name) == self.value


@dataclass(frozen=True, kw_only=True)
class Question(ABC):
    """A question of a sheet.

    row              its name in the table of judgements
    part             1; or 2 if it is asked after the first part, when the passages are shown
    answer, passage  the numbers of its subject in the payload
    only_if          the condition under which it is asked; None for always
    """

    name: str
    asks: str
    row: str
    part: int = 1
    answer: int | None = None
    passage: int | None = None
    only_if: Condition | None = None

    def is_asked(self, response: Mapping[str, str]) -> bool:
        return self.only_if is None or self.only_if.holds(response)

    def text(self, payload: Payload) -> str:
        """The text of its subject: an answer, a passage, or else the question of the screen."""
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
        """How the screen draws it: `scale`, `choice`, `ticks`, `text` or `sentences`."""

    @property
    @abstractmethod
    def is_required(self) -> bool:
        """Whether it has to be answered."""

    @property
    @abstractmethod
    def marks(self) -> list[Mark]:
        """All that can be set, in the order of the screen."""

    @property
    def names(self) -> list[str]:
        """The names in a response that answer it."""
        return list(dict.fromkeys(mark.name for mark in self.marks))

    @property
    def simple_answers(self) -> list[Response]:
        """The answers that a simulated annotator chooses from: one mark, or none unless it is required."""
        nothing: list[Response] = [] if self.is_required else [{}]
        return nothing + [{mark.name: mark.value} for mark in self.marks]

    @property
    def needs_all(self) -> bool:
        """Whether it is answered only once all that can be set is set."""
        return False

    def keeps_unasked(self, response: Mapping[str, str]) -> bool:
        """Whether its answer stays in the response where it is not asked, so that it is refused and not dropped."""
        return False

    def is_answered(self, response: Mapping[str, str]) -> bool:
        return not self.is_required or any(mark.is_set(response) for mark in self.marks)

    def on_screen(self, response: Mapping[str, str]) -> Mapping[str, str]:
        """The response as the screen shows it: with what is set before anything is said."""
        return response

    @abstractmethod
    def take(self, remaining: dict[object, object]) -> Response:
        """Remove the answer to this question from the response and return it.

        Raises ResponseError if it is invalid.
        """

    @abstractmethod
    def rows(self, response: Response, positions: Mapping[int, int]) -> Iterator[Row]:
        """Lines of the table of judgements; `positions` are those of the answers on the screen, by number."""

    @abstractmethod
    def summary(self, response: Response, letters: Mapping[int, str]) -> str:
        """The answer in words, as "A: appropriate 4"; "" if no tick is set."""

    def _subject_prefix(self, letters: Mapping[int, str]) -> str:
        subjects = [letters[self.answer]] if self.answer is not None else []
        subjects += [f"passage {self.passage}"] if self.passage is not None else []
        return f"{', '.join(subjects)}: " if subjects else ""


@dataclass(frozen=True, kw_only=True)
class Choice(Question):
    """A question that is answered with one of its options.

    is_scale    the labels are numbers, and are values in the table of judgements
    prefilled   the label that is set before anything is said; "" for none
    simulated   the labels that a simulated annotator chooses from, each as often as it is usual; (): all alike
    """

    options: tuple[Option, ...]
    is_scale: bool = False
    prefilled: str = ""
    simulated: tuple[str, ...] = ()

    @property
    def labels(self) -> tuple[str, ...]:
        return tuple(option.label for option in self.options)

    @property
    def kind(self) -> str:
        return "scale" if self.is_scale else "choice"

    @property
    def is_required(self) -> bool:
        return True

    @property
    def marks(self) -> list[Mark]:
        return [Mark(self.name, each.label, each.key, each.words) for each in self.options]

    @property
    def simple_answers(self) -> list[Response]:
        return [{self.name: label} for label in self.simulated or self.labels]

    def on_screen(self, response: Mapping[str, str]) -> Mapping[str, str]:
        return {self.name: self.prefilled, **response} if self.prefilled else response

    def take(self, remaining: dict[object, object]) -> Response:
        label = remaining.pop(self.name, None)
        if not isinstance(label, str) or label not in self.labels:
            choices = ", ".join(self.labels)
            raise ResponseError(f"{self.name}: choose one of {choices}, not {label!r}")
        return {self.name: label}

    def rows(self, response: Response, positions: Mapping[int, int]) -> Iterator[Row]:
        label = response[self.name]
        yield Row(
            question=self.row,
            label="" if self.is_scale else label,
            value=float(label) if self.is_scale else None,
            answer_number=self.answer,
            passage_number=self.passage,
            position=_position(self.answer, positions),
        )

    def summary(self, response: Response, letters: Mapping[int, str]) -> str:
        label = response[self.name]
        words = f"{self.row} {label}" if self.is_scale else label
        return f"{self._subject_prefix(letters)}{words}"


@dataclass(frozen=True, kw_only=True)
class Tick:
    """A tick of a question. `row`, `answer` and `passage` are those of a Question.

    key      empty if no single key sets it
    yes, no  its labels in the table of judgements, set and not set
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
    """A question that is answered by setting any of its ticks; `at_least_one`: not none of them, `all_needed`: all.

    summary_start   the words before the ticks in a summary
    """

    ticks: tuple[Tick, ...]
    at_least_one: bool = False
    all_needed: bool = False
    summary_start: str = ""

    @property
    def kind(self) -> str:
        return "ticks"

    @property
    def is_required(self) -> bool:
        return self.at_least_one or self.all_needed

    @property
    def needs_all(self) -> bool:
        return self.all_needed

    @property
    def marks(self) -> list[Mark]:
        return [Mark(tick.name, TICK, tick.key, tick.words) for tick in self.ticks]

    @property
    def simple_answers(self) -> list[Response]:
        return [dict.fromkeys(self.names, TICK)] if self.all_needed else super().simple_answers

    def is_answered(self, response: Mapping[str, str]) -> bool:
        if self.all_needed:
            return all(mark.is_set(response) for mark in self.marks)
        return super().is_answered(response)

    def take(self, remaining: dict[object, object]) -> Response:
        answer = take_ticks(self.names, remaining)
        if self.at_least_one and not answer:
            raise ResponseError(f"{self.name}: choose at least one")
        if self.all_needed and len(answer) < len(self.names):
            missing = next(tick.words for tick in self.ticks if tick.name not in answer)
            raise ResponseError(f"{self.name}: tick all of them; “{missing}” is not ticked")
        return answer

    def rows(self, response: Response, positions: Mapping[int, int]) -> Iterator[Row]:
        """A line for each tick; none where all have to be set, which says nothing."""
        for tick in self.ticks if not self.all_needed else ():
            yield Row(
                question=tick.row,
                label=tick.yes if tick.name in response else tick.no,
                answer_number=tick.answer,
                passage_number=tick.passage,
                position=_position(tick.answer, positions),
            )

    def summary(self, response: Response, letters: Mapping[int, str]) -> str:
        words = [tick.words for tick in self.ticks if tick.name in response]
        if not words:
            return ""
        return f"{self._subject_prefix(letters)}{self.summary_start}{', '.join(words)}"


def take_ticks(names: Iterable[str], remaining: dict[object, object]) -> Response:
    """Remove the set ticks of these names from the response and return them. Raises ResponseError."""
    answer: Response = {}
    for name in names:
        if name not in remaining:
            continue
        value = remaining.pop(name)
        if value != TICK:
            raise ResponseError(f"{name}: {TICK} or nothing, not {value!r}")
        answer[name] = TICK
    return answer


def _position(answer: int | None, positions: Mapping[int, int]) -> int | None:
    return None if answer is None else positions.get(answer)
