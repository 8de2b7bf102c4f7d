"""Means of judgements with two intervals: for the people who judged, and for people like them.

    people_mean(judged, without="nothing is rated", within=(1, 4))

A judgement has a weight in the mean, which is 1/N where all count alike, and 1/(Q·n) where each of
Q questions does and this one has n judgements. The first interval is over questions
(`stats.clustered_means`), the other over questions and annotators (`stats.two_way_clustering`).
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

from stats.clustered_means import (
    ANY_VALUE,
    Figure,
    Value,
    mean,
    values_by_question,
)
from stats.clusters import Cluster, itself
from stats.proportion_intervals import Interval
from stats.two_way_clustering import TwoWay, interval, pooled, two_way


class Judged(NamedTuple):
    """What one annotator's judgement on a question is worth."""

    question: str
    annotator: str
    value: Value


class Score(NamedTuple):
    """A judgement's weight in a figure times its distance from the mean it belongs to."""

    cluster: str
    annotator: str
    value: Fraction


@dataclass(frozen=True, slots=True)
class PeopleFigure(Figure):
    """A figure whose `interval` is for the people who judged, `people_interval` for people like them.

    `share_of_people` is the part of the variance that is there only because other people could have
    judged; None where that variance is undefined.
    """

    people_interval: Interval
    share_of_people: float | None
    n_annotators: int


def people_mean(
    judged: Sequence[Judged],
    *,
    without: str,
    within: tuple[float, float] = ANY_VALUE,
    cluster: Cluster = itself,
) -> PeopleFigure:
    """Return the mean over judgements; `without` is the reason if there are none."""
    values = values_by_question((each.question, each.value) for each in judged)
    figure = mean(values, without=without, within=within, cluster=cluster)
    weights = {question: Fraction(1, len(judged)) for question in values}
    return _with_people(figure, variance(scores(judged, weights, cluster)), within)


def question_means_by_run(
    judged: Mapping[str, Sequence[Judged]],
    *,
    without: str,
    within: tuple[float, float],
    cluster: Cluster,
) -> dict[str, PeopleFigure]:
    """Return for each run the mean over questions of the means of its judgements there.

    `n_values` is the number of questions. Judgements compare runs, so that all the means follow
    from those of all runs but one; what people make is pooled over them.
    """
    figures = {
        run: mean(_question_means(of), without=without, within=within, cluster=cluster)
        for run, of in judged.items()
    }
    variances = pooled(
        {run: variance(scores(of, question_weights(of), cluster)) for run, of in judged.items()},
        n_free=lambda runs: max(1, len(runs) - 1),
    )
    return {run: _with_people(figures[run], variances[run], within) for run in judged}


def _question_means(judged: Iterable[Judged]) -> dict[str, list[Fraction]]:
    values = values_by_question((each.question, each.value) for each in judged)
    return {question: [Fraction(sum(each)) / len(each)] for question, each in values.items()}


def question_weights(judged: Iterable[Judged]) -> dict[str, Fraction]:
    """Return each judgement's weight, by question, in a mean in which all questions count alike."""
    n_judged = Counter(each.question for each in judged)
    return {question: Fraction(1, len(n_judged) * n) for question, n in n_judged.items()}


def scores(
    judged: Iterable[Judged], weights: Mapping[str, Fraction], cluster: Cluster
) -> list[Score]:
    """Return the score of each judgement; the mean is that of the values by their weights."""
    known = [*judged]
    middle = sum((weights[each.question] * each.value for each in known), Fraction())
    return [
        Score(
            cluster(each.question), each.annotator, weights[each.question] * (each.value - middle)
        )
        for each in known
    ]


def variance(found: Sequence[Score]) -> TwoWay:
    return two_way(
        [each.value for each in found],
        [each.cluster for each in found],
        [each.annotator for each in found],
    )


def _with_people(figure: Figure, of: TwoWay, within: tuple[float, float]) -> PeopleFigure:
    of_people = Interval(None, None, figure.reason)
    if figure.value is not None:
        of_people = interval(figure.value, of, within=within)
    return PeopleFigure(
        value=figure.value,
        reason=figure.reason,
        interval=figure.interval,
        n_questions=figure.n_questions,
        n_values=figure.n_values,
        people_interval=of_people,
        share_of_people=of.share_of_annotators,
        n_annotators=of.n_annotators,
    )
