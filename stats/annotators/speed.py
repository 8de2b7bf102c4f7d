"""A person's speed: words a minute, and log time a word compared with the others."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import exp, log, pi
from statistics import median

from stats.annotators.entries import Entry, submissions
from stats.annotators.robust_z import OF_MAD, Measurement, RobustZ, robust_z

# Shorter times are taken as this: nobody sees a screen in less, and 0 has no logarithm.
SHORTEST = 0.1
LEAST_JUDGEMENTS = 5

# How unlike honest people are, in log time a word: one takes 1.4 times as long as another.
HONEST = 0.35

TOO_FEW = f"fewer than {LEAST_JUDGEMENTS} judgements"
NO_TIME = "no active time was measured"


@dataclass(frozen=True, slots=True)
class Speed:
    """`words_per_minute` over all work; `median_seconds` an item.

    `per_word` the median seconds a word.

    `beside` compares the median log time a word with those of the others.
    """

    n_judgements: int
    active_seconds: float
    n_words: int
    words_per_minute: float | None
    median_seconds: float | None
    per_word: float | None
    beside: RobustZ
    reason: str | None = None


def log_times(entries: Sequence[Entry]) -> list[tuple[Entry, float]]:
    """Return each submission that showed words, with its log seconds a word."""
    return [
        (each, log(max(each.active_seconds, SHORTEST) / each.n_words))
        for each in submissions(entries)
        if each.n_words
    ]


def batch_medians(everybody: Iterable[Sequence[Entry]]) -> dict[str, float]:
    """Return the median log time a word of each batch, as batches are harder or easier to read."""
    times: dict[str, list[float]] = defaultdict(list)
    for entries in everybody:
        for each, time in log_times(entries):
            times[each.batch].append(time)
    return {batch: median(found) for batch, found in times.items()}


def relative_log_time(entries: Sequence[Entry], usual: Mapping[str, float]) -> Measurement | None:
    """Return the person's median log time a word minus that of its batch; None for too few.

    The variance of a median is pi/2 s^2 / n, s = 1.4826 MAD.
    """
    times = [time - usual[each.batch] for each, time in log_times(entries)]
    if len(times) < LEAST_JUDGEMENTS:
        return None
    middle = median(times)
    spread = OF_MAD * median(abs(time - middle) for time in times)
    return Measurement(middle, pi / 2 * spread**2 / len(times), len(times) - 1)


def speed(entries: Sequence[Entry], own: Measurement | None, others: Sequence[float]) -> Speed:
    work = submissions(entries)
    seconds = sum(each.active_seconds for each in work)
    n_words = sum(each.n_words for each in work)
    times = [time for _, time in log_times(entries)]
    return Speed(
        n_judgements=len(work),
        active_seconds=seconds,
        n_words=n_words,
        words_per_minute=60 * n_words / seconds if seconds else None,
        median_seconds=median(each.active_seconds for each in work) if work else None,
        per_word=exp(median(times)) if times else None,
        beside=robust_z(own, others, honest=HONEST)
        if own
        else RobustZ(None, None, None, len(others), TOO_FEW),
        reason=None if seconds else NO_TIME,
    )
