"""The span of a passage that is nearest to an answer by token F1, exact over all windows.

A window is a run of consecutive tokens of the passage (`text.tokens`; in scripts without spaces a
character each: `text.segmentation`). With n tokens in the
answer, L in the window and c in the multiset overlap of the two, its score is

    F1 = 2c / (L + n)

and the best span is the window with the highest score; of equal ones that with the smallest
start, and of those that with the smallest end. Windows are compared in integers
(c1·(L2 + n) against c2·(L1 + n)), so a tie is a tie whatever the rounding. A verbatim occurrence
is no special case: on token boundaries its score is 1 anyway, and the `1` inside `2015` is not
evidence of the answer `1`.

A passage of P tokens has P(P + 1)/2 windows. Five remarks leave few of them to examine. Each drops
only windows that cannot win: a strictly better one exists, or an equal one was found earlier.

1. A token that the answer lacks, or has no more of, adds to L and nothing to c. So the best window
   begins at an answer's token (a *hit*) and ends at one that counts.
2. A window that has its first token more often than the answer does is better without it. So a
   scan from a hit ends where that token becomes surplus.
3. Starts are taken from left to right, and from each start ends likewise. So of equal windows the
   one that the tie rule prefers is met first, and a later one must be strictly better: with c' and
   T' = L' + n of the best window so far, c·T' > c'·(L + n).
4. From hit k on, c is at most m(k), the overlap of the answer with everything from there to the
   end of the passage. So L + n must be at most (m(k)·T' - 1) // c'.
5. As L is at least c, c·T' > c'·(c + n), so c must be at least c'·n // (T' - c') + 1. If the hit
   that completes that number is out of the reach of remark 4, no window from hit k can win.

On text and answers as people write them that is all. Where both are thousands of words it is not: the
starts that are left and their reach grow with the answer, and the steps with the square of it. So a
search that has taken MOST_STEPS steps a hit goes on in another way, in a number of steps that grows
with the hits times their logarithm:

6. A window is better than the best so far (c', T') if c·T' - c'·(L + n) is above 0; the best window of
   all is found when none is (Dinkelbach 1967). How much two windows share with the answer is
   submodular: of two overlapping windows, their union and their intersection together share no more
   than the two do. So the best end for a start is never before the best end for an earlier start, and
   the best ends of all starts are found by bisection (`_best_ends`). That keeps the tie rule: of the
   ends that are best for a start the first is taken, of the starts the first.

The search replaces the heuristic of QReCC (Anantha et al. 2021), which examines the windows of one
length, chooses by character similarity and may miss the best.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import compress, count
from operator import attrgetter
from typing import NamedTuple

from text.segmentation import searched_words, words_and_places


@dataclass(frozen=True, slots=True)
class Span:
    """The half-open range `[start, end)` of a passage's characters, with its F1 to an answer."""

    start: int
    end: int
    f1: float


@dataclass(frozen=True, slots=True)
class PreparedPassage:
    """A passage prepared for searches for many answers: its words and their places."""

    words: list[str]
    places: Sequence[tuple[int, int]]


def prepare_passage(passage: str) -> PreparedPassage:
    return PreparedPassage(*words_and_places(passage))


def best_span(passage: str, answer: str) -> Span | None:
    """Return the window of `passage` with the highest token F1 to `answer`.

    None if they share no token.

    `best_span("It was a cold, wet day.", "the cold day")` is the range of `cold, wet day.` with
    F1 2·2 / (3 + 2) = 0.8: punctuation stays in the range and is not counted.
    """
    return best_span_in(prepare_passage(passage), answer)


def best_span_in(passage: PreparedPassage, answer: str) -> Span | None:
    """Return the best span in a passage that is searched for several answers."""
    wanted = Counter(searched_words(answer))
    # As `for … if word in wanted`, and a quarter faster.
    hits = list(compress(count(), map(wanted.__contains__, passage.words)))
    if not hits:
        return None
    window = _best_window(hits, [passage.words[hit] for hit in hits], wanted)
    return Span(
        start=passage.places[window.first][0],
        end=passage.places[window.last][1],
        f1=2 * window.shared / window.total,
    )


def window_f1(text: str, answer: str) -> float:
    """Return the F1 of a whole text, as one window, to an answer; 0 if they share no token."""
    found, wanted = Counter(searched_words(text)), Counter(searched_words(answer))
    shared = (found & wanted).total()
    return 2 * shared / (found.total() + wanted.total()) if shared else 0.0


