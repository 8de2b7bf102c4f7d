"""Association of answers' length with preferences and ratings.

A length is that of an answer, in characters or words as the caller counts them; every run's answer
to a question has one. No model is fitted: the figures are plain counts on the same questions.

    preferred   the share of decided judgements of two answers of unlike length that prefer the longer one
    extra       the mean extra length of the preferred answer, over all decided judgements
    rated       Kendall's τ-b of length and mean rating within questions: over the pairs of distinct answers to a
                question, with d the signs of their differences in length and in rating,
                Σ d1·d2 / √(Σ d1² · Σ d2²), each sum over all questions (so pairs across questions, of which
                some have longer answers than others, do not count)

A judgement counts once, an answer once, however many runs gave it. Intervals draw questions; p of
`preference_by_length` is by `sign_flip`, a question's number being how many more preferred the
longer. An association is not a cause: better answers may be longer.

Undefined if there is nothing to count: no decided judgement (of unlike lengths), no two answers of
a question that are unlike in both. Right: lengths 10 20 30 rated 1 3 3 → d1·d2 is 1 1 0, τ-b = 2 /
√(3·2) = .816.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations

import numpy as np

from stats.agreement.judgement_table import Floats, Ints
from stats.agreement.result import ratio
from stats.bootstrap import bootstrap, no_interval
from stats.clustered_means import Figure, mean, values_by_question
from stats.clusters import Cluster, itself
from stats.interval_cautions import caution
from stats.interval_coverage import LONGER
from stats.pairwise.position_bias import NOTHING_DECIDED, one_row_per_judgement
from stats.pairwise.records import Preference, Rating
from stats.sign_flip import SignFlip, sign_flip

Lengths = Mapping[tuple[str, str], int]  # by question and run

NOTHING_UNLIKE = "nobody preferred either of two answers unlike in length"
NO_PAIR = "no question has two rated answers unlike in length and in rating"


@dataclass(frozen=True, slots=True)
class PreferenceByLength:
    """The figures.

    `longer.n_values` judgements are decided and of unlike lengths, `extra.n_values` decided.

    `caution` says why the intervals of both are not to be trusted, or is None.
    """

    longer: Figure
    extra: Figure
    test: SignFlip
    caution: str | None


def preference_by_length(
    preferences: Sequence[Preference], lengths: Lengths, *, seed: int, cluster: Cluster = itself
) -> PreferenceByLength:
    """Return the preference for longer answers. Raises KeyError for an answer without a length.

    `cluster` returns what a question is drawn with, such as its conversation.
    """
    extras = values_by_question(
        (each.question, _extra_length(each, lengths))
        for each in one_row_per_judgement(preferences)
        if each.preferred != "tie"
    )
    unlike = {
        question: [int(each > 0) for each in found if each] for question, found in extras.items()
    }
    known = {question: found for question, found in unlike.items() if found}
    longer = mean(known, without=NOTHING_UNLIKE, within=(0, 1), cluster=cluster)
    extra = mean(extras, without=NOTHING_DECIDED, cluster=cluster)
    sums: defaultdict[str, int] = defaultdict(int)
    for question, found in known.items():
        sums[cluster(question)] += 2 * sum(found) - len(found)
    return PreferenceByLength(
        longer=longer,
        extra=extra,
        test=sign_flip([*sums.values()], seed=seed),
        caution=caution((longer.interval, extra.interval), LONGER, "figure"),
    )


def rating_by_length(
    ratings: Iterable[Rating],
    rating: Callable[[Rating], Fraction | None],
    lengths: Lengths,
    *,
    replicates: int,
    seed: int,
    cluster: Cluster = itself,
) -> Figure:
    """Correlate ratings with lengths; `n_values` counts pairs of answers that differ in both."""
    answers = _answers(ratings, rating, lengths)
    signs = {question: _signs(each) for question, each in answers.items()}
    counts = {question: each for question, each in signs.items() if each[2] or each[3]}
    n_pairs = sum(each[0] + each[1] for each in counts.values())
    if not n_pairs:
        return Figure(None, NO_PAIR, no_interval(NO_PAIR, seed), 0, 0)
    sums: defaultdict[str, Ints] = defaultdict(lambda: np.zeros(4, np.int64))
    for question, each in counts.items():
        sums[cluster(question)] += each
    rows = np.stack([*sums.values()])

    def tau(totals: Floats) -> Floats:
        agree, differ, unlike_lengths, unlike_ratings = totals.T
        scales = np.sqrt(unlike_lengths * unlike_ratings)
        return ratio(agree - differ, np.where(agree + differ > 0, scales, 0.0))

    return Figure(
        value=float(tau(rows.sum(axis=0, keepdims=True).astype(float))[0]),
        reason=None,
        interval=bootstrap(rows, tau, replicates=replicates, seed=seed),
        n_questions=len(counts),
        n_values=n_pairs,
    )


def _extra_length(preference: Preference, lengths: Lengths) -> int:
    """Return by how many characters the preferred answer is longer."""
    left, right = (lengths[preference.question, run] for run in (preference.left, preference.right))
    return left - right if preference.preferred == "left" else right - left


def _answers(
    ratings: Iterable[Rating], rating: Callable[[Rating], Fraction | None], lengths: Lengths
) -> dict[str, list[tuple[int, Fraction]]]:
    """Return the length and the mean rating of each distinct answer, by question.

    Runs that gave one answer have the same ratings of it: those of one of them are complete.
    """
    ratings_of: defaultdict[tuple[str, str], defaultdict[str, list[Fraction]]] = defaultdict(
        lambda: defaultdict(list)
    )
    for each in ratings:
        value = rating(each)
        if value is not None:
            ratings_of[each.question, each.answer][each.run].append(value)
    found: defaultdict[str, list[tuple[int, Fraction]]] = defaultdict(list)
    for (question, _), by_run in ratings_of.items():
        run, values = next(iter(by_run.items()))
        found[question].append((lengths[question, run], sum(values, Fraction()) / len(values)))
    return found


def _signs(answers: Sequence[tuple[int, Fraction]]) -> tuple[int, int, int, int]:
    """Count pairs whose longer answer is rated higher, lower; that differ in length, in rating."""
    agree = differ = lengths = ratings = 0
    for (length, value), (other_length, other_value) in combinations(answers, 2):
        by_length, by_rating = length - other_length, value - other_value
        agree += by_length * by_rating > 0
        differ += by_length * by_rating < 0
        lengths += by_length != 0
        ratings += by_rating != 0
    return agree, differ, lengths, ratings
