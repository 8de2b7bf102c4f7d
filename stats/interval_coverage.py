"""Coverage of 95 % intervals in simulations, and sentences of caution that follow.

The numbers are of simulations whose cases `python -m bench.coverage` has (bench/README.md), in per cent
of the defined intervals. Coefficients of agreement (`--only agreement`): percentile intervals of the
bootstrap over questions with 1,000 replicates, four answers a question, whose answers are alike; 1,000
data sets of each size, so that a number is known to 1.4 points. Rates and differences of runs rest on
one answer a question; Wilson's and Tango's intervals of them cover enough at every size (`--only rates`,
exact). Those of releases made before are bootstraps, with the coverage of RATE; so are those of gold
where faithfulness is settled for some answers only, with the coverage of GOLD (`--only gold`).

Those of people's judgements of runs side by side (`exports.comparison`) are at each size the least
of the five designs measured, and of figures that share a caution. Means over questions have t
intervals (`--only means`, 2,000 data sets a size, known to a point), measured from 10 questions on.
Strengths and coefficients have bootstraps (`--only strengths`, 400 data sets a size, known to 2.2
points; results below 93 at 500 questions were repeated with 1,000).

An interval of nominally 95 % should cover 93 to 97 %. If it does not, and a bootstrap always below
100 questions, the page says so, with the coverage measured at that number of questions, or at the
next smaller and the next larger one.

    caution({30: 92.3, 100: 93.8, 500: 95.1}, 60)
    'may cover less than 95 %: in simulation 92.3 % at 30 questions, 93.8 % at 100'
    caution({30: 92.3, 100: 93.8, 500: 95.1}, 100)      # None
"""

from collections.abc import Iterable, Mapping
from typing import Any

# number of questions -> per cent of intervals; below the smallest number they are not to be trusted
Measured = Mapping[int, float]

FEW_QUESTIONS, SOME_QUESTIONS = 30, 100
LEAST, MOST = 93.0, 97.0

# Figure by figure, where one label has more than .8 of what was said (simulated at 90/5/5) and elsewhere
# (at 50/30/20); Cohen's κ of two people, alpha of three, on a scale of three on a scale of five.
COHEN: Mapping[bool, Measured] = {
    True: {30: 93.7, 100: 94.3, 500: 95.6},
    False: {30: 93.3, 100: 94.1, 500: 94.1},
}
ALPHA: Mapping[bool, Measured] = {
    True: {30: 92.3, 100: 93.8, 500: 95.1},
    False: {30: 93.3, 100: 93.6, 500: 94.1},
}
ORDINAL: Measured = {30: 93.0, 100: 95.9, 500: 95.8}
# Of raw agreement and AC1 where people agree on nearly everything (simulated at .968): what they disagree on
# is rare, and stands together at few questions.
NEARLY_ALL = 0.96
NEARLY: Measured = {30: 88.3, 100: 92.1, 500: 92.8}
# By the rate: of those near 1 (or 0) with 30 questions one in five has no interval.
RATE: Mapping[float, Measured] = {
    0.7: {30: 92.3, 100: 95.5, 500: 94.6},
    0.9: {30: 93.4, 100: 94.1, 500: 95.5},
    0.95: {30: 99.3, 100: 92.6, 500: 95.4},
}
# By the number of answers whose faithfulness is settled, three tenths of the plausible ones: the least of
# the designs measured, of a rate and of a difference.
GOLD: Measured = {30: 91.2, 100: 92.8, 300: 93.0}
# Of what people said of runs side by side: win-rates, F+A, differences of strengths, the share of the left;
# differences of two runs by F+A and by preference.
WIN_RATE: Measured = {10: 91.7, 30: 93.4, 100: 94.0, 300: 94.3}
BOTH: Measured = {10: 86.4, 30: 90.9, 100: 93.3, 300: 94.3}
STRENGTH: Measured = {30: 91.8, 50: 93.8, 100: 92.8, 500: 94.8}
LEFT: Measured = {10: 94.5, 30: 94.2, 100: 94.8, 300: 94.8}
RATED_DIFFERENCE: Measured = {10: 94.3, 30: 94.5, 100: 94.0, 300: 94.5}
PREFERRED_DIFFERENCE: Measured = {10: 91.4, 30: 93.2, 100: 92.3, 300: 93.7}
# Intervals of mean ratings for people like those who judged, by the number of people, at 40 to 300 questions
# (`python -m bench.coverage --only comparisons`): the least measured. Then in how many studies, in per cent, some of
# five equal runs differ significantly where people see one run far more unlike than the others: the most measured.
PEOPLE_MEAN: Measured = {3: 92.0, 6: 92.7, 12: 93.8}
FALSE_DIFFERENCES: Measured = {3: 9.0, 6: 8.0, 12: 5.6}
# Which share prefers the longer of two answers, and by how much the preferred one is longer.
LONGER: Measured = {10: 91.0, 30: 92.7, 100: 93.9, 300: 94.7}
# Kendall's τ-b of lengths and ratings within questions; both coefficients of answers' ratings and of a measure
# between 0 and 1 or their length, of which the least are Pearson's r of length.
LENGTH_RATED: Measured = {30: 92.5, 50: 93.5, 100: 95.0, 500: 94.2}
OF_ANSWERS: Mapping[str, Measured] = {
    "kendall_tau_b": {30: 92.2, 50: 92.0, 100: 93.8, 500: 94.8},
    "pearson": {30: 86.0, 50: 88.5, 100: 87.2, 500: 93.5},
}


