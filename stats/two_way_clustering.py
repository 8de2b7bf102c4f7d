"""Variances and intervals of means if the people who judged are a sample too, like the questions.

A figure is a weighted sum of judgements, Σ w·y. With the score of a judgement z = w·(y - m), m the
mean that it is compared with (so that all scores sum to 0), and the sums of the scores of each
question, of each annotator and of each annotator on each question (a cell),

    V_q = Q / (Q - 1) · Σ (sum of a question)²       the variance for these people
    V_a = A / (A - 1) · Σ (sum of an annotator)²     that of other people on these questions
    V_c = Σ (sum of a cell)²                         what both of them contain
    V   = max(V_q + V_a - V_c, V_q)

(Cameron, Gelbach & Miller 2011, Journal of Business & Economic Statistics 29:238-249.) In a complete
design V_a is the jackknife that leaves out one annotator at a time. V_c is taken off because V_q and
V_a both have what is particular to one annotator on one question; V is never less than the variance
for these people. The interval is m ± t·√V, Student's t with the degrees of freedom of Satterthwaite
(1946, Biometrics Bulletin 2:110-114)

    V² / (V_q² / (Q - 1) + V_a² / (A - 1))

at least A - 1 and at most Q + A - 2. With fewer than three annotators nothing can be said of others: undefined.

Of several figures by few people some V_a is by chance far too small. `pooled` therefore compares
each with what people make in all of them: E, the mean of A·(V_a - V_c) over the figures, and P, that
of A·V_a. With F free ones among the figures (of the differences of K runs, and of their win rates, K - 1)

    V = max(V_q + V_a - V_c, V_q + E / A, V_q)
    degrees of freedom V² / (V_q² / (Q - 1) + max(V_a, P / A)² / (F·(A - 1))), within the same bounds

For a single figure this is the variance above. A question stands for whatever is drawn as a whole, such as a conversation.
"""

from collections import defaultdict
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import fsum, lcm, sqrt
from typing import Literal, TypeVar

import numpy as np

from stats.bootstrap import ROUNDING
from stats.clustered_means import ALIKE, SINGLE
from stats.proportion_intervals import Interval
from stats.variance_components import FEW_PEOPLE, LEAST_PEOPLE

POWER = 0.8

Pair = tuple[str, str]
# Whom a test is about: the people who judged, or people like them.
People = Literal["these", "like them"]
Name = TypeVar("Name", bound=Hashable)


@dataclass(frozen=True, slots=True)
class TwoWay:
    """The variance of a figure over questions and annotators, and its parts.

    `variance` and `df` are None, with the reason, for fewer than three annotators or two questions,
    and if all questions and annotators have the same mean.
    """

    variance: float | None
    df: float | None
    reason: str | None
    of_questions: float
    of_annotators: float
    of_cells: float
    n_questions: int
    n_annotators: int

    @property
    def share_of_annotators(self) -> float | None:
        """The part of the variance that is there only because other people could have judged."""
        if not self.variance:
            return None
        return max(0.0, 1 - self.of_questions / self.variance)

    @property
    def has_enough(self) -> bool:
        """Whether there are annotators and questions enough for a variance."""
        return self.n_annotators >= LEAST_PEOPLE and self.n_questions >= 2

    @property
    def excess(self) -> float:
        """The variance of annotators without that of cells; less than 0 only by chance."""
        found = self.of_annotators - self.of_cells
        return 0.0 if abs(found) <= ROUNDING * self.of_cells else found


def two_way(
    scores: Sequence[Fraction], questions: Sequence[Hashable], annotators: Sequence[Hashable]
) -> TwoWay:
    """Return the variance of a sum of scores, of which each is one judgement's.

    >>> scores = [Fraction(each, 6) for each in (1, -1, 0, 0, -1, 1)]
    >>> of = two_way(scores, [1, 1, 1, 2, 2, 2], list("abcabc"))
    >>> of.of_questions, of.of_annotators, of.n_annotators
    (0.0, 0.25, 3)

    Scores are exact, so their order changes nothing. Raises ValueError if there are not as many
    questions and annotators as scores.
    """
    if not len(scores) == len(questions) == len(annotators):
        raise ValueError("every score has one question and one annotator")
    of_questions, n_questions = _clustered(scores, questions)
    of_annotators, n_annotators = _clustered(scores, annotators)
    cells = [*zip(questions, annotators, strict=True)]
    of_cells = fsum(each**2 for each in _sums(scores, cells))
    parts = TwoWay(
        None, None, None, of_questions, of_annotators, of_cells, n_questions, n_annotators
    )
    return _with_variance(parts, parts.excess, of_annotators, n_annotators - 1)


