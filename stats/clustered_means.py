"""Means over values of questions, with intervals over questions.

    mean({"1_1": [4, Fraction(8, 3)], "1_2": [2]}, without="nothing is rated", replicates=1000, seed=0)

The mean is over all values, each counting once, whatever its question. The interval draws
questions, each with all its values (`stats.bootstrap.bootstrap`): with s and n a question's sum and
number of values, a replicate that draws the questions w times is Σ w·s / Σ w·n.

Values are exact fractions, so their order changes no digit. If the sums have no common denominator
up to a billion, the interval (not the mean) rests on sums rounded to whole billionths.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import floor, lcm

import numpy as np

from stats.agreement.judgement_table import Floats, Ints
from stats.agreement.result import ratio
from stats.bootstrap import BootstrapInterval, bootstrap, no_interval

FINEST = 1_000_000_000

Value = Fraction | int
Values = Mapping[str, Sequence[Value]]  # by question, those that have any


@dataclass(frozen=True, slots=True)
class Figure:
    """A mean of `n_values` on `n_questions`; None with the reason.

    The interval has its own reason.
    """

    value: float | None
    reason: str | None
    interval: BootstrapInterval
    n_questions: int
    n_values: int


def values_by_question(pairs: Iterable[tuple[str, Value]]) -> dict[str, list[Value]]:
    found: defaultdict[str, list[Value]] = defaultdict(list)
    for question, value in pairs:
        found[question].append(value)
    return dict(found)


def mean(values: Values, *, without: str, replicates: int, seed: int) -> Figure:
    """Return the mean; `without` is the reason if there are no values.

    The interval is undefined, with the reason, like that of `bootstrap`: for a single question, or
    equal replicates.
    """
    n = sum(len(each) for each in values.values())
    if not n:
        return Figure(None, without, no_interval(without, seed), 0, 0)
    total = Fraction(sum(sum(each) for each in values.values()))
    return Figure(
        value=float(total / n),
        reason=None,
        interval=_interval(values, replicates, seed),
        n_questions=len(values),
        n_values=n,
    )


def as_integers(numbers: Sequence[Fraction]) -> tuple[Ints, int]:
    """Multiply by a common denominator, at most a billion.

    Return the integers and the denominator.
    """
    denominator = min(lcm(*(each.denominator for each in numbers)), FINEST)
    return np.array([round(each * denominator) for each in numbers], np.int64), denominator


def _interval(values: Values, replicates: int, seed: int) -> BootstrapInterval:
    # What is resampled are whole numbers from 0 on.
    lowest = floor(min(min(each) for each in values.values()))
    counts = np.array([len(each) for each in values.values()], np.int64)
    sums, denominator = as_integers([Fraction(sum(each)) for each in values.values()])
    rows = np.stack([sums - lowest * denominator * counts, counts], axis=1)

    def of_totals(totals: Floats) -> Floats:
        return ratio(totals[:, 0], totals[:, 1]) / denominator + lowest

    return bootstrap(rows, of_totals, replicates=replicates, seed=seed)