def caution(measured: Measured, n_questions: int) -> str | None:
    """Return a sentence if intervals over so many questions cover too little, else None.

    Those that were not measured on fewer than 30 questions, the bootstrap's, are doubted below 100.
    """
    near = neighbours(measured, n_questions)
    is_doubted = n_questions < SOME_QUESTIONS and min(measured) >= FEW_QUESTIONS
    if not is_doubted and all(LEAST <= measured[n] <= MOST for n in near):
        return None
    way = "more" if all(measured[n] > MOST for n in near) else "less"
    first, *rest = near
    shares = [
        f"{measured[first]:.1f} % at {first} questions",
        *(f"{measured[n]:.1f} % at {n}" for n in rest),
    ]
    return f"may cover {way} than 95 %: in simulation {', '.join(shares)}"


def caution_of_people(numbers: Iterable[int]) -> str | None:
    """Return the sentence about mean ratings for people like those who judged, or None.

    `numbers` are those of the people who rated each run; with fewer than three there is no interval.
    """
    known = [n for n in numbers if n >= min(PEOPLE_MEAN)]
    if not known:
        return None
    near = neighbours(PEOPLE_MEAN, min(known))
    if all(LEAST <= PEOPLE_MEAN[n] <= MOST for n in near):
        return None
    first, *rest = near
    shares = [
        f"{PEOPLE_MEAN[first]:.1f} % with {first} people",
        *(f"{PEOPLE_MEAN[n]:.1f} % with {n}" for n in rest),
    ]
    return (
        f"Few people rated, at least {min(known)} each run: intervals of mean ratings for people like"
        f" them may cover less than 95 %, in simulation {', '.join(shares)}; and where people see one"
        " run far more unlike than the others, some of five equal runs differ significantly in up to"
        f" {FALSE_DIFFERENCES[first]:.0f} % of studies instead of 5."
    )


def neighbours(measured: Measured, n_questions: int) -> list[int]:
    """Return the number itself if it was measured, else the nearest measured ones on both sides."""
    below = max(n for n in measured if n <= n_questions)
    above = min((n for n in measured if n >= n_questions), default=below)
    return sorted({below, above})


def caution_of_rates(rates: Iterable[Mapping[str, Any]]) -> str | None:
    """Return the sentence about the runs' rates on a page, or None.

    Each rate has `n_questions`, `n_accepted`, an `interval`, and, in newer figures, `shares`. Only
    bootstrap intervals need a caution. The measured rate nearest to it counts, .05 being as near to
    0 as .95 to 1. The sentence is that of the rate with the fewest questions.
    """
    known = [each for each in rates if each["interval"].get("n_replicates") and _has_ends(each)]
    n_few = sum(_n_questions(each) < FEW_QUESTIONS for each in known)
    if n_few:
        return _do_not_trust(n_few, "rate", FEW_QUESTIONS)
    found = [(_n_questions(each), _caution_of_rate(each)) for each in known]
    due = sorted((n, words) for n, words in found if words is not None)
    if not due:
        return None
    some = _rest(len(due), "rate", "on few questions, or few for a rate so near to 0 or 1")
    return f"{some}; such an interval {due[0][1]}."


def _has_ends(figure: Mapping[str, Any]) -> bool:
    return figure["interval"]["low"] is not None


def _n_questions(rate: Mapping[str, Any]) -> int:
    """Return the number of questions; of a product of shares the smallest of theirs.

    At most the number of conversations, which newer figures have.
    """
    sizes: list[int] = [each["n_questions"] for each in rate.get("shares", [rate])]
    sizes.append(rate.get("n_conversations", sizes[0]))
    return min(sizes)


def _caution_of_rate(rate: Mapping[str, Any]) -> str | None:
    n = _n_questions(rate)
    if len(rate.get("shares", [])) > 1:
        return caution(GOLD, n)
    share = rate["n_accepted"] / n
    nearest = min(RATE, key=lambda measured: abs(max(share, 1 - share) - measured))
    return caution(RATE[nearest], n)


def caution_of_numbers(numbers: Iterable[int], measured: Measured, what: str) -> str | None:
    """Return the sentence for intervals of one kind over these numbers of questions, or None."""
    known, fewest = list(numbers), min(measured)
    n_few = sum(n < fewest for n in known)
    if n_few:
        return _do_not_trust(n_few, what, fewest)
    due = sorted((n, words) for n in known if (words := caution(measured, n)) is not None)
    if not due:
        return None
    few = f"fewer than {SOME_QUESTIONS}" if due[-1][0] < SOME_QUESTIONS else "few"
    return f"{_rest(len(due), what, f'on {few} questions')}; such an interval {due[0][1]}."


def _do_not_trust(n: int, what: str, fewest: int) -> str:
    return _rest(n, what, f"on fewer than {fewest} questions: do not trust such an interval.")


def _rest(n: int, what: str, words: str) -> str:
    return f"{n:,} {what} rests {words}" if n == 1 else f"{n:,} {what}s rest {words}"
