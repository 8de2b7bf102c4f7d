"""The labels that one person gave, in the order of their work."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

# How the right label of an item is known.
CONTROL, ADJUDICATION = "control", "adjudication"
# Between two submissions that lie further apart a person was away.
SECONDS_AWAY = 30 * 60
# A pair has one entry: of the first of its two answers, which is `preferred`, the `other` or in a `tie`.
_OTHER = {"preferred": "other", "other": "preferred"}
_SIDE = {
    ("preferred", 1): "left",
    ("preferred", 2): "right",
    ("other", 1): "right",
    ("other", 2): "left",
}


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
        is_counted      counted, of an item that is neither control nor excluded
        is_extra        asked for beyond the first judgements of an item, as those of a dispute are
        is_pair         two answers were compared: one entry for both, the label that of `answer`
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
    is_extra: bool = False
    is_pair: bool = False

    @property
    def is_compared(self) -> bool:
        """Return whether agreement with others includes it.

        Who is asked for a further judgement of a disputed item can agree with at most half of those
        who dispute it, so extra judgements say nothing of the people who gave them.
        """
        return self.is_counted and not self.is_extra

    @property
    def screen_label(self) -> str:
        """Return the label as the screen had it: of a pair left, right or tie."""
        return _SIDE.get((self.label, self.position), self.label) if self.is_pair else self.label

    def label_of(self, screen_label: str) -> str:
        """Return the label that the person would have given with this label of the screen."""
        if not self.is_pair:
            return screen_label
        labels = {_SIDE[label, self.position]: label for label in _OTHER}
        return labels.get(screen_label, screen_label)

    @property
    def mirrored(self) -> "Entry":
        """Return the entry of the other answer of a pair."""
        label = _OTHER.get(self.label, self.label)
        return replace(self, label=label, position=3 - self.position)

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
