"""Intervals of runs' differences, lengths and an automatic measure, as in the results.

    true_values(population, design)         # each figure over the whole population
    of_judgements(sample, design, seed)     # each figure's name, the ends, the share of replicates without a value
    of_answers(sample, design, seed)        # likewise

Intervals are those of the same functions as in `exports.comparison`; true values are counted here,
over all questions at once. The difference is that of the first two runs, all else is over all runs.
"""

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import numpy as np
from scipy.stats import kendalltau

from bench import records
from bench.preferences import Design, Preferences
from stats import metric_correlation, ratings
from stats.agreement.judgement_table import Ints
from stats.bootstrap import BootstrapInterval
from stats.pairwise import length_bias, pairwise_tests
from stats.pairwise.records import Rating
from stats.proportion_intervals import Interval

REPLICATES = 1_000
RATED, PREFERRED = "difference of two, F+A", "difference of two, preference"
LONGER, EXTRA = "prefer the longer", "the preferred is longer by"
WITHIN = "length and F+A in questions, τ-b"
BESIDE = {
    (measure, coefficient): f"{measure} and F+A of answers, {short}"
    for measure in ("measure", "length")
    for coefficient, short in (("kendall_tau_b", "τ-b"), ("pearson", "r"))
}
# The harmonic mean of two ratings from 1 to 4 is a whole number of parts of so many.
PARTS = 840
KNOWN: dict[tuple[float | None, float | None], Fraction | None] = {}

# name, low, high, share of replicates without a value
Found = tuple[str, float | None, float | None, float]


def true_values(population: Preferences, design: Design) -> dict[str, float]:
    both = _both(population)
    won = population.won[:, :, 0]
    extra = _extra(population, design)
    decided = extra[population.won != 2]
    found = {
        RATED: float((both[:, 0] - both[:, 1]).mean() / PARTS / won.shape[1]),
        PREFERRED: float((won == 0).mean() - (won == 1).mean()),
        LONGER: float((decided > 0).sum() / (decided != 0).sum()),
        EXTRA: float(decided.mean()),
        WITHIN: _within(population.lengths, both, design),
    }
    for name, values in (("measure", population.scored), ("length", population.lengths)):
        people, theirs = both.ravel(), values.ravel()
        found[BESIDE[name, "kendall_tau_b"]] = float(kendalltau(people, theirs).statistic)
        found[BESIDE[name, "pearson"]] = float(np.corrcoef(people, theirs)[0, 1])
    return found


def of_judgements(sample: Preferences, design: Design, seed: int) -> Iterator[Found]:
    """Yield the intervals of figures over judgements.

    They are differences of two runs, and preferences by length.
    """
    runs = records.runs_of(design)
    compared, lengths = records.comparisons(sample, design), records.lengths(sample, design)
    first = [each for each in compared if {each.left, each.right} == set(runs[:2])]
    rated = pairwise_tests.rating_tests(
        records.ratings(sample, design), _rating, runs=runs[:2], seed=seed
    )
    preferred = pairwise_tests.preference_tests(first, runs=runs[:2], seed=seed)
    by_length = length_bias.preference_by_length(compared, lengths, seed=seed)
    yield _found(RATED, rated.pairs[0].interval)
    yield _found(PREFERRED, preferred.pairs[0].interval)
    yield _found(LONGER, by_length.longer.interval)
    yield _found(EXTRA, by_length.extra.interval)


def of_answers(sample: Preferences, design: Design, seed: int) -> Iterator[Found]:
    """Yield the intervals of coefficients of answers' mean ratings.

    One person's ratings would give others.
    """
    drawn: dict[str, Any] = {"replicates": REPLICATES, "seed": seed}
    rated, lengths = records.ratings(sample, design), records.lengths(sample, design)
    yield _found(WITHIN, length_bias.rating_by_length(rated, _rating, lengths, **drawn).interval)
    for name, values in (("measure", records.scores(sample, design)), ("length", lengths)):
        for each in metric_correlation.answer_correlations(rated, _rating, values, **drawn):
            yield _found(BESIDE[name, each.coefficient], each.interval)


def _found(name: str, interval: Interval) -> Found:
    n_undefined = interval.n_undefined if isinstance(interval, BootstrapInterval) else 0
    return name, interval.low, interval.high, n_undefined / REPLICATES


def _rating(rated: Rating) -> Fraction | None:
    """Return F+A as in the results, computed once for each two ratings."""
    key = rated.faithful, rated.appropriate
    if key not in KNOWN:
        KNOWN[key] = ratings.both(rated)
    return KNOWN[key]


def _both(sample: Preferences) -> Ints:
    """Return F+A of each answer, (n, runs), summed over people.

    It is in whole parts, so that equal ones are equal.
    """
    f, a = sample.rated[..., 0], sample.rated[..., 1]
    parts: Ints = (2 * PARTS * f * a // (f + a)).sum(axis=1)
    return parts


def _extra(sample: Preferences, design: Design) -> Ints:
    """Return how much longer the preferred answer is, in the shape of `won`.

    Ties have a meaningless value.
    """
    one, other = np.array(design.pairs).T
    more = (sample.lengths[:, one] - sample.lengths[:, other])[:, None]
    return np.where(sample.won == 0, more, -more)


def _within(one: Ints, other: Ints, design: Design) -> float:
    """Return Kendall's τ-b over pairs of answers to one question."""
    first, second = np.array(design.pairs).T
    signs, others = (np.sign(each[:, first] - each[:, second]) for each in (one, other))
    return float((signs * others).sum() / np.sqrt((signs**2).sum() * (others**2).sum()))