def with_variance_of_questions(
    of_questions: float,
    *,
    of_annotators: float,
    of_cells: float,
    n_questions: int,
    n_annotators: int,
) -> TwoWay:
    """Return the variance of a figure whose parts are known otherwise (`stats.people_of_rates`)."""
    parts = TwoWay(
        None, None, None, of_questions, of_annotators, of_cells, n_questions, n_annotators
    )
    return _with_variance(parts, parts.excess, of_annotators, n_annotators - 1)


def pooled(
    figures: Mapping[Name, TwoWay], *, n_free: Callable[[Sequence[Name]], int]
) -> dict[Name, TwoWay]:
    """Return the variances of figures of runs, each with what people make in all of them.

    Figures without enough annotators or questions stay as they are, and count for no other.
    `n_free` returns how many of the figures with these names do not follow from the others.
    """
    known = {name: of for name, of in figures.items() if of.has_enough}
    if not known:
        return dict(figures)
    n = len(known)
    excess = fsum(of.excess * of.n_annotators for of in known.values()) / n
    annotators = fsum(of.of_annotators * of.n_annotators for of in known.values()) / n
    free = n_free(list(known))
    return dict(figures) | {
        name: _with_variance(
            of,
            max(of.excess, excess / of.n_annotators),
            max(of.of_annotators, annotators / of.n_annotators),
            free * (of.n_annotators - 1),
        )
        for name, of in known.items()
    }


def n_free_differences(pairs: Sequence[Pair]) -> int:
    """Return how many of the differences are free: K - 1 of K runs that are all linked."""
    runs = sorted({run for pair in pairs for run in pair})
    signs = np.zeros((len(pairs), len(runs)))
    for row, (one, other) in enumerate(pairs):
        signs[row, runs.index(one)], signs[row, runs.index(other)] = 1, -1
    return int(np.linalg.matrix_rank(signs))


def _with_variance(parts: TwoWay, excess: float, of_annotators: float, df: int) -> TwoWay:
    """Add to the variance over questions that of people, of which `df` degrees of freedom are known."""
    variance = parts.of_questions + max(excess, 0.0)
    reason = _why_undefined(parts, variance)
    if reason:
        return replace(parts, variance=None, df=None, reason=reason)
    n_questions, n_annotators = parts.n_questions, parts.n_annotators
    squares = parts.of_questions**2 / (n_questions - 1) + of_annotators**2 / df
    within = max(variance**2 / squares, n_annotators - 1)
    return replace(
        parts, variance=variance, df=min(within, n_questions + n_annotators - 2), reason=None
    )


def interval(value: float, of: TwoWay, *, within: tuple[float, float]) -> Interval:
    """Return the 95 % interval of a figure for questions and people like these."""
    from stats.distributions import student_t_quantile  # noqa: PLC0415  scipy: only where a job counts

    if of.variance is None or of.df is None:
        return Interval(None, None, of.reason)
    distance = student_t_quantile(0.975, of.df) * sqrt(of.variance)
    least, most = within
    return Interval(max(least, value - distance), min(most, value + distance))


def p_value(difference: float, of: TwoWay) -> float | None:
    """Return the two-sided p of the t test that a difference is 0; None if the variance is undefined."""
    from stats.distributions import student_t_cdf  # noqa: PLC0415  scipy: only where a job counts

    if of.variance is None or of.df is None:
        return None
    return min(1.0, 2 * student_t_cdf(-abs(difference) / sqrt(of.variance), of.df))


def detectable(of: TwoWay) -> float | None:
    """Return the smallest difference that the t test detects at the level .05 with a power of .8.

    It is (t(.975) + t(.8))·√V; None if the variance is undefined.
    """
    from stats.distributions import student_t_quantile  # noqa: PLC0415  scipy: only where a job counts

    if of.variance is None or of.df is None:
        return None
    quantiles = student_t_quantile(0.975, of.df) + student_t_quantile(POWER, of.df)
    return quantiles * sqrt(of.variance)


def _sums(scores: Sequence[Fraction], clusters: Sequence[Hashable]) -> list[float]:
    """Return the sum of the scores of each cluster, exact until it is a float."""
    denominator = lcm(*(each.denominator for each in scores))
    found: defaultdict[Hashable, int] = defaultdict(int)
    for score, cluster in zip(scores, clusters, strict=True):
        found[cluster] += score.numerator * (denominator // score.denominator)
    return [each / denominator for each in found.values()]


def _clustered(scores: Sequence[Fraction], clusters: Sequence[Hashable]) -> tuple[float, int]:
    """Return the variance over clusters, 0 if there is one, and their number."""
    sums = _sums(scores, clusters)
    n = len(sums)
    return (n / (n - 1) * fsum(each**2 for each in sums) if n > 1 else 0.0), n


def _why_undefined(parts: TwoWay, variance: float) -> str | None:
    if parts.n_annotators < LEAST_PEOPLE:
        return FEW_PEOPLE
    if parts.n_questions < 2:
        return SINGLE
    return None if variance > 0 else ALIKE
