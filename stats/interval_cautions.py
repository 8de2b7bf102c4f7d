"""Sentences of caution about the intervals of a result."""

from collections.abc import Iterable

from stats import interval_coverage
from stats.bootstrap import BootstrapInterval
from stats.interval_coverage import Measured


def caution(intervals: Iterable[BootstrapInterval], measured: Measured, what: str) -> str | None:
    """Return a sentence about the intervals' coverage at their numbers of questions.

    None if it is sufficient.

    It includes replicates without a value, because the others are another sample.
    """
    known = [each for each in intervals if each.low is not None]
    sentence = interval_coverage.caution_of_numbers(
        (each.n_questions for each in known), measured, what
    )
    undefined = max(known, key=lambda each: each.n_undefined, default=None)
    if undefined is None or not undefined.n_undefined:
        return sentence
    left_out = f"{undefined.n_undefined:,} of {undefined.n_replicates:,} replicates have no value and are left out."
    return f"{sentence} {left_out}" if sentence else left_out
