"""Which dispute comes first.

An item is the more disputed the more its counted votes are spread: by Shannon's entropy of their shares, in
bits, -Σ p·log2 p. So 1:1 (1.0) comes before 2:1 (.918), and 1:1:1 (1.585) before both. Of equally spread ones
that with more votes comes first, then the one that stands first. Items of one question come in a row, the
question by its most disputed item: who settles reads each question once.
"""

from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass
from math import log2
from typing import Generic, TypeVar

Thing = TypeVar("Thing")


@dataclass(frozen=True)
class Dispute(Generic[Thing]):
    """Something in dispute: its question, its votes by label, and where it stands among all."""

    thing: Thing
    question: Hashable
    votes: Mapping[str, int]
    place: int

    @property
    def rank(self) -> tuple[float, int, int]:
        """Smaller is more disputed. Rounded, so that the order of labels makes no difference."""
        return (-round(entropy(self.votes), 9), -sum(self.votes.values()), self.place)


def entropy(votes: Mapping[str, int]) -> float:
    """In bits; 0 of no votes or of one label only. Right: {a: 3, b: 1} → .8113."""
    n = sum(votes.values())
    shares = [each / n for each in votes.values() if each]
    return -sum(share * log2(share) for share in shares) + 0.0


def in_order(disputes: Iterable[Dispute[Thing]]) -> list[Thing]:
    """The things, most disputed first, those of one question in a row."""
    questions: dict[Hashable, list[Thing]] = {}
    for each in sorted(disputes, key=lambda each: each.rank):
        questions.setdefault(each.question, []).append(each.thing)
    return [thing for things in questions.values() for thing in things]
