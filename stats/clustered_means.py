"""Means over values of questions, with intervals over questions.

    mean({"1_1": [4, Fraction(8, 3)], "1_2": [2]}, without="nothing is rated", within=(1, 4))

The mean is over all values, each counting once, whatever its question. Its interval takes questions
as independent, each with all its values. With s and n a question's sum and number of values, Q
questions, N = Σ n and the mean m = Σ s / N,

    m ± t·√(Q / (Q - 1) · Σ (s - m·n)²) / N      t the .975 quantile of Student's t, Q - 1 degrees

within the values that are possible. Questions of one cluster, such as the turns of a conversation,
count as one question there, with all their values (`cluster`). With one value a question this is the usual t interval; with
more it is that of a ratio of two sums (Cochran 1977, Sampling Techniques, 6.3). The percentile
bootstrap is shorter by √((Q - 1) / Q)·1.96 / t, a tenth with ten questions, and covers too little.

A share of questions, of each of which one thing is true or not, has Wilson's interval (`share`).

Values are exact fractions, so their order changes no digit.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import fsum, inf, lcm, sqrt

import numpy as np

from stats.agreement.judgement_table import Ints
from stats.clusters import Cluster, itself
from stats.proportion_intervals import Interval, wilson

FINEST = 1_000_000_000
SINGLE = "a single question"
ALIKE = "all questions have the same mean"

Value = Fraction | int
Values = Mapping[str, Sequence[Value]]  # by question, those that have any
ANY_VALUE = (-inf, inf)


@dataclass(frozen=True, slots=True)
class MeanInterval(Interval):
    """A 95 % interval of a mean over `n_questions`, or None with the reason.

    Questions that are drawn together count once.
    """

    n_questions: int = 0


@dataclass(frozen=True, slots=True)
class Figure:
    """A mean of `n_values` on `n_questions`; None with the reason.

    The interval has its own reason.
    """

    value: float | None
    reason: str | None
    interval: Interval
    n_questions: int
    n_values: int


def values_by_question(pairs: Iterable[tuple[str, Value]]) -> dict[str, list[Value]]:
    found: defaultdict[str, list[Value]] = defaultdict(list)
    for question, value in pairs:
        found[question].append(value)
    return dict(found)


def mean(
    values: Values,
    *,
    without: str,
    within: tuple[float, float] = ANY_VALUE,
    cluster: Cluster = itself,
) -> Figure:
    """Return the mean; `without` is the reason if there are no values.

    `within` are the least and the greatest possible value. The interval is undefined, with the
    reason, for a single question (cluster), and if all questions have the same mean.
    """
    n = sum(len(each) for each in values.values())
    if not n:
        return no_figure(without)
    found = Fraction(sum(sum(each) for each in values.values())) / n
    return Figure(
        value=float(found),
        reason=None,
        interval=_interval(_clustered(values, cluster), found, n, within),
        n_questions=len(values),
        n_values=n,
    )


def share(holds: Mapping[str, bool], *, without: str) -> Figure:
    """Return the share of the questions of which it holds; `without` is the reason for none."""
    n, n_true = len(holds), sum(holds.values())
    if not n:
        return no_figure(without)
    interval = wilson(n_true, n)
    return Figure(
        value=n_true / n,
        reason=None,
        interval=MeanInterval(interval.low, interval.high, n_questions=n),
        n_questions=n,
        n_values=n,
    )


def no_figure(reason: str) -> Figure:
    return Figure(None, reason, MeanInterval(None, None, reason), 0, 0)


def as_integers(numbers: Sequence[Fraction]) -> tuple[Ints, int]:
    """Multiply by a common denominator, at most a billion.

    Return the integers and the denominator.
    """
    denominator = min(lcm(*(each.denominator for each in numbers)), FINEST)
    return np.array([round(each * denominator) for each in numbers], np.int64), denominator


def _clustered(values: Values, cluster: Cluster) -> Values:
    found: defaultdict[str, list[Value]] = defaultdict(list)
    for question, each in values.items():
        found[cluster(question)].extend(each)
    return found


def _interval(values: Values, mean: Fraction, n: int, within: tuple[float, float]) -> MeanInterval:
    from stats.distributions import student_t_quantile  # noqa: PLC0415  scipy: only where a job counts

    n_questions = len(values)
    residuals = [float(sum(each) - mean * len(each)) for each in values.values()]
    if n_questions == 1 or not any(residuals):
        reason = SINGLE if n_questions == 1 else ALIKE
        return MeanInterval(None, None, reason, n_questions=n_questions)
    squares = fsum(each * each for each in residuals)
    error = sqrt(n_questions / (n_questions - 1) * squares) / n
    distance = student_t_quantile(0.975, n_questions - 1) * error
    least, most = within
    return MeanInterval(
        max(least, float(mean) - distance),
        min(most, float(mean) + distance),
        n_questions=n_questions,
    )
