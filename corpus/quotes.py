"""Checks whether a run's quotes can be used as evidence, and finds quotes in passages."""

import re
from dataclasses import dataclass
from enum import StrEnum


class QuoteStatus(StrEnum):
    USABLE = "usable"
    EMPTY = "empty"
    NOT_HELD = "passage not held"
    NOT_IN_PASSAGE = "not in passage"
    TOO_LONG = "too long"


@dataclass(frozen=True, slots=True)
class QuoteCheck:
    """The status of a quote.

    `passage[start:end]` is its place in the passage if it is usable or too long; otherwise both are
    None.
    """

    status: QuoteStatus
    n_words: int
    start: int | None = None
    end: int | None = None


def check(quote: str, passage: str | None, *, most_words: int) -> QuoteCheck:
    """Find the quote, without outer white space, in the text of its passage (None: unknown).

    It must occur character by character; the first occurrence counts. Words are separated by white
    space. The status is the first of these that applies: empty, passage not held, not in passage,
    too long, usable. With at most two words, "in 1999" of "born in 1999." is usable; "In 1999" and
    "in  1999" are not in the passage, and "born in 1999" is too long.
    """
    text = quote.strip()
    n_words = len(text.split())
    if not text:
        return QuoteCheck(QuoteStatus.EMPTY, n_words)
    if passage is None:
        return QuoteCheck(QuoteStatus.NOT_HELD, n_words)
    start = passage.find(text)
    if start < 0:
        return QuoteCheck(QuoteStatus.NOT_IN_PASSAGE, n_words)
    status = QuoteStatus.TOO_LONG if n_words > most_words else QuoteStatus.USABLE
    return QuoteCheck(status, n_words, start, start + len(text))


class PlaceStatus(StrEnum):
    FOUND = "found"
    FOLDED = "found after folding white space"
    MISSING = "not there"


@dataclass(frozen=True, slots=True)
class Place:
    """Where a quote is: `passage[start:end]`, or None and None if it is not there."""

    status: PlaceStatus
    start: int | None = None
    end: int | None = None


def place(quote: str, passage: str) -> Place:
    """Find the first occurrence of the quote, without outer white space, in the passage.

    Character by character; else with each run of white space in either taken as one space. In "born  in 1999"
    "in 1999" is found, and "born in" after folding white space. A blank quote is not there.
    """
    words = quote.split()
    if not words:
        return Place(PlaceStatus.MISSING)
    text = quote.strip()
    start = passage.find(text)
    if start >= 0:
        return Place(PlaceStatus.FOUND, start, start + len(text))
    folded = re.search(r"\s+".join(map(re.escape, words)), passage)
    if folded:
        return Place(PlaceStatus.FOLDED, *folded.span())
    return Place(PlaceStatus.MISSING)
