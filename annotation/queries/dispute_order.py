"""The order of disputes.

Items whose counted votes are spread most come first: by Shannon's entropy of their shares, in bits,
-Σ p·log2 p. So 1:1 (1.0) comes before 2:1 (.918), and 1:1:1 (1.585) before both. With equal entropy the item
with more votes comes first, then the one first in the list. Items of one question are adjacent, placed by its
most disputed item, so that an adjudicator reads each question once.
"""

from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass
from math import log2
from typing import Generic, TypeVar

Thing = TypeVar("Thing")


@dataclass(frozen=True)
class Dispute(Generic[Thing]):
    """Something in dispute with its question, its votes by label, and its place before sorting."""

    thing: Thing
    question: Hashable
    votes: Mapping[str, int]
    place: int

    @property
    def rank(self) -> tuple[float, int, int]:
        """Smaller is more disputed. Rounded, so that the order of labels makes no difference."""
        return (-round(entropy(self.votes), 9), -sum(self.votes.values()), self.place)


def entropy(votes: Mapping[str, int]) -> float:
    """Entropy in bits; 0 for no votes or one label. Example: {a: 3, b: 1} → .8113."""
    n = sum(votes.values())
    shares = [each / n for each in votes.values() if each]
    return -sum(share * log2(share) for share in shares) + 0.0


def in_order(disputes: Iterable[Dispute[Thing]]) -> list[Thing]:
    """The things, most disputed first, those of one question adjacent."""
    questions: dict[Hashable, list[Thing]] = {}
    for each in sorted(disputes, key=lambda each: each.rank):
        questions.setdefault(each.question, []).append(each.thing)
    return [thing for things in questions.values() for thing in things]
