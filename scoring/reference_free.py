"""Measures of an answer alone: its length, and whether it says that there is no answer."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from text.tokens import words

# Each is looked for as words in a row, on SQuAD's tokens: case, punctuation and articles do not count.
# None is about the world ("nobody knows who built it" is an answer); all are about answering.
PHRASES = (
    "unanswerable",
    "I don't know",
    "I do not know",
    "cannot answer",
    "can't answer",
    "can not answer",
    "could not answer",
    "unable to answer",
    "not able to answer",
    "cannot be answered",
    "can't be answered",
    "cannot be determined",
    "no answer",
    "does not answer",
    "doesn't answer",
    "does not contain the answer",
    "does not contain an answer",
    "not enough information",
    "insufficient information",
    "does not provide information",
    "does not provide enough information",
    "does not contain information",
    "does not contain enough information",
    "does not mention",
    "is not mentioned in the passage",
    "there is no information",
    "no information is provided",
)

_TYPOGRAPHIC_APOSTROPHE = "\u2019"  # SQuAD's tokens lose only ASCII punctuation


def n_characters(text: str) -> float:
    """Return the characters (code points) without outer white space, as CLAP-NQ counts."""
    return float(len(text.strip()))


def says_unanswerable(text: str, phrases: Iterable[str] = PHRASES) -> bool:
    """Return whether the text contains one of the phrases or is empty.

    An empty answer means "unanswerable" in SQuAD 2.0 and in CLAP-NQ's references. `Sorry, I don't
    know.` contains a phrase, with a typographic apostrophe too; so does `I don't know anyone who
    denies it`: a list of phrases does not understand a text. Other systems use other words, so give
    a list that fits them.
    """
    found = _spaced(text)
    return not found.strip() or _has_any(found, phrases)


def is_refusal(text: str) -> bool:
    """Return whether an answer is blank or contains one of the phrases.

    Unlike for `says_unanswerable`, one of articles or punctuation alone ("A", say, of a choice) is an answer.
    """
    return not text.strip() or _has_any(_spaced(text), PHRASES)


@dataclass(frozen=True, slots=True)
class Abstention:
    """The recognition of unanswerable questions; a share is None without such questions."""

    n_unanswerable: int
    n_told: int
    n_answerable: int
    n_wrongly_told: int

    @property
    def accuracy(self) -> float | None:
        """Return the share of unanswerable questions whose answer says so."""
        return self.n_told / self.n_unanswerable if self.n_unanswerable else None

    @property
    def wrong_rate(self) -> float | None:
        """Return the share of answerable questions whose answer says that there is none."""
        return self.n_wrongly_told / self.n_answerable if self.n_answerable else None


def abstention(answers: Iterable[tuple[str, bool]], phrases: Iterable[str] = PHRASES) -> Abstention:
    """Return the shares for pairs (answer, whether its question can be answered).

    Show both: a system that always says that there is no answer has an accuracy of 1.
    """
    phrases = tuple(phrases)
    pairs = [(says_unanswerable(text, phrases), answerable) for text, answerable in answers]
    unanswerable = [says_so for says_so, answerable in pairs if not answerable]
    wrongly = [says_so for says_so, answerable in pairs if answerable]
    return Abstention(len(unanswerable), sum(unanswerable), len(wrongly), sum(wrongly))


def _has_any(found: str, phrases: Iterable[str]) -> bool:
    return any(each in found for each in _all_spaced(tuple(phrases)))


@lru_cache(maxsize=8)  # the same phrases are asked about for each answer
def _all_spaced(phrases: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(map(_spaced, phrases))


def _spaced(text: str) -> str:
    # With a space at both ends, so that a phrase begins and ends where words do.
    return f" {' '.join(words(text.replace(_TYPOGRAPHIC_APOSTROPHE, '')))} "
