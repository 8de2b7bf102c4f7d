"""Correlation of automatic measures with people's ratings, over answers and over systems.

Per answer: each distinct answer is a point, a measure's value against the mean of its annotators'
ratings (on one of the scales of `stats.ratings`). Kendall's τ-b over all pairs of answers, of one
question or of two, and Pearson's r, as `stats.correlation` defines them. Their intervals draw
questions (`stats.bootstrap`), each with all its answers: with w how often questions are drawn, and,
of the signs d1, d2 of differences between an answer to question q and one to question s, A[q, s] =
Σ d1·d2, B = Σ d1², C = Σ d2²,

    τ-b = w·A·w / √(w·B·w · w·C·w)        a copy of an answer ties with itself

and r from sums over questions, each w times. So an interval describes other samples of questions.

Per system: means over questions of the measure and of the human scale, and their two coefficients
over the systems, by `stats.correlation`, without intervals. With as few systems as people compare
it says little.

Undefined, with the reason: fewer than two answers have both values; all have the same value in one.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import fsum

import numpy as np

from stats.agreement.result import ratio
from stats.bootstrap import BootstrapInterval, Floats, no_interval, question_interval, times_drawn
from stats.clusters import Cluster, itself
from stats.correlation import Coefficient, Correlation, correlations, kendall_tau_b, pearson
from stats.interval_cautions import caution
from stats.interval_coverage import OF_ANSWERS
from stats.pairwise.records import Rating

# a measure's value of a run's answer to a question; None or left out where it has none
Scored = Mapping[tuple[str, str], float | None]

TOO_FEW = "fewer than two answers have both"
ONE_VALUE = "all answers have the same value"
HUMAN, AUTOMATIC = "human", "automatic"
COEFFICIENTS: Mapping[Coefficient, str] = {
    "kendall_tau_b": "Kendall coefficient",
    "pearson": "Pearson coefficient",
}
# Of a variance that is 0 but for rounding, as a part of the sum of squares.
ROUNDING = 1e-12


@dataclass(frozen=True, slots=True)
class AnswerCorrelation:
    """A correlation; None with the reason. The interval has its own reason."""

    coefficient: Coefficient
    value: float | None
    reason: str | None
    interval: BootstrapInterval
    n_answers: int
    n_questions: int


@dataclass(frozen=True)
class _Points:
    """Both values of each answer; `starts` are the places where each cluster's answers begin."""

    human: Floats
    automatic: Floats
    starts: Sequence[int]
    n_questions: int


def answer_correlations(
    rated: Iterable[Rating],
    rating: Callable[[Rating], Fraction | None],
    scored: Scored,
    *,
    replicates: int,
    seed: int,
    cluster: Cluster = itself,
) -> list[AnswerCorrelation]:
    """Return both coefficients.

    `scored` is by question and run; runs with one answer share a value. `cluster` returns what a
    question is drawn with.
    """
    points = _points(rated, rating, scored, cluster)
    drawn = {"replicates": replicates, "seed": seed}
    return [
        _answer_correlation("kendall_tau_b", points, kendall_tau_b, _taus, drawn),
        _answer_correlation("pearson", points, pearson, _pearsons, drawn),
    ]


def cautions(correlations: Sequence[AnswerCorrelation]) -> list[str]:
    """Return at most a sentence for each of the two coefficients."""
    sentences = (
        caution(
            (each.interval for each in correlations if each.coefficient == name),
            OF_ANSWERS[name],
            what,
        )
        for name, what in COEFFICIENTS.items()
    )
    return [each for each in sentences if each]


def system_correlations(
    rated: Iterable[Rating],
    rating: Callable[[Rating], Fraction | None],
    scored: Scored,
) -> list[Correlation]:
    """Correlate the runs' means over the questions where a run's answer has both values."""
    by_run: defaultdict[str, list[tuple[float, float]]] = defaultdict(list)
    for (question, run), human in _means(rated, rating).items():
        automatic = scored.get((question, run))
        if automatic is not None:
            by_run[run].append((human, automatic))
    if not by_run:
        return []
    values = [
        [fsum(column) / len(column) for column in zip(*by_run[run], strict=True)]
        for run in sorted(by_run)
    ]
    return list(correlations((HUMAN, AUTOMATIC), np.array(values)))


