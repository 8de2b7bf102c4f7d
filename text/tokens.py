r"""Tokens of the reading-comprehension measures, with their places in the text.

The normal form is that of SQuAD (Rajpurkar et al. 2016, the official evaluation script), in this
order: lower-case; delete ASCII punctuation; put a space for the words a, an, the; split on white
space. A word ends at `\b` of `re`, hence at every character that is neither
alphanumeric nor deleted: in `cat—the—dog` the article is removed, because the dash is not ASCII.
"""

import re
import string
from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import accumulate
from typing import Any, NamedTuple, overload

_ARTICLE = re.compile(r"\b(?:a|an|the)\b")
_ARTICLES = frozenset(("a", "an", "the"))
_RAW = re.compile(r"\S+")
_PUNCTUATION = string.punctuation.encode()


class Token(NamedTuple):
    """A normalised word and the half-open range `[start, end)` of the raw text it comes from."""

    text: str
    start: int
    end: int


def normalise(text: str) -> str:
    """Return the normal form, separated by single spaces: `The cat's mat.` gives `cats mat`."""
    return " ".join(words(text))


def words(text: str) -> list[str]:
    """Return the words of the normal form, without places."""
    found = _without_punctuation(text.lower()).split()
    if all(map(str.isalnum, found)):  # then no article stands inside a word
        return [word for word in found if word not in _ARTICLES]
    return _ARTICLE.sub(" ", " ".join(found)).split()


def tokens(text: str) -> list[Token]:
    """Return the words of the normal form, each with its place in `text`.

    For every text, `[token.text for token in tokens(text)] == normalise(text).split()`.

    A token's range is that of its raw token, the white-space word with its punctuation: in
    `He (may) go` the token `may` has [3, 8), so that no bracket is cut off. A raw
    token that an article divides gives several tokens, each with the range of its own part:
    `cat—the—dog` gives `cat—` at [0, 4) and `—dog` at [7, 11). Ranges are in order and
    never overlap. They count characters of `text` itself, also if lower-casing changes the
    length (`İ` becomes two characters). Words of punctuation only give no token.
    """
    return [Token(word, *place) for word, place in zip(*located_words(text), strict=True)]


def located_words(text: str) -> tuple[list[str], list[tuple[int, int]]]:
    """Return words and ranges as two lists: making a `Token` of each costs time."""
    found, places = words_and_places(text)
    return found, list(places)


def words_and_places(text: str) -> tuple[list[str], Sequence[tuple[int, int]]]:
    """Return the result of `located_words`, with places computed when they are asked for."""
    # One deletion over all raw words is many times faster than one for each.
    cleaned = _without_punctuation("\n".join(text.lower().split())).split("\n")
    if any(_ARTICLE.search(word) for word in cleaned if not word.isalnum()):
        return _divided(cleaned, text)
    kept = [number for number, word in enumerate(cleaned) if word and word not in _ARTICLES]
    return [cleaned[number] for number in kept], _Places(text, kept)


class _Places(Sequence[tuple[int, int]]):
    """The ranges of the raw words of a text that have these numbers."""

    def __init__(self, text: str, kept: list[int]) -> None:
        self.text = text
        self.kept = kept

    def __len__(self) -> int:
        return len(self.kept)

    @overload
    def __getitem__(self, index: int) -> tuple[int, int]: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[tuple[int, int]]: ...
    def __getitem__(self, index: int | slice) -> Any:
        if isinstance(index, slice):
            return list(self)[index]
        number, ends = self.kept[index], self._ends
        if ends is None:
            return self._ranges[number]
        # One white-space character stands between two words and none around them.
        start = ends[number - 1] + number if number else 0
        return start, ends[number] + number

    def __iter__(self) -> Iterator[tuple[int, int]]:
        ranges = self._ranges
        return (ranges[number] for number in self.kept)

    @cached_property
    def _ends(self) -> list[int] | None:
        """Return the total number of characters of the raw words up to each.

        None if they are separated otherwise.
        """
        ends = list(accumulate(map(len, self.text.split())))
        return ends if ends and ends[-1] + len(ends) - 1 == len(self.text) else None

    @cached_property
    def _ranges(self) -> list[tuple[int, int]]:
        return list(map(re.Match.span, _RAW.finditer(self.text)))


def _divided(cleaned: list[str], text: str) -> tuple[list[str], list[tuple[int, int]]]:
    """Return words and places if articles divide some of the raw words.

    `cleaned` are the raw words without punctuation.
    """
    found: list[str] = []
    places: list[tuple[int, int]] = []
    for word, place in zip(cleaned, map(re.Match.span, _RAW.finditer(text)), strict=True):
        if word.isalnum():
            if word not in _ARTICLES:
                found.append(word)
                places.append(place)
        elif word:
            for part, part_place in _parts(word, text, place):
                found.append(part)
                places.append(part_place)
    return found, places


def _without_punctuation(text: str) -> str:
    # On bytes, because this is what takes the time. ASCII bytes never stand inside a longer
    # UTF-8 sequence. JSON may carry lone surrogates, which only "surrogatepass" lets through.
    encoded = text.encode("utf-8", "surrogatepass")
    return encoded.translate(None, _PUNCTUATION).decode("utf-8", "surrogatepass")


def _parts(word: str, text: str, place: tuple[int, int]) -> Iterator[tuple[str, tuple[int, int]]]:
    """Yield the parts that articles leave of the raw token at `place`.

    `word` is the token without punctuation.
    """
    articles = list(_ARTICLE.finditer(word))
    if not articles:
        yield word, place
        return
    start, end = place
    origin = _origins(text, place)
    begin = 0
    for article in articles:
        if begin < article.start():
            yield word[begin : article.start()], (start, origin[article.start()])
        begin, start = article.end(), origin[article.end() - 1] + 1
    if begin < len(word):
        yield word[begin:], (start, end)


def _origins(text: str, place: tuple[int, int]) -> list[int]:
    """Return the original index of each character that lower-casing and deletion leave."""
    return [
        index
        for index in range(*place)
        if text[index] not in string.punctuation
        for _ in text[index].lower()
    ]
