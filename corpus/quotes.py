"""Whether what a run quotes as its evidence can be used."""

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
    """`passage[start:end]` is the quote where it stands in the passage, usable or too long; otherwise None."""

    status: QuoteStatus
    n_words: int
    start: int | None = None
    end: int | None = None


def check(quote: str, passage: str | None, *, most_words: int) -> QuoteCheck:
    """Looks for the quote, stripped of outer white space, in the text of its passage (None: not held).

    It must stand there character by character; the first place counts. Words are what white space
    parts. The first of these that holds is the status: empty, passage not held, not in passage, too
    long, usable. With at most two words, "in 1999" of "born in 1999." is usable; "In 1999" and
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
