"""Significant differences of runs by ratings and by preference.

Two runs are compared question by question, on those that both were judged on. On a question

    faithful, appropriate, both (F+A)   the first's mean over its ratings there, minus the other's
    preference                          of the comparisons of the two with each other there, the first's wins minus
                                        the other's, divided by their number (a tie counts for neither)

The difference is the mean over these questions, each counting alike. (The table of `stats.ratings`
is over ratings, so if questions have unlike numbers of ratings, the difference of two of its means
is another.) Its interval draws questions; p is by `sign_flip` over the same differences, exact
unless they are very many and very fine. Holm's step-down over all pairs of a measure that have a p
keeps the probability of any false difference among them at 5 % (`stats.paired_proportions`): two
runs differ significantly if their adjusted p is .05 at most. That two are not distinguishable does
not say that they are equal: `detectable` is the smallest mean difference that so many questions,
deviating as these, would have shown at the level .05 of a single pair with a power of .8
(`stats.power`).

Undefined: no question in common (no difference, no p); only differences of 0 (difference 0, no p,
and the pair does not count for Holm).

Right: rated 4 and 2, 3 and 3, 4 and 1 on three questions → (2 + 0 + 3)/3 = 5/3, p = 2·1/4 = .5.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations
from statistics import stdev

from stats import power
from stats.bootstrap import BootstrapInterval
from stats.clustered_means import as_integers, mean
from stats.interval_cautions import caution
from stats.interval_coverage import PREFERRED_DIFFERENCE, RATED_DIFFERENCE, Measured
from stats.multiplicity import holm
from stats.paired_proportions import LEVEL
from stats.pairwise.records import Preference, Rating
from stats.pairwise.win_rate import require_runs
from stats.sign_flip import sign_flip

NO_COMMON = "no question was judged for both"
ONE_QUESTION = "a single question"

ByQuestion = Mapping[str, Fraction]


@dataclass(frozen=True, slots=True)
class PairTest:
    """Two runs, `one` first in the order of runs.

    `reason` is why there is no difference, `p_reason` no p.
    """

    one: str
    other: str
    n_questions: int
    difference: float | None
    reason: str | None
    interval: BootstrapInterval
    p: float | None
    p_reason: str | None
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


def rating_tests(
    rated: Iterable[Rating],
    rating: Callable[[Rating], Fraction | None],
    *,
    runs: Sequence[str],
    replicates: int,
    seed: int,
) -> PairTests:
    """Compare runs by one of the scales of `stats.ratings`, on answerable questions."""
    means = _means(rated, rating)
    differences = {
        (one, other): {
            question: means[one][question] - means[other][question]
            for question in means[one].keys() & means[other].keys()
        }
        for one, other in combinations(runs, 2)
    }
    return _pair_tests(differences, RATED_DIFFERENCE, replicates, seed)


def preference_tests(
    preferences: Sequence[Preference], *, runs: Sequence[str], replicates: int, seed: int
) -> PairTests:
    """Compare runs by preference.

    Raises ValueError for a comparison of a run with itself or of one that is not among `runs`.
    """
    require_runs(preferences, runs)
    pairs = list(combinations(runs, 2))
    differences_of: dict[tuple[str, str], defaultdict[str, list[int]]] = {
        pair: defaultdict(list) for pair in pairs
    }
    for each in preferences:
        sides = each.left, each.right
        pair = sides if sides in differences_of else sides[::-1]
        winner = each.winner()
        differences_of[pair][each.question].append((winner == pair[0]) - (winner == pair[1]))
    differences = {
        pair: {question: Fraction(sum(each), len(each)) for question, each in found.items()}
        for pair, found in differences_of.items()
    }
    return _pair_tests(differences, PREFERRED_DIFFERENCE, replicates, seed)


def _means(
    rated: Iterable[Rating], rating: Callable[[Rating], Fraction | None]
) -> defaultdict[str, dict[str, Fraction]]:
    """Return the mean rating of each run on each question."""
    values_of: defaultdict[tuple[str, str], list[Fraction]] = defaultdict(list)
    for each in rated:
        value = rating(each)
        if value is not None and each.is_answerable:
            values_of[each.run, each.question].append(value)
    found: defaultdict[str, dict[str, Fraction]] = defaultdict(dict)
    for (run, question), values in values_of.items():
        found[run][question] = sum(values, Fraction()) / len(values)
    return found


def _pair_tests(
    differences: Mapping[tuple[str, str], ByQuestion],
    measured: Measured,
    replicates: int,
    seed: int,
) -> PairTests:
    found = [_pair_test(*pair, of, replicates, seed) for pair, of in differences.items()]
    return PairTests(
        pairs=tuple(
            replace(each, p_holm=p, is_told_apart=p is not None and p <= LEVEL)
            for each, p in zip(found, holm([each.p for each in found]), strict=True)
        ),
        caution=caution((each.interval for each in found), measured, "difference"),
    )


def _pair_test(
    one: str, other: str, differences: ByQuestion, replicates: int, seed: int
) -> PairTest:
    ordered = [differences[question] for question in sorted(differences)]
    figure = mean(
        {question: [value] for question, value in differences.items()},
        without=NO_COMMON,
        replicates=replicates,
        seed=seed,
    )
    test = sign_flip(as_integers(ordered)[0].tolist() if ordered else [], seed=seed)
    smallest, too_small = _detectable(ordered)
    return PairTest(
        one=one,
        other=other,
        n_questions=len(ordered),
        difference=figure.value,
        reason=figure.reason,
        interval=figure.interval,
        p=test.p,
        p_reason=figure.reason or test.reason,
        is_exact=test.is_exact,
        p_holm=None,
        is_told_apart=False,
        detectable=smallest,
        detectable_reason=too_small,
    )


def _detectable(differences: Sequence[Fraction]) -> tuple[float | None, str | None]:
    if len(differences) < 2:
        return None, ONE_QUESTION if differences else NO_COMMON
    return power.detectable_mean_difference(len(differences), float(stdev(differences)))