def _means(
    rated: Iterable[Rating], rating: Callable[[Rating], Fraction | None]
) -> dict[tuple[str, str], float]:
    """Return the mean rating by question and run, sorted."""
    values: defaultdict[tuple[str, str], list[Fraction]] = defaultdict(list)
    for each in rated:
        value = rating(each)
        if value is not None:
            values[each.question, each.run].append(value)
    return {key: float(sum(values[key]) / len(values[key])) for key in sorted(values)}


def _points(
    rated: Iterable[Rating],
    rating: Callable[[Rating], Fraction | None],
    scored: Scored,
    cluster: Cluster,
) -> _Points:
    """Return one point for each distinct answer, by cluster; of several runs the first by name.

    Clusters are in the order of their first questions.
    """
    rows = list(rated)
    answer_of = {(each.question, each.run): each.answer for each in rows}
    found: dict[tuple[str, str], tuple[float, float]] = {}
    for key, human in _means(rows, rating).items():
        automatic = scored.get(key)
        if automatic is not None:
            found.setdefault((key[0], answer_of[key]), (human, automatic))
    first: dict[str, str] = {}
    for question, _ in sorted(found):
        first.setdefault(cluster(question), question)
    ordered = sorted(found, key=lambda key: (first[cluster(key[0])], key))
    clusters = [first[cluster(question)] for question, _ in ordered]
    values = np.array([found[key] for key in ordered], dtype=float).reshape(-1, 2)
    starts = np.flatnonzero([a != b for a, b in zip(clusters, ["", *clusters], strict=False)])
    n_questions = len({question for question, _ in ordered})
    return _Points(values[:, 0], values[:, 1], starts.tolist(), n_questions)


def _answer_correlation(
    name: Coefficient,
    points: _Points,
    function: Callable[[Floats, Floats], Floats],
    replicated: Callable[[_Points, Floats], Floats],
    drawn: Mapping[str, int],
) -> AnswerCorrelation:
    n, n_clusters, n_questions = len(points.human), len(points.starts), points.n_questions
    value = float(function(points.human[None], points.automatic[None])[0]) if n > 1 else np.nan
    if np.isnan(value):
        reason = TOO_FEW if n < 2 else ONE_VALUE
        none = no_interval(reason, drawn["seed"])
        return AnswerCorrelation(name, None, reason, none, n, n_questions)
    replicates = np.concatenate(
        [replicated(points, times) for times in times_drawn(n_clusters, **drawn)]
    )
    interval = question_interval(replicates, n_questions=n_clusters, seed=drawn["seed"])
    return AnswerCorrelation(name, value, None, interval, n, n_questions)


def _taus(points: _Points, times: Floats) -> Floats:
    """Return τ-b of each replicate; `times` is (replicates, clusters)."""
    n_clusters = len(points.starts)
    sums = np.zeros((3, n_clusters, n_clusters))
    ends = [*points.starts[1:], len(points.human)]
    for place, (start, end) in enumerate(zip(points.starts, ends, strict=True)):
        one, other = (
            np.sign(values[start:end, None] - values) for values in (points.human, points.automatic)
        )
        for number, signs in enumerate((one * other, one**2, other**2)):
            sums[number, place] = np.add.reduceat(signs.sum(axis=0), points.starts)
    both, ones, others = ((times @ each * times).sum(axis=1) for each in sums)
    return ratio(both, np.sqrt(ones) * np.sqrt(others))


def _pearsons(points: _Points, times: Floats) -> Floats:
    x, y = points.human - points.human.mean(), points.automatic - points.automatic.mean()
    columns = np.stack([np.ones(len(x)), x, y, x * x, y * y, x * y], axis=1)
    n, sx, sy, sxx, syy, sxy = (times @ np.add.reduceat(columns, points.starts, axis=0)).T
    of_x, of_y = (
        np.where(squares * n - sums**2 > ROUNDING * n * squares, squares * n - sums**2, 0.0)
        for squares, sums in ((sxx, sx), (syy, sy))
    )
    return ratio(n * sxy - sx * sy, np.sqrt(of_x) * np.sqrt(of_y)).clip(-1, 1)
