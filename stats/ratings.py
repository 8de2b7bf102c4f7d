"""Ratings of runs' answers as faithful, as appropriate, and as both (F+A).

A rating is one annotator's, of one answer, from 1 to 4. Faithful, appropriate and F+A are means
over the ratings of a run's answers to answerable questions: for unanswerable ones no answer can be
appropriate.

    F+A of a rating with faithful f and appropriate a    h = 2·f·a / (f + a), their harmonic mean
    F+A of a run                                         the mean of h over its ratings with both

Worked example: a run's answers to two questions, each rated by three annotators.

    question   f  a   h        f  a   h          f  a   h
    1          4  4   4        4  2   16/6       1  4   8/5
    2          2  4   16/6     4  4   4          3  3   3

    faithful 18/6 = 3.0, appropriate 21/6 = 3.5, F+A (4 + 8/3 + 8/5 + 8/3 + 4 + 3)/6 = 269/90 = 2.99

Right: 2.99. Wrong: 2·3·3.5 / 6.5 = 3.23, the harmonic mean of the means. (CLAP-NQ's table has a row
3.0, 3.5, 3.0, which only the first can give.)

The shares are over ratings too: "does not know", on answerable questions (a fault) and on
unanswerable ones (correct) apart; and "incoherent", on all.

Each figure has an interval for the people who rated and one for people like them
(`stats.means_over_people`).

A rating without a value is left out: n_values of a figure is the number that counted. Undefined: no
such rating.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from stats.clustered_means import Value
from stats.clusters import Cluster, itself
from stats.interval_cautions import caution
from stats.interval_coverage import BOTH
from stats.means_over_people import Judged, PeopleFigure, people_mean
from stats.pairwise.records import Rating

NOT_RATED = "none of its answers to answerable questions has such a rating"
NO_ANSWERABLE = "none of its answers to answerable questions is rated"
NO_UNANSWERABLE = "none of its answers to unanswerable questions is rated"
NOTHING = "none of its answers is rated"
RATING, SHARE = (1, 4), (0, 1)


@dataclass(frozen=True, slots=True)
class Scales:
    """The figures of one run; `both` is F+A.

    `caution` says why the intervals of the three means are not to be trusted, or is None.
    """

    run: str
    faithful: PeopleFigure
    appropriate: PeopleFigure
    both: PeopleFigure
    unknown_answerable: PeopleFigure
    unknown_unanswerable: PeopleFigure
    incoherent: PeopleFigure
    caution: str | None


def rating_scales(
    ratings: Sequence[Rating], *, runs: Sequence[str], cluster: Cluster = itself
) -> list[Scales]:
    """Return the figures of each run, in their order. The order of the ratings changes nothing.

    `cluster` returns what a question is drawn with, such as its conversation.

    Raises ValueError for a rating that is not from 1 to 4, or of a run that is not among `runs`.
    """
    _require(ratings, runs)
    return [
        _run_scales(run, [each for each in ratings if each.run == run], cluster) for run in runs
    ]


def _require(ratings: Sequence[Rating], runs: Sequence[str]) -> None:
    for each in ratings:
        if each.run not in runs:
            raise ValueError(f"{each.question}: the run {each.run!r} is not among those rated")
        for value in (each.faithful, each.appropriate):
            if value is not None and not RATING[0] <= value <= RATING[1]:
                raise ValueError(f"{each.question}: a rating is from 1 to 4, not {value}")


def _run_scales(run: str, ratings: Sequence[Rating], cluster: Cluster) -> Scales:
    answerable = [each for each in ratings if each.is_answerable]
    others = [each for each in ratings if not each.is_answerable]
    means = [
        _figure(answerable, rating, NOT_RATED, RATING, cluster)
        for rating in (faithful, appropriate, both)
    ]
    return Scales(
        run=run,
        faithful=means[0],
        appropriate=means[1],
        both=means[2],
        unknown_answerable=_figure(answerable, _unknown, NO_ANSWERABLE, SHARE, cluster),
        unknown_unanswerable=_figure(others, _unknown, NO_UNANSWERABLE, SHARE, cluster),
        incoherent=_figure(ratings, _incoherent, NOTHING, SHARE, cluster),
        caution=caution((each.interval for each in means), BOTH, "mean"),
    )


def _figure(
    ratings: Sequence[Rating],
    value: Callable[[Rating], Value | None],
    without: str,
    within: tuple[int, int],
    cluster: Cluster,
) -> PeopleFigure:
    known = [
        Judged(each.question, each.annotator, rating_value)
        for each in ratings
        if (rating_value := value(each)) is not None
    ]
    return people_mean(known, without=without, within=within, cluster=cluster)


def faithful(rating: Rating) -> Fraction | None:
    return None if rating.faithful is None else Fraction(rating.faithful)


def appropriate(rating: Rating) -> Fraction | None:
    return None if rating.appropriate is None else Fraction(rating.appropriate)


def both(rating: Rating) -> Fraction | None:
    """Return the harmonic mean of the two: 4 and 1 → 8/5; None if either is missing."""
    f, a = faithful(rating), appropriate(rating)
    return None if f is None or a is None else 2 * f * a / (f + a)


def _unknown(rating: Rating) -> int:
    return int(rating.unknown)


def _incoherent(rating: Rating) -> int:
    return int(rating.incoherent)
