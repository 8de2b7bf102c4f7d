"""Which questions each batch of a rehearsed campaign asks. Imports no Django."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass


class TooFewQuestionsError(Exception):
    """There are not enough for all batches; the message says how many there are."""


@dataclass(frozen=True)
class Questions:
    """The questions of each batch, by their keys; none is in two of them."""

    pilot: list[int]
    keyed: list[int]
    full: list[int]


def shared_out(
    drawn: Sequence[int], n_items: Mapping[int, int], *, n_pilot: int, n_keyed: int
) -> Questions:
    """Return the questions of the batches. Raises TooFewQuestionsError.

    drawn    all questions of the data set, in the order of their lots
    n_items  of those that the pool asks, how many items they have

    The pilot takes the first ones until it has its items. Keyed items take those that the pool does not ask, then the
    last ones of the pool; the others are left to the full batch.

    >>> shared_out([4, 1, 3, 2], {1: 2, 2: 2, 3: 2}, n_pilot=2, n_keyed=1)
    Questions(pilot=[1], keyed=[4], full=[3, 2])
    """
    asked = [turn for turn in drawn if turn in n_items]
    n_first, n_in_pilot = 0, 0
    while n_first < len(asked) and n_in_pilot < n_pilot:
        n_in_pilot += n_items[asked[n_first]]
        n_first += 1
    pilot, rest = asked[:n_first], asked[n_first:]
    others = [turn for turn in drawn if turn not in n_items]
    keyed = [*others, *reversed(rest)][:n_keyed]
    full = [turn for turn in rest if turn not in set(keyed)]
    if n_in_pilot < n_pilot or len(keyed) < n_keyed or not full:
        raise TooFewQuestionsError(
            f"the pool asks {len(n_items)} of the {len(drawn)} questions of its data set: after a pilot of {n_pilot}"
            f" items and a training of {n_keyed} questions none is left for the full batch. Ask for fewer"
        )
    return Questions(pilot, keyed, full)
