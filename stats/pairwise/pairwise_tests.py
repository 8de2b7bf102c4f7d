"""Significant differences of runs by ratings and by preference.

Two runs are compared question by question, on those that both were judged on. On a question

    faithful, appropriate, both (F+A)   the first's mean over its ratings there, minus the other's
    preference                          of the comparisons of the two with each other there, the first's wins minus
                                        the other's, divided by their number (a tie counts for neither)

The difference is the mean over these questions, each counting alike. (The table of `stats.ratings`
is over ratings, so if questions have unlike numbers of ratings, the difference of two of its means
is another.)

For the people who judged, its interval is a t interval over questions (`stats.clustered_means`),
and p is by `sign_flip` over the same differences, exact unless they are very many and very fine.
For people like them (at least three of a pair), the variance is over questions and annotators,
pooled over the pairs of a measure (`stats.two_way_clustering`), and p that of its t test, but never
less than that for these people. A judgement's score is its weight in the difference times its
distance from the mean of its run's questions; by preference, of all questions.

`p` is the second if there is one. Holm's step-down over all pairs of a measure that have a p keeps
the probability of any false difference among them at 5 % (`stats.paired_proportions`): two
runs differ significantly if their adjusted p is .05 at most. That two are not distinguishable does
not say that they are equal: `detectable` is the smallest mean difference that such a test, of the
same questions and people, would have shown at the level .05 of a single pair with a power of .8
(`stats.power`, `two_way_clustering.detectable`).

Undefined: no question in common (no difference, no p); only differences of 0, or a single question or conversation
in common (no p, and the pair does not count for Holm). `detectable` is undefined where it is more than any
difference can be.

Right: rated 4 and 2, 3 and 3, 4 and 1 on three questions → (2 + 0 + 3)/3 = 5/3, p = 2·1/4 = .5.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations
from math import sqrt

from stats import power, two_way_clustering
from stats.clustered_means import as_integers, mean
from stats.clusters import SINGLE_CLUSTER, Cluster, itself
from stats.interval_cautions import caution
from stats.interval_coverage import PREFERRED_DIFFERENCE, RATED_DIFFERENCE, Measured
from stats.means_over_people import Judged, Score, question_weights, scores, variance
from stats.multiplicity import LEVEL, holm
from stats.pairwise.records import Preference, Rating
from stats.pairwise.win_rate import require_runs
from stats.proportion_intervals import Interval
from stats.sign_flip import sign_flip
from stats.two_way_clustering import Pair, People, TwoWay, n_free_differences, pooled

NO_COMMON = "no question was judged for both"
ONE_QUESTION = "a single question"

# Differences of two ratings from 1 to 4, and of two shares.
RATINGS, SHARES = (-3, 3), (-1, 1)

ByQuestion = Mapping[str, Fraction]


@dataclass(frozen=True, slots=True)
class PairTest:
    """Two runs, `one` first in the order of runs.

    `reason` is why there is no difference, `p_reason` no p. `p_of` says whom p, and the detectable
    difference, are about: the people who judged or people like them.
    """

    one: str
    other: str
    n_questions: int
    n_annotators: int
    difference: float | None
    reason: str | None
    interval: Interval
    people_interval: Interval
    share_of_people: float | None
    p: float | None
    p_reason: str | None
    p_of: People
    p_these_people: float | None
    p_people: float | None
    is_exact: bool
    p_holm: float | None
    is_told_apart: bool
    detectable: float | None
    detectable_reason: str | None


@dataclass(frozen=True, slots=True)
class PairTests:
    """The tests of every two runs by one measure, in their order.

    `caution` says why the intervals are not to be trusted, or is None.
    """

    pairs: tuple[PairTest, ...]
    caution: str | None


@dataclass(frozen=True, slots=True)
class _Pair:
    """The differences of two runs by question, and the scores of the judgements they rest on."""

    differences: ByQuestion
    scores: Sequence[Score]


def rating_tests(
    rated: Iterable[Rating],
    rating: Callable[[Rating], Fraction | None],
    *,
    runs: Sequence[str],
    seed: int,
    cluster: Cluster = itself,
) -> PairTests:
    """Compare runs by one of the scales of `stats.ratings`, on answerable questions."""
    judged = _judged(rated, rating)
    pairs = (
        ((one, other), _rated_pair(judged[one], judged[other], cluster))
        for one, other in combinations(runs, 2)
    )
    return _pair_tests(pairs, RATED_DIFFERENCE, RATINGS, seed, cluster)


def preference_tests(
    preferences: Sequence[Preference],
    *,
    runs: Sequence[str],
    seed: int,
    cluster: Cluster = itself,
) -> PairTests:
    """Compare runs by preference.

    Raises ValueError for a comparison of a run with itself or of one that is not among `runs`.
    """
    require_runs(preferences, runs)
    judged: dict[Pair, list[Judged]] = {pair: [] for pair in combinations(runs, 2)}
    for each in preferences:
        sides = each.left, each.right
        pair = sides if sides in judged else sides[::-1]
        winner = each.winner()
        value = (winner == pair[0]) - (winner == pair[1])
        judged[pair].append(Judged(each.question, each.annotator, value))
    pairs = (
        (pair, _Pair(_means(of), scores(of, question_weights(of), cluster)))
        for pair, of in judged.items()
    )
    return _pair_tests(pairs, PREFERRED_DIFFERENCE, SHARES, seed, cluster)


def _judged(
    rated: Iterable[Rating], rating: Callable[[Rating], Fraction | None]
) -> defaultdict[str, list[Judged]]:
    """Return the ratings of each run on answerable questions."""
    found: defaultdict[str, list[Judged]] = defaultdict(list)
    for each in rated:
        value = rating(each)
        if value is not None and each.is_answerable:
            found[each.run].append(Judged(each.question, each.annotator, value))
    return found


def _means(judged: Iterable[Judged]) -> dict[str, Fraction]:
    """Return the mean of each question."""
    values: defaultdict[str, list[Fraction]] = defaultdict(list)
    for each in judged:
        values[each.question].append(Fraction(each.value))
    return {question: sum(each, Fraction()) / len(each) for question, each in values.items()}


def _rated_pair(one: Sequence[Judged], other: Sequence[Judged], cluster: Cluster) -> _Pair:
    first, second = _means(one), _means(other)
    common = first.keys() & second.keys()
    found: list[Score] = []
    for judged, sign in ((one, 1), (other, -1)):
        own = [each for each in judged if each.question in common]
        found += [
            each._replace(value=sign * each.value)
            for each in scores(own, question_weights(own), cluster)
        ]
    return _Pair({each: first[each] - second[each] for each in common}, found)


def _pair_tests(
    pairs: Iterable[tuple[Pair, _Pair]],
    measured: Measured,
    within: tuple[int, int],
    seed: int,
    cluster: Cluster,
) -> PairTests:
    tests: list[PairTest] = []
    own: dict[Pair, TwoWay] = {}
    # The scores of one pair at a time: those of all 19,900 pairs of 200 runs take gigabytes.
    for pair, of in pairs:
        tests.append(_pair_test(*pair, of.differences, within, seed, cluster))
        own[pair] = variance(of.scores)
    variances = pooled(own, n_free=n_free_differences)
    found = [_for_people_like_them(each, variances[each.one, each.other], within) for each in tests]
    return PairTests(
        pairs=tuple(
            replace(each, p_holm=p, is_told_apart=p is not None and p <= LEVEL)
            for each, p in zip(found, holm([each.p for each in found]), strict=True)
        ),
        caution=caution((each.interval for each in found), measured, "difference"),
    )


def _pair_test(
    one: str,
    other: str,
    differences: ByQuestion,
    within: tuple[int, int],
    seed: int,
    cluster: Cluster,
) -> PairTest:
    """Test two runs for the people who judged."""
    figure = mean(
        {question: [value] for question, value in differences.items()},
        without=NO_COMMON,
        within=within,
        cluster=cluster,
    )
    clusters = _by_cluster(differences, cluster)
    sums = [sum(each, Fraction()) for each in clusters]
    test = sign_flip(as_integers(sums)[0].tolist() if sums else [], seed=seed)
    single = _single(differences, clusters)
    p = None if single else test.p
    smallest, too_small = _possible(*_detectable(clusters), within)
    return PairTest(
        one=one,
        other=other,
        n_questions=len(differences),
        n_annotators=0,
        difference=figure.value,
        reason=figure.reason,
        interval=figure.interval,
        people_interval=Interval(None, None, figure.reason),
        share_of_people=None,
        p=p,
        p_reason=figure.reason or test.reason or single,
        p_of="these",
        p_these_people=p,
        p_people=None,
        is_exact=test.is_exact,
        p_holm=None,
        is_told_apart=False,
        detectable=smallest,
        detectable_reason=too_small,
    )


def _for_people_like_them(test: PairTest, of: TwoWay, within: tuple[int, int]) -> PairTest:
    """Add the interval and, if there is a p, that for people like those who judged."""
    difference = test.difference
    if difference is None:
        return test
    test = replace(
        test,
        n_annotators=of.n_annotators,
        people_interval=two_way_clustering.interval(difference, of, within=within),
        share_of_people=of.share_of_annotators,
    )
    p = two_way_clustering.p_value(difference, of)
    if p is None or test.p is None:
        return test
    p = max(p, test.p)
    smallest, too_small = _possible(two_way_clustering.detectable(of), None, within)
    return replace(
        test,
        p=p,
        p_people=p,
        p_of="like them",
        detectable=smallest,
        detectable_reason=too_small,
    )


def _by_cluster(differences: ByQuestion, cluster: Cluster) -> list[list[Fraction]]:
    """Return the differences of each cluster of questions, in the order of clusters."""
    found: defaultdict[str, list[Fraction]] = defaultdict(list)
    for question, value in differences.items():
        found[cluster(question)].append(value)
    return [found[each] for each in sorted(found)]


def _single(differences: ByQuestion, clusters: Sequence[Sequence[Fraction]]) -> str | None:
    """Return the reason if there is nothing to test: all is of one question or conversation."""
    if len(clusters) != 1:
        return None
    return ONE_QUESTION if len(differences) == 1 else SINGLE_CLUSTER


def _possible(
    difference: float | None, reason: str | None, within: tuple[int, int]
) -> tuple[float | None, str | None]:
    if difference is not None and difference > within[1]:
        return None, power.TOO_LARGE
    return difference, reason


def _detectable(clusters: Sequence[Sequence[Fraction]]) -> tuple[float | None, str | None]:
    """Return the smallest difference that the sign-flip test detects, or None with the reason."""
    n, n_questions = len(clusters), sum(len(each) for each in clusters)
    if n < 2:
        return None, ONE_QUESTION if clusters else NO_COMMON
    middle = sum((sum(each) for each in clusters), Fraction()) / n_questions
    residuals = [sum(each) - middle * len(each) for each in clusters]
    squares = float(sum(each * each for each in residuals))
    deviation = sqrt(squares / (n - 1)) * n / n_questions
    return power.detectable_mean_difference(n, deviation)
