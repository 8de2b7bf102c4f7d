"""Figures of observations. Plain values in and out."""

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple


def percentile(values: Sequence[float], share: float) -> float | None:
    """Return the smallest value not exceeded by that share of all; None without values."""
    if not values:
        return None
    return sorted(values)[max(math.ceil(share * len(values)), 1) - 1]


class JudgementRecord(NamedTuple):
    """A judgement: one that the server confirmed, or one in the database."""

    client_id: str
    assignment: str  # 32 digits
    label: str


class Differences(NamedTuple):
    """Differences between the judgements in the database and those that the server confirmed."""

    n_told: int
    n_lost: int  # said to be saved, and not there
    n_changed: int  # there with another item or label
    n_doubled: int  # there more than once, or a second one on the same assignment
    n_untold: int  # there, and nobody was told


def differences(told: Iterable[JudgementRecord], stored: Iterable[JudgementRecord]) -> Differences:
    said = {each.client_id: each for each in told}
    there = list(stored)
    by_client_id = {each.client_id: each for each in there}
    times = Counter(each.client_id for each in there)
    on_assignment = Counter(each.assignment for each in there)
    return Differences(
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


class AnsweredRequest(NamedTuple):
    """One data request that stored a judgement."""

    at: float  # seconds since the beginning
    seconds: float  # that it took


class Pace(NamedTuple):
    """The pace while everybody had something to judge."""

    seconds: float
    n_judgements: int
    per_second: float
    p50: float | None  # milliseconds, as the others
    p95: float | None
    p99: float | None


def pace(answered: Sequence[AnsweredRequest], seconds: float) -> Pace:
    counted = [each.seconds * 1000 for each in answered if each.at <= seconds]
    return Pace(
        seconds=seconds,
        n_judgements=len(counted),
        per_second=len(counted) / seconds if seconds else 0.0,
        p50=percentile(counted, 0.5),
        p95=percentile(counted, 0.95),
        p99=percentile(counted, 0.99),
    )


class Waits(NamedTuple):
    """How long requests took that were sent at once, in milliseconds."""

    p50: float | None
    longest: float | None


def waits(seconds: Sequence[float]) -> Waits:
    milliseconds = [each * 1000 for each in seconds]
    return Waits(percentile(milliseconds, 0.5), percentile(milliseconds, 1))
