"""In which order the answers of an item stand on somebody's screen. Plain Python.

An order follows from the batch's seed, what the item shows and the annotator: reload, another device and the moment of
storing give the same one, and it is stored with the judgement.

Several answers are shuffled anew for each item and annotator. Of a pair the numbers are given out so that
each of two systems is number 1 of as many of their pairs as the other (annotation.design.pairs); here half of
the annotators get every pair of the batch turned round. So each annotator sees each system on the left as
often as on the right, against the same opponent, give or take one.
"""

from collections.abc import Sequence

from annotation.schemes.base import Payload, Shows
from stats.lots import BITS, lot


def of(
    shows: Shows, content: Payload, *, seed: int, batch: object, item: object, annotator: int
) -> list[int]:
    """The numbers of the content's answers as they stand."""
    numbers = [answer["number"] for answer in content["answers"]]
    if shows == Shows.PAIR:
        return of_pair(seed=seed, batch=batch, annotator=annotator)
    return of_answers(numbers, seed=seed, item=item, annotator=annotator)


def of_answers(numbers: Sequence[int], *, seed: int, item: object, annotator: int) -> list[int]:
    """The numbers as they stand, left to right or from the top; of fewer than two as they are."""
    if len(numbers) < 2:
        return list(numbers)
    return sorted(numbers, key=lambda number: lot("answers", seed, item, annotator, number))


def of_pair(*, seed: int, batch: object, annotator: int) -> list[int]:
    """1 on the left for half of the annotators of a batch, 2 for the others."""
    is_turned = lot("pair", seed, batch, annotator) >> (BITS - 32) & 1
    return [2, 1] if is_turned else [1, 2]
