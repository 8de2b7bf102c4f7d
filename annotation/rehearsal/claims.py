"""Which item a simulated person is handed next, as annotation.actions.claimable_items finds it. Plain Python.

Items are known by their index in the batch's order. Nothing is given back, and nobody holds two items.
"""

from bisect import bisect_left, bisect_right, insort
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Claim:
    """`round` is how many places of the item were taken before."""

    round: int
    index: int


class Claims(Protocol):
    def take(self, annotator: int) -> Claim | None:
        """The next item for this person, one place of it taken; None where nothing is left for them."""


class InARow:
    """The next item with a place left. Behind them no place is left that a person could fill: each item
    there they judged themselves, or found full.
    """

    def __init__(self, n_places: Sequence[int]) -> None:
        self._n_places = n_places
        self._left = list(n_places)
        self._reached: dict[int, int] = defaultdict(int)

    def take(self, annotator: int) -> Claim | None:
        ahead = range(self._reached[annotator], len(self._left))
        index = next((at for at in ahead if self._left[at]), None)
        if index is None:
            return None
        self._left[index] -= 1
        self._reached[annotator] = index + 1
        return Claim(self._n_places[index] - self._left[index] - 1, index)


class InRounds:
    """Those of which the fewest places are taken come first: the rest of the person's round, the rounds after
    it, and what is behind.
    """

    def __init__(self, n_places: Sequence[int]) -> None:
        self._n_places = n_places
        # The items of each round, sorted, while they have a place left.
        self._rounds: list[list[int]] = [[] for _ in range(max(n_places, default=0) or 1)]
        self._rounds[0] = [index for index, n in enumerate(n_places) if n]
        self._at: dict[int, Claim] = defaultdict(lambda: Claim(0, -1))
        self._own: dict[int, set[int]] = defaultdict(set)

    def take(self, annotator: int) -> Claim | None:
        claim = next(self._new_to(annotator), None)
        if claim is None:
            return None
        of_round = self._rounds[claim.round]
        del of_round[bisect_left(of_round, claim.index)]
        if claim.round + 1 < self._n_places[claim.index]:
            insort(self._rounds[claim.round + 1], claim.index)
        self._at[annotator] = claim
        self._own[annotator].add(claim.index)
        return claim

    def _new_to(self, annotator: int) -> Iterator[Claim]:
        own = self._own[annotator]
        for number, places in self._from(self._at[annotator]):
            of_round = self._rounds[number]
            for place in places:
                if of_round[place] not in own:
                    yield Claim(number, of_round[place])

    def _from(self, at: Claim) -> Iterator[tuple[int, range]]:
        """Every round from the claim on, and the places in it that are to be looked at."""
        ahead = bisect_right(self._rounds[at.round], at.index)
        yield at.round, range(ahead, len(self._rounds[at.round]))
        for number in (*range(at.round + 1, len(self._rounds)), *range(at.round)):
            yield number, range(len(self._rounds[number]))
        yield at.round, range(ahead)
