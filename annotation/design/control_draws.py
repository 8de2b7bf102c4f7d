"""Which of a person's claims in a batch are control items, by a rule without state. Imports no Django.

Claim number k (from 1) is drawn if a hash of seed, batch, person and k is below a rate: the same on every host,
however many items are fetched ahead. docs/adr/0064-hidden-controls.md says why.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from stats.jeffreys import lower_bound
from stats.lots import fraction

# For so many claims everybody has the full rate.
FULL_UP_TO = 50
# Of the right answers since the last error; above it the rate is halved.
BAR, CONFIDENCE = 0.8, 0.95


@dataclass(frozen=True)
class Draws:
    """The draws of one person in one batch. `every` is Batch.control_every."""

    seed: int
    batch: str
    person: int
    every: int

    def is_drawn(self, number: int, *, halved: bool = False) -> bool:
        """Whether claim `number` is drawn. A claim that is drawn at the halved rate is drawn at the full one."""
        rate = 1 / self.every / (2 if halved and number > FULL_UP_TO else 1)
        return fraction(self.seed, self.batch, self.person, "control", number) < rate

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
        """Whether a control item can stand here, before an item of this question."""
        return not self.is_grouped or turn != self.turn

    def after(self, turn: int) -> "Place":
        """The place after an item of this question."""
        number = self.n_taken + 1
        is_same = self.is_grouped and turn == self.turn
        return replace(
            self, n_taken=number, turn=turn, run_from=self.run_from if is_same else number
        )

    def after_control(self, turn: int | None) -> "Place":
        """The place after a control item, which is alone of its question."""
        number = self.n_taken + 1
        return replace(self, n_taken=number, turn=turn, run_from=number)


def is_due(draws: Draws, place: Place, turn: int, *, halved: bool = False) -> bool:
    """Whether a control item comes before the item of this question.

    Where items of one question come in a row, one that is drawn among them waits for their end.
    """
    first = place.run_from + 1 if place.is_grouped else place.n_taken + 1
    return place.is_between(turn) and draws.any_drawn(first, place.n_taken + 1, halved=halved)


def n_ahead(draws: Draws, place: Place, turns: Iterable[int], most: int) -> int:
    """How many control items come before and among the items of these questions, in their order; at most `most`.

    At the full rate: the number that a person is told must not move with what they answered to a control item.
    """
    n = 0
    for turn in turns:
        while n < most and is_due(draws, place, turn):
            place, n = place.after_control(None), n + 1
        place = place.after(turn)
    return n


def is_halved(answers: Iterable[bool]) -> bool:
    """Whether the rate is halved after these answers, in their order: enough were right since the last error."""
    n_right = 0
    for is_right in answers:
        n_right = n_right + 1 if is_right else 0
    return lower_bound(n_right, n_right, CONFIDENCE) >= BAR
