"""Simulated annotators of known skill, for rehearsals. Plain Python.

Everything follows from the seed and from texts, never from the order of rows or the clock, so that a
rehearsal gives the same judgements on every machine and database.
"""

import heapq
import uuid
from collections.abc import Mapping, Sequence
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
    """The label that is true of a text in this rehearsal, drawn with the scheme's prevalence.

    The scheme takes part in the draw: otherwise the texts found plausible would all be faithful.
    """
    at = fraction("hidden", scheme, seed, text_sha256)
    total = 0.0
    for label, share in prevalence.items():
        total += share
        if at < total:
            return label
    return list(prevalence)[-1]


def said_label(
    *, seed: int, annotator: int, item: object, truth: str, accuracy: float, labels: tuple[str, ...]
) -> str:
    """What annotator number `annotator` says: the truth with the given accuracy, else another label.

    The other labels are equally likely.
    """
    if fraction("right", seed, annotator, item) < accuracy:
        return truth
    others = [label for label in labels if label != truth]
    return others[int(fraction("which", seed, annotator, item) * len(others))]


def seconds(*, seed: int, annotator: int, item: object) -> float:
    """How long the judgement took, in milliseconds' steps between 5 and 40 seconds."""
    span = MOST_SECONDS - FEWEST_SECONDS
    return round(FEWEST_SECONDS + span * fraction("seconds", seed, annotator, item), 3)


def after(start: datetime, elapsed: float) -> datetime:
    return start + timedelta(milliseconds=round(elapsed * 1000))


def identifier(*parts: object) -> uuid.UUID:
    """An id that follows from the parts, in the form of a random one."""
    return uuid.UUID(int=lot(*parts) >> (BITS - 128), version=4)


@dataclass(frozen=True, slots=True)
class Work:
    """One judgement of a rehearsal: annotator number `annotator` (from 1) judged the item at `index`."""

    annotator: int
    index: int
    round: int  # how many places of the item were taken before
    began_at: datetime
    done_at: datetime
    active_seconds: float


def schedule(
    *, items: Sequence[object], claims: Claims, n_annotators: int, most_each: int, seed: int
) -> list[Work]:
    """Who judges what when, until nobody is handed anything: what claims would hand out one by one.

    items       their ids, in the order of the batch
    claims      what is handed out next
    most_each   the most items that one annotator may take

    Whoever is free first judges next (of those free at once the lowest number).
    """
    n_taken = [0] * (n_annotators + 1)
    free = [(EPOCH, annotator) for annotator in range(1, n_annotators + 1)]
    works: list[Work] = []
    while free:
        now, annotator = heapq.heappop(free)
        claim = claims.take(annotator) if n_taken[annotator] < most_each else None
        if claim is None:
            continue
        n_taken[annotator] += 1
        took = seconds(seed=seed, annotator=annotator, item=items[claim.index])
        works.append(Work(annotator, claim.index, claim.round, now, after(now, took), took))
        heapq.heappush(free, (works[-1].done_at, annotator))
    return works
