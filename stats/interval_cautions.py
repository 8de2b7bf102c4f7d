"""Sentences of caution about the intervals of a result."""

from collections.abc import Iterable

from stats import interval_coverage
from stats.bootstrap import BootstrapInterval
from stats.clustered_means import MeanInterval
from stats.interval_coverage import Measured
from stats.proportion_intervals import Interval


def caution(intervals: Iterable[Interval], measured: Measured, what: str) -> str | None:
    """Return a sentence about the intervals' coverage at their numbers of questions.

    None if it is sufficient.

    It includes replicates without a value, because the others are another sample.
    """
    known = [
        each
        for each in intervals
        if isinstance(each, BootstrapInterval | MeanInterval) and each.low is not None
    ]
    sentence = interval_coverage.caution_of_numbers(
        (each.n_questions for each in known), measured, what
    )
    drawn = [each for each in known if isinstance(each, BootstrapInterval)]
    undefined = max(drawn, key=lambda each: each.n_undefined, default=None)
    if undefined is None or not undefined.n_undefined:
        return sentence
    left_out = f"{undefined.n_undefined:,} of {undefined.n_replicates:,} replicates have no value and are left out."
    return f"{sentence} {left_out}" if sentence else left_out
