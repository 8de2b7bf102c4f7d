"""From what was seen to figures. Plain values in and out."""

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple


def percentile(values: Sequence[float], share: float) -> float | None:
    """The smallest value that is not exceeded by that share of all; None where there are none."""
    if not values:
        return None
    return sorted(values)[max(math.ceil(share * len(values)), 1) - 1]


class Said(NamedTuple):
    """A judgement: what the server said is saved, or what stands in the database."""

    client_id: str
    assignment: str  # 32 digits
    label: str


class Kept(NamedTuple):
    """How the judgements in the database differ from those that the server said are saved."""

    n_told: int
    n_lost: int  # said to be saved, and not there
    n_changed: int  # there with another item or label
    n_doubled: int  # there more than once, or a second one on the same assignment
    n_untold: int  # there, and nobody was told


def compared(told: Iterable[Said], stored: Iterable[Said]) -> Kept:
    said = {each.client_id: each for each in told}
    there = list(stored)
    by_client_id = {each.client_id: each for each in there}
    times = Counter(each.client_id for each in there)
    on_assignment = Counter(each.assignment for each in there)
    return Kept(
        n_told=len(said),
        n_lost=len(said.keys() - by_client_id.keys()),
        n_changed=sum(
            by_client_id[client_id] != each
            for client_id, each in said.items()
            if client_id in by_client_id
        ),
        n_doubled=max(
            sum(n - 1 for n in times.values()), sum(n - 1 for n in on_assignment.values())
        ),
        n_untold=len(by_client_id.keys() - said.keys()),
    )


class Answered(NamedTuple):
    """One data request that stored a judgement."""

    at: float  # seconds since the beginning
    seconds: float  # that it took


class Pace(NamedTuple):
    """Of the time in which everybody had something to judge."""

    seconds: float
    n_judgements: int
    per_second: float
    p50: float | None  # milliseconds, as the others
    p95: float | None
    p99: float | None


def pace(answered: Sequence[Answered], seconds: float) -> Pace:
    counted = [each.seconds * 1000 for each in answered if each.at <= seconds]
    return Pace(
        seconds=seconds,
        n_judgements=len(counted),
        per_second=len(counted) / seconds if seconds else 0.0,
        p50=percentile(counted, 0.5),
        p95=percentile(counted, 0.95),
        p99=percentile(counted, 0.99),
    )
