"""The order of an item's answers on an annotator's screen. Imports no Django.

The order depends only on the batch's seed, the item's content and the annotator, so it stays the same after a
reload, on another device and when the judgement is stored with it.

Several answers are shuffled for each item and annotator, but those of an ordered pair: the draw of its pool has
shuffled them, alike for all annotators, because its labels speak of the first answer. In pairs that are compared, annotation.design.pairs balances which of
two systems is number 1; here each annotator sees all pairs of the batch as they are or all swapped, with the
probability 1/2 for each annotator apart (so of three all see them alike with the probability 1/4). So each
annotator sees a system on the left as often as on the right against the same opponent, up to a difference of one.
"""

from collections.abc import Sequence

from annotation.schemes.base import Payload, Shows
from stats.lots import BITS, lot


def screen_order(
    shows: Shows, content: Payload, *, seed: int, batch: object, item: object, annotator: int
) -> list[int]:
    """The numbers of the answers in the order of the screen."""
    numbers = [answer["number"] for answer in content["answers"]]
    if shows == Shows.ORDERED_PAIR:
        return numbers
    if shows == Shows.PAIR:
        return pair_order(seed=seed, batch=batch, annotator=annotator)
    return shuffled_numbers(numbers, seed=seed, item=item, annotator=annotator)


def shuffled_numbers(
    numbers: Sequence[int], *, seed: int, item: object, annotator: int
) -> list[int]:
    """The numbers in the order of the screen, from the left or from the top."""
    if len(numbers) < 2:
        return list(numbers)
    return sorted(numbers, key=lambda number: lot("answers", seed, item, annotator, number))


def pair_order(*, seed: int, batch: object, annotator: int) -> list[int]:
    """[1, 2] or [2, 1], for an annotator's whole batch; each has the probability 1/2."""
    is_swapped = lot("pair", seed, batch, annotator) >> (BITS - 32) & 1
    return [2, 1] if is_swapped else [1, 2]
