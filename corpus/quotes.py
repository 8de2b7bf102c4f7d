"""Checks whether a run's quotes can be used as evidence."""

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