# About what the other way takes, so that it is taken where it is the shorter, and costs at most as much again.
MOST_STEPS = 64


class _Window(NamedTuple):
    first: int  # index of its first token in the passage
    last: int
    shared: int  # c
    total: int  # L + n


def _best_window(hits: list[int], found: list[str], wanted: Counter[str]) -> _Window:
    """Return the best window over hits at the indices `hits`, which are the words `found`."""
    n = wanted.total()
    best = (hits[0], hits[0])
    best_shared, best_total = 1, 1 + n
    n_steps = 0
    for k, most in enumerate(_most_shared(found, wanted)):
        nearest = k + best_shared * n // (best_total - best_shared)
        if nearest >= len(hits):
            break  # nor can a later start have hits enough
        first, opening = hits[k], found[k]
        largest = (most * best_total - 1) // best_shared
        if hits[nearest] - first + 1 + n > largest:
            continue
        if n_steps > MOST_STEPS * len(hits):
            return _best_of_many(hits, found, wanted, best_shared, best_total)
        left, shared = dict(wanted), 0
        for m in range(k, len(hits)):
            n_steps += 1
            total = hits[m] - first + 1 + n
            if total > largest:
                break
            word = found[m]
            if left[word]:
                left[word] -= 1
                shared += 1
                if shared * best_total > best_shared * total:
                    best, best_shared, best_total = (first, hits[m]), shared, total
                    largest = (most * total - 1) // shared
            elif word == opening:
                break
    return _Window(*best, best_shared, best_total)


def _most_shared(words: list[str], wanted: Counter[str]) -> list[int]:
    """Return, for each hit, the overlap of the answer with all hits from it on."""
    left = dict(wanted)
    shared = 0
    most = []
    for word in reversed(words):
        if left[word]:
            left[word] -= 1
            shared += 1
        most.append(shared)
    return most[::-1]


def _best_of_many(
    hits: list[int], found: list[str], wanted: Counter[str], shared: int, total: int
) -> _Window:
    """Return the best window, if a window with the score 2·shared / total is known."""
    n = wanted.total()
    while True:
        ends = _best_ends(hits, found, wanted, shared, total)
        best = max(ends, key=_GAIN)  # the first of equal ones
        k = ends.index(best)
        shared, total = best.shared, hits[best.end] - hits[k] + 1 + n
        if best.gain == 0:
            return _Window(hits[k], hits[best.end], shared, total)


class _End(NamedTuple):
    gain: int  # c·T' - c'·(L + n)
    end: int  # index of the last hit
    shared: int


_GAIN = attrgetter("gain")


def _best_ends(
    hits: list[int], found: list[str], wanted: Counter[str], shared: int, total: int
) -> list[_End]:
    """Return, for each hit as start, the first of the ends with the highest gain."""
    n = wanted.total()
    ends = [_End(0, 0, 0)] * len(hits)
    overlap = _Overlap(wanted)  # of the hits [start, stop)
    start = stop = 0
    parts = [
        (0, len(hits) - 1, 0, len(hits) - 1)
    ]  # starts low to high have their ends in least to most
    while parts:
        low, high, least, most = parts.pop()
        if low > high:
            continue
        k = (low + high) // 2
        least_end = max(k, least)
        for added in (range(k, start), range(stop, least_end)):
            for hit in added:
                overlap.add(found[hit])
        for removed in (range(start, k), range(least_end, stop)):
            for hit in removed:
                overlap.remove(found[hit])
        possible = []
        for end in range(least_end, most + 1):
            overlap.add(found[end])
            gain = overlap.shared * total - shared * (hits[end] - hits[k] + 1 + n)
            possible.append(_End(gain, end, overlap.shared))
        start, stop = k, most + 1
        ends[k] = best = max(possible, key=_GAIN)  # the first of equal ones
        parts += [(k + 1, high, best.end, most), (low, k - 1, least, best.end)]
    return ends


class _Overlap:
    """The multiset overlap of an answer with a window to which hits are added, and taken from."""

    def __init__(self, wanted: Counter[str]) -> None:
        self.shared = 0
        self._left = dict(wanted)

    def add(self, word: str) -> None:
        self._left[word] -= 1
        self.shared += self._left[word] >= 0

    def remove(self, word: str) -> None:
        self.shared -= self._left[word] >= 0
        self._left[word] += 1
