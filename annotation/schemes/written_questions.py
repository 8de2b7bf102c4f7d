"""Questions of a sheet that are answered by a text (Text) or by sentences of a passage (Sentences)."""

import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from annotation.schemes.base import Response, ResponseError, Row
from annotation.schemes.questions import TICK, Mark, Question, take_ticks
from text.white_space import folded

# The only control characters of a text below U+0020.
LINE_FEED, TAB = "\n", "\t"
# Characters of a text as it is sent, before it is normalized: far more than any is stored with.
LONGEST_RAW = 20_000
# The texts that a simulated annotator chooses from; and what stands before a text that one makes of another.
SIMULATED = ("A simulated answer.", "Another simulated answer.", "A third simulated answer.")
SIMULATED_START = "(simulated) "
TITLE = 0  # its number among the sentences of a passage


def as_stored(text: str) -> str:
    """The text as it is stored: in NFC, with LF for CR LF. Nothing else is changed."""
    return unicodedata.normalize("NFC", text.replace("\r\n", LINE_FEED))


@dataclass(frozen=True, kw_only=True)
class Text(Question):
    """A question that is answered in words. White space alone is no answer.

    most        the most characters (code points) of the stored text
    may_be_empty    whether it may be left out
    original        the text that is edited, which stands in the box before anything is written; "" for none. A text
                    that is equal to it, but for white space, is no edit, and is refused
    given           the text of somebody else that the whole sheet begins with, and that may stay; "" for none
    """

    most: int
    may_be_empty: bool = False
    original: str = ""
    given: str = ""

    @property
    def kind(self) -> str:
        return "text"

    @property
    def is_required(self) -> bool:
        return not self.may_be_empty

    @property
    def marks(self) -> list[Mark]:
        return []

    @property
    def names(self) -> list[str]:
        return [self.name]

    @property
    def simple_answers(self) -> list[Response]:
        if self.original:
            return [{self.name: as_stored(SIMULATED_START + self.original)}]
        nothing: list[Response] = [{}] if self.may_be_empty else []
        return nothing + [{self.name: text} for text in SIMULATED]

    def written(self, response: Mapping[str, str]) -> str:
        """The text in the response, whatever it is; without one the original."""
        return str(response.get(self.name, self.original))

    def keeps_unasked(self, response: Mapping[str, str]) -> bool:
        text = str(response.get(self.name, ""))
        is_own = not self._is_unchanged(text) and as_stored(text) != self.given
        return bool(text.strip()) and is_own

    def _is_unchanged(self, text: str) -> bool:
        return bool(self.original) and folded(text) == folded(self.original)

    def is_answered(self, response: Mapping[str, str]) -> bool:
        return not self.is_required or bool(str(response.get(self.name, "")).strip())

    def take(self, remaining: dict[object, object]) -> Response:
        value = remaining.pop(self.name, "")
        if not isinstance(value, str):
            raise ResponseError(f"{self.name}: a text, not {value!r}")
        text = as_stored(value)
        if not text.strip():
            if self.is_required:
                raise ResponseError(f"{self.name}: write something; white space alone says nothing")
            return {}
        self._require_text(text)
        if self._is_unchanged(text):
            raise ResponseError(f"{self.name}: it is as it was: change it, or choose keep")
        return {self.name: text}

    def _require_text(self, text: str) -> None:
        for place, char in enumerate(text, start=1):
            if char < " " and char not in (LINE_FEED, TAB):
                raise ResponseError(
                    f"{self.name}: character {place} is the control character U+{ord(char):04X}: remove it"
                )
            if "\ud800" <= char <= "\udfff":
                raise ResponseError(f"{self.name}: character {place} is half of one: remove it")
        if len(text) > self.most:
            raise ResponseError(f"{self.name}: at most {self.most:,} characters, not {len(text):,}")

    def rows(self, response: Response, positions: Mapping[int, int]) -> Iterator[Row]:
        yield Row(
            question=self.row,
            text=response.get(self.name, ""),
            answer_number=self.answer,
            passage_number=self.passage,
            position=positions.get(self.answer) if self.answer is not None else None,
        )

    def summary(self, response: Response, letters: Mapping[int, str]) -> str:
        """The text alone, without a word before it, so that it keeps its direction."""
        return response.get(self.name, "")


@dataclass(frozen=True, kw_only=True)
class Sentences(Question):
    """A question that is answered by ticking sentences of a passage: at least one of its title and its sentences.

    The ticks are called s.<passage>.<n>; n counts from 1, and 0 is the title. `passage` is its number in the payload.
    """

    passage: int
    title: str
    sentences: tuple[str, ...]

    @property
    def kind(self) -> str:
        return "sentences"

    @property
    def is_required(self) -> bool:
        return True

    @property
    def marks(self) -> list[Mark]:
        title = [self._mark(TITLE, self.title)] if self.title else []
        return title + [self._mark(n, text) for n, text in enumerate(self.sentences, start=1)]

    def _mark(self, n: int, words: str) -> Mark:
        return Mark(self._tick_name(n), TICK, str(n) if n < 10 else "", words)

    @property
    def simple_answers(self) -> list[Response]:
        """One sentence, two that follow one another, or two with a sentence between them; never the title."""
        last = len(self.sentences)
        one = [(n,) for n in range(1, last + 1)]
        two = [(n, n + step) for step in (1, 2) for n in range(1, last + 1 - step)]
        return [self.ticks(numbers) for numbers in (*one, *two)]

    def ticks(self, numbers: Iterable[int]) -> Response:
        """The response that ticks these sentences."""
        return {self._tick_name(n): TICK for n in numbers}

    def _tick_name(self, n: int) -> str:
        return f"s.{self.passage}.{n}"

    def ticked(self, response: Mapping[str, str]) -> list[int]:
        """The numbers of the ticked sentences, in their order; 0 is the title."""
        numbers = range(len(self.sentences) + 1)
        return [n for n in numbers if response.get(self._tick_name(n)) == TICK]

    def take(self, remaining: dict[object, object]) -> Response:
        answer = take_ticks(self.names, remaining)
        if not answer:
            raise ResponseError(f"{self.name}: tick at least one sentence")
        return answer

    def rows(self, response: Response, positions: Mapping[int, int]) -> Iterator[Row]:
        numbers = "|".join(map(str, self.ticked(response)))
        yield Row(question=self.row, text=numbers, passage_number=self.passage)

    def summary(self, response: Response, letters: Mapping[int, str]) -> str:
        numbers = self.ticked(response)
        body = [str(n) for n in numbers if n != TITLE]
        words = [f"sentence{'s' if len(body) > 1 else ''} {', '.join(body)}"] if body else []
        return " and ".join((["the title"] if TITLE in numbers else []) + words)
