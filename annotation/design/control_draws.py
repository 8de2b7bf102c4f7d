"""Which of a person's claims in a batch are control items or repeats, by a rule without state. Imports no Django.

Claim number k (from 1) is drawn if a hash of seed, batch, person and k is below a rate: the same on every host,
however many items are fetched ahead. docs/adr/0064-hidden-controls-and-repeats.md says why.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from stats.jeffreys import lower_bound
from stats.lots import fraction

# For so many claims everybody has the full rate.
FULL_UP_TO = 50
# No repeat comes before its person has judged so many other items since.
GAP = 50
# Of the right answers since the last error; above it the rate is halved.
BAR, CONFIDENCE = 0.8, 0.95


@dataclass(frozen=True)
class Draws:
    """The draws of one kind for one person in one batch.

    every   one claim in so many is drawn, on average: Batch.control_every or repeat_every
    kind    "control" or "repeat"
    after   none of the first so many claims is drawn
    """

    seed: int
    batch: str
    person: int
    every: int
    kind: str = "control"
    after: int = 0

    def is_drawn(self, number: int, *, halved: bool = False) -> bool:
        """Whether claim `number` is drawn. A claim that is drawn at the halved rate is drawn at the full one."""
        rate = 1 / self.every / (2 if halved and number > FULL_UP_TO else 1)
        is_low = fraction(self.seed, self.batch, self.person, self.kind, number) < rate
        return is_low and number > self.after

    def any_drawn(self, first: int, last: int, *, halved: bool = False) -> bool:
        """Whether one of these claims, both included, is drawn."""
        return any(self.is_drawn(each, halved=halved) for each in range(first, last + 1))


@dataclass(frozen=True)
class Place:
    """How far a person has come in a batch.

    n_taken     number of items that they were handed
    turn        the question of the last of them
    run_from    the first of the claims in a row that are all of this question
    is_grouped  whether the batch hands out the items of one question in a row
    """

    n_taken: int
    turn: int | None
    run_from: int
    is_grouped: bool

    def is_between(self, turn: int) -> bool:
        """Whether a control item or a repeat can stand here, before an item of this question."""
        return not self.is_grouped or turn != self.turn

    def after(self, turn: int) -> "Place":
        """The place after an item of this question."""
        number = self.n_taken + 1
        is_same = self.is_grouped and turn == self.turn
        return replace(
            self, n_taken=number, turn=turn, run_from=self.run_from if is_same else number
        )

    def after_hidden(self, turn: int | None) -> "Place":
        """The place after a control item or a repeat, which is alone of its question."""
        number = self.n_taken + 1
        return replace(self, n_taken=number, turn=turn, run_from=number)


def is_due(draws: Draws, place: Place, turn: int, *, halved: bool = False) -> bool:
    """Whether a control item, or a repeat, comes before the item of this question.

    Where items of one question come in a row, one that is drawn among them waits for their end.
    """
    first = place.run_from + 1 if place.is_grouped else place.n_taken + 1
    return place.is_between(turn) and draws.any_drawn(first, place.n_taken + 1, halved=halved)


def n_ahead(place: Place, turns: Iterable[int], most: Mapping[Draws, int]) -> int:
    """How many control items and repeats come before and among the items of these questions, in their order; of each
    kind at most so many. Of two that are due at a place, the first kind comes.

    At the full rate: the number that a person is told must not move with what they answered to a control item.
    """
    left, n = dict(most), 0
    for turn in turns:
        while draws := next((of for of in left if left[of] and is_due(of, place, turn)), None):
            left[draws] -= 1
            place, n = place.after_hidden(None), n + 1
        place = place.after(turn)
    return n


def is_halved(answers: Iterable[bool]) -> bool:
    """Whether the rate is halved after these answers, in their order: enough were right since the last error."""
    n_right = 0
    for is_right in answers:
        n_right = n_right + 1 if is_right else 0
    return lower_bound(n_right, n_right, CONFIDENCE) >= BAR
