"""The next item for a simulated person, the same as annotation.actions.claimable_items finds. Imports no Django.

Items are given by their index in the order of the batch. No claim expires, and nobody holds two items. `barred` are
the items that a person is never handed: those of a second round that were theirs in the first.
"""

from bisect import bisect_left, bisect_right, insort
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Claim:
    """`round` is how many places of the item were claimed before."""

    round: int
    index: int


Barred = Mapping[int, Collection[int]]


class Claims(Protocol):
    def take(self, annotator: int) -> Claim | None:
        """Claim a place of the next item for this person; None if nothing is left for them."""


class ClaimsInOrder:
    """Claims by position: the next item after the person's last one that has an open place.

    Items before it need no second look: the person judged them, found them full, or is barred from them.
    """

    def __init__(self, n_places: Sequence[int], barred: Barred | None = None) -> None:
        self._n_places = n_places
        self._barred = barred or {}
        self._left = list(n_places)
        self._reached: dict[int, int] = defaultdict(int)

    def take(self, annotator: int) -> Claim | None:
        ahead = range(self._reached[annotator], len(self._left))
        barred = self._barred.get(annotator, ())
        index = next((at for at in ahead if self._left[at] and at not in barred), None)
        if index is None:
            return None
        self._left[index] -= 1
        self._reached[annotator] = index + 1
        return Claim(self._n_places[index] - self._left[index] - 1, index)


class ClaimsByRound:
    """Claims by round: items with the fewest filled places first.

    In order: the rest of the person's round, the rounds after it, the rounds before it, and the beginning of
    the person's round.
    """

    def __init__(self, n_places: Sequence[int], barred: Barred | None = None) -> None:
        self._n_places = n_places
        # The items of each round, sorted, while they have a place left.
        self._rounds: list[list[int]] = [[] for _ in range(max(n_places, default=0) or 1)]
        self._rounds[0] = [index for index, n in enumerate(n_places) if n]
        self._last: dict[int, Claim] = defaultdict(lambda: Claim(0, -1))
        # Judged by the person, or barred.
        self._own: dict[int, set[int]] = defaultdict(set)
        for annotator, indexes in (barred or {}).items():
            self._own[annotator] |= set(indexes)

    def take(self, annotator: int) -> Claim | None:
        claim = next(self._claims_new_to(annotator), None)
        if claim is None:
            return None
        in_round = self._rounds[claim.round]
        del in_round[bisect_left(in_round, claim.index)]
        if claim.round + 1 < self._n_places[claim.index]:
            insort(self._rounds[claim.round + 1], claim.index)
        self._last[annotator] = claim
        self._own[annotator].add(claim.index)
        return claim

    def _claims_new_to(self, annotator: int) -> Iterator[Claim]:
        own = self._own[annotator]
        for number, places in self._places_after(self._last[annotator]):
            in_round = self._rounds[number]
            for place in places:
                if in_round[place] not in own:
                    yield Claim(number, in_round[place])

    def _places_after(self, at: Claim) -> Iterator[tuple[int, range]]:
        """Each round, from that of the claim, with the places in it to look at."""
        ahead = bisect_right(self._rounds[at.round], at.index)
        yield at.round, range(ahead, len(self._rounds[at.round]))
        for number in (*range(at.round + 1, len(self._rounds)), *range(at.round)):
            yield number, range(len(self._rounds[number]))
        yield at.round, range(ahead)


class ClaimsOfAll:
    """Claims of a training: everybody judges every item, in the order of the batch. Its items have no places."""

    def __init__(self, n_items: int) -> None:
        self._n_items = n_items
        self._reached: dict[int, int] = defaultdict(int)

    def take(self, annotator: int) -> Claim | None:
        index = self._reached[annotator]
        if index >= self._n_items:
            return None
        self._reached[annotator] = index + 1
        return Claim(0, index)
