"""The labels that one person gave, in the order of their work."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

# How the right label of an item is known.
CONTROL, ADJUDICATION = "control", "adjudication"
# Between two submissions that lie further apart a person was away.
SECONDS_AWAY = 30 * 60


@dataclass(frozen=True, slots=True)
class Entry:
    """One label that one person gave.

    It is one answer to one question asked, of a judgement that is not withdrawn.

        worker          pseudonym
        batch           its name
        submission      the claim that it was submitted under; with several answers or questions
                        several entries
        item, turn      the item, and the question that it belongs to, whose items are alike
        asked           the question of the scheme; of a scheme with one question its name
        answer          its object: an answer, a passage, or both
        label           the label; a number as a text
        position        the place of the answer on the screen, from 1; 0 without an answer
        submitted_at    in seconds since some moment
        active_seconds  the time of the whole submission
        n_words         the words that the screen showed
        is_counted      whether agreement includes it: counted, of an item that is neither control
                        nor excluded
        known           the label that is known to be right; "" if none is
        known_by        CONTROL or ADJUDICATION; "" if none is known
        n_answer_words  of n_words those of the answers
    """

    worker: str
    batch: str
    submission: str
    item: str
    turn: str
    asked: str
    answer: str
    label: str
    position: int
    submitted_at: float
    active_seconds: float
    n_words: int
    is_counted: bool
    known: str = ""
    known_by: str = ""
    n_answer_words: int = 0

    @property
    def task(self) -> tuple[str, str, str]:
        """Return the object of agreement: item, answer and question asked."""
        return self.item, self.answer, self.asked


def sorted_entries(entries: Iterable[Entry]) -> list[Entry]:
    """Sort by time of submission, then by item, answer and question."""
    return sorted(entries, key=lambda each: (each.submitted_at, each.item, each.answer, each.asked))


def submissions(entries: Sequence[Entry]) -> list[Entry]:
    """Return one entry of each submission."""
    return list({each.submission: each for each in reversed(entries)}.values())[::-1]


def sessions(entries: Sequence[Entry]) -> list[int]:
    """Return the session of each entry, from 0.

    SECONDS_AWAY without a submission begin a new one.
    """
    numbers: list[int] = []
    before: Entry | None = None
    for each in entries:
        is_new = before is not None and each.submitted_at - before.submitted_at > SECONDS_AWAY
        numbers.append((numbers[-1] if numbers else 0) + is_new)
        before = each
    return numbers


def blocks(entries: Sequence[Entry]) -> list[int]:
    """Return the block of each entry, from 0; consecutive entries on one question are a block."""
    numbers: list[int] = []
    for number, (_, block) in enumerate(groupby(entries, key=lambda each: each.turn)):
        numbers += [number for _ in block]
    return numbers


def by_asked(entries: Sequence[Entry]) -> Iterator[tuple[str, list[Entry]]]:
    for asked in sorted({each.asked for each in entries}):
        yield asked, [each for each in entries if each.asked == asked]
