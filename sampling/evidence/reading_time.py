"""The amount of evidence to read, and the time that reading takes.

Over the questions with evidence: half of them show at most `median` words, nine in ten at most
`ninetieth` (the smallest number for which that is true: nearest rank). Words and speed are those of
`text.segmentation`: 200 a minute, in scripts without spaces a character each.
"""

import math
import statistics
from collections.abc import Collection
from dataclasses import dataclass

from text.segmentation import reading_seconds


@dataclass(frozen=True, slots=True)
class ReadingLength:
    """The median and ninetieth percentile. Both are None if no question has evidence."""

    median: float | None
    ninetieth: int | None


def reading_length(lengths: Collection[int]) -> ReadingLength:
    """Return the reading length for these numbers of words, one a question.

    Right: of 1, 2, …, 10 the median is 5.5 and the ninetieth percentile 9.
    """
    if not lengths:
        return ReadingLength(None, None)
    in_order = sorted(lengths)
    # In whole numbers, so that no rounding moves the rank.
    rank = -(-9 * len(in_order) // 10)
    return ReadingLength(statistics.median(in_order), in_order[rank - 1])


def minutes(n_words: float) -> str:
    """Return the reading time in words: tenths of a minute, rounded up."""
    return f"{math.ceil(reading_seconds(n_words) / 6) / 10:.1f} min"
