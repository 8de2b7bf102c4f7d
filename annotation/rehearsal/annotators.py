"""Simulated annotators of known accuracy, for rehearsals. Imports no Django.

Everything depends only on the seed and on texts, not on the order of rows or the clock, so a rehearsal gives the
same judgements on every machine and database.
"""

import heapq
import uuid
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from annotation.rehearsal.claims import Claims
from stats.lots import BITS, fraction, lot

# Rehearsals begin here: a date that nobody takes for a real one.
EPOCH = datetime(2000, 1, 1, 9, 0, tzinfo=UTC)

FEWEST_SECONDS, MOST_SECONDS = 5.0, 40.0


def hidden_label(
    *, scheme: str, seed: int, text_sha256: str, prevalence: Mapping[str, float]
) -> str:
    """The true label of a text in this rehearsal, drawn at random with the scheme's prevalence.

    The draw depends on the scheme: otherwise all plausible texts would be faithful.
    """
    at = fraction("hidden", scheme, seed, text_sha256)
    total = 0.0
    for label, share in prevalence.items():
        total += share
        if at < total:
            return label
    return list(prevalence)[-1]


def simulated_label(
    *, seed: int, annotator: int, item: object, truth: str, accuracy: float, labels: tuple[str, ...]
) -> str:
    """The truth with the given probability, else one of the other labels, which are equally likely."""
    if fraction("right", seed, annotator, item) < accuracy:
        return truth
    others = [label for label in labels if label != truth]
    return others[int(fraction("which", seed, annotator, item) * len(others))]


def seconds(*, seed: int, annotator: int, item: object) -> float:
    """The time of a judgement: 5 to 40 seconds, rounded to milliseconds."""
    span = MOST_SECONDS - FEWEST_SECONDS
    return round(FEWEST_SECONDS + span * fraction("seconds", seed, annotator, item), 3)


def time_after(start: datetime, elapsed: float) -> datetime:
    return start + timedelta(milliseconds=round(elapsed * 1000))


def identifier(*parts: object) -> uuid.UUID:
    """An id that depends only on the parts, in the form of a random UUID."""
    return uuid.UUID(int=lot(*parts) >> (BITS - 128), version=4)


@dataclass(frozen=True, slots=True)
class Work:
    """One judgement of a rehearsal: annotator number `annotator` (from 1) judges the item at `index`.

    `n_before` is how many judgements they had made before it in this batch.
    """

    annotator: int
    index: int
    round: int  # how many places of the item were filled before
    began_at: datetime
    done_at: datetime
    active_seconds: float
    n_before: int = 0


def schedule(
    *,
    items: Sequence[object],
    claims: Claims,
    n_annotators: int,
    most_each: int,
    seed: int,
    takes: Callable[[int, object, int], float] | None = None,
    most_of: Mapping[int, int] | None = None,
) -> list[Work]:
    """All judgements of a rehearsal, in the order in which they begin.

    items       the ids of the items, in the order of the batch
    claims      gives the next item for an annotator
    most_each   the most items that one annotator may take
    takes       the seconds of a judgement by its annotator, its item and their judgements before; None: seconds()
    most_of     the most items that these annotators take, where it is fewer than `most_each`: they leave then

    The annotator who is free first judges next; of several, the one with the lowest number.
    """

    def usual(annotator: int, item: object, _: int) -> float:
        return seconds(seed=seed, annotator=annotator, item=item)

    takes, most_of = takes or usual, most_of or {}
    n_taken = [0] * (n_annotators + 1)
    free = [(EPOCH, annotator) for annotator in range(1, n_annotators + 1)]
    works: list[Work] = []
    while free:
        now, annotator = heapq.heappop(free)
        n_before = n_taken[annotator]
        most = min(most_each, most_of.get(annotator, most_each))
        claim = claims.take(annotator) if n_before < most else None
        if claim is None:
            continue
        n_taken[annotator] += 1
        took = takes(annotator, items[claim.index], n_before)
        done_at = time_after(now, took)
        works.append(Work(annotator, claim.index, claim.round, now, done_at, took, n_before))
        heapq.heappush(free, (works[-1].done_at, annotator))
    return works
