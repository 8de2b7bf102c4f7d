"""A person's work over time, in pieces for a chart."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp
from statistics import median

from stats.annotators.entries import Entry, sessions
from stats.annotators.peers import Crowd
from stats.annotators.speed import log_times

MOST_PIECES = 60


@dataclass(frozen=True, slots=True)
class Piece:
    """The judgements `first` to `last` (from 1) of one session: time a word, agreement.

    `per_word` is the median of the seconds a word; `agrees` the share of the others that agree.
    """

    first: int
    last: int
    session: int
    per_word: float
    agrees: float | None


def work_timeline(entries: Sequence[Entry], crowd: Crowd) -> list[Piece]:
    """Divide the work into at most MOST_PIECES pieces, but at least one for each session."""
    times = log_times(entries)
    if not times:
        return []
    pairs = {pair.entry.submission: pair for pair in crowd.pairs(entries)}
    numbers = sessions([each for each, _ in times])
    size = -(-len(times) // MOST_PIECES)
    pieces, start = [], 0
    while start < len(times):
        end = start + 1
        while end < len(times) and end - start < size and numbers[end] == numbers[start]:
            end += 1
        part = times[start:end]
        found = [pairs[each.submission] for each, _ in part if each.submission in pairs]
        n = sum(pair.n_others for pair in found)
        pieces.append(
            Piece(
                first=start + 1,
                last=end,
                session=numbers[start],
                per_word=exp(median(time for _, time in part)),
                agrees=sum(pair.n_same for pair in found) / n if n else None,
            )
        )
        start = end
    return pieces
