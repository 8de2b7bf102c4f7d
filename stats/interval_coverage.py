"""Coverage of 95 % intervals in simulations, and sentences of caution that follow.

The numbers are those of `python -m bench.coverage --full` (bench/README.md): percentile intervals
of the bootstrap over questions with 1,000 replicates, four answers a question, whose answers are
alike; 1,000 data sets of each size, so that a number is known to 1.4 points. Those of rates and
differences rest on one answer a question and are exact, a mean over true values close together.
They are shares in per cent of the defined intervals.

Those of people's judgements of runs side by side (`exports.comparison`) are of `python -m
bench.compared_coverage --full`, 400 data sets a size: at each size the least of the five designs
measured, and of figures that share a caution, which is known to 2.2 points. Results below 93 at 500
questions were repeated with 1,000 data sets.

An interval of nominally 95 % should cover 93 to 97 % from 100 questions on. If it does not, and
always below 100 questions, the page says so, with the coverage measured at that number of
questions, or at the next smaller and the next larger one.

    caution({30: 92.3, 100: 93.8, 500: 95.1}, 60)
    'may cover less than 95 %: in simulation 92.3 % at 30 questions, 93.8 % at 100'
    caution({30: 92.3, 100: 93.8, 500: 95.1}, 100)      # None
"""

from collections.abc import Iterable, Mapping
from typing import Any

# number of questions -> per cent of intervals; the smallest number is FEW_QUESTIONS
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
# Of .02, with .04 of the questions discordant: the lowest of those measured.
DIFFERENCE: Measured = {30: 83.1, 100: 93.8, 500: 95.9}
# Of what people said of runs side by side: win-rates, F+A, differences of strengths, the share of the left;
# differences of two runs by F+A and by preference.
WIN_RATE: Measured = {30: 91.2, 50: 92.2, 100: 91.5, 500: 93.5}
BOTH: Measured = {30: 91.2, 50: 91.8, 100: 92.2, 500: 94.0}
STRENGTH: Measured = {30: 91.8, 50: 93.8, 100: 92.8, 500: 94.8}
LEFT: Measured = {30: 91.8, 50: 91.2, 100: 94.0, 500: 93.8}
RATED_DIFFERENCE: Measured = {30: 92.0, 50: 92.8, 100: 92.8, 500: 93.0}
PREFERRED_DIFFERENCE: Measured = {30: 90.8, 50: 92.8, 100: 91.0, 500: 94.2}
# Which share prefers the longer of two answers, and by how much the preferred one is longer.
LONGER: Measured = {30: 89.0, 50: 91.8, 100: 92.0, 500: 93.0}
# Kendall's τ-b of lengths and ratings within questions; both coefficients of answers' ratings and of a measure
# between 0 and 1 or their length, of which the least are Pearson's r of length.
LENGTH_RATED: Measured = {30: 92.5, 50: 93.5, 100: 95.0, 500: 94.2}
OF_ANSWERS: Mapping[str, Measured] = {
    "kendall_tau_b": {30: 92.2, 50: 92.0, 100: 93.8, 500: 94.8},
    "pearson": {30: 86.0, 50: 88.5, 100: 87.2, 500: 93.5},
}


def caution(measured: Measured, n_questions: int) -> str | None:
    """Return a sentence if intervals over so many questions cover too little, else None."""
    near = neighbours(measured, n_questions)
    if n_questions >= SOME_QUESTIONS and all(LEAST <= measured[n] <= MOST for n in near):
        return None
    way = "more" if all(measured[n] > MOST for n in near) else "less"
    first, *rest = near
    shares = [
        f"{measured[first]:.1f} % at {first} questions",
        *(f"{measured[n]:.1f} % at {n}" for n in rest),
    ]
    return f"may cover {way} than 95 %: in simulation {', '.join(shares)}"


def neighbours(measured: Measured, n_questions: int) -> list[int]:
    """Return the number itself if it was measured, else the nearest measured ones on both sides."""
    below = max(n for n in measured if n <= n_questions)
    above = min((n for n in measured if n >= n_questions), default=below)
    return sorted({below, above})


def caution_of_rates(rates: Iterable[Mapping[str, Any]]) -> str | None:
    """Return the sentence about the runs' rates on a page, or None.

    Each rate has `n_questions`, `n_accepted` and an `interval`; those without an interval need no
    caution. The measured rate nearest to it counts, .05 being as near to 0 as .95 to 1. The
    sentence is that of the rate with the fewest questions.
    """
    known = [each for each in rates if each["interval"]["low"] is not None]
    n_few = sum(each["n_questions"] < FEW_QUESTIONS for each in known)
    if n_few:
        return _do_not_trust(n_few, "rate")
    found = [(each["n_questions"], _caution_of_rate(each)) for each in known]
    due = sorted((n, words) for n, words in found if words is not None)
    if not due:
        return None
    some = _rest(len(due), "rate", "on few questions, or few for a rate so near to 0 or 1")
    return f"{some}; such an interval {due[0][1]}."


def _caution_of_rate(rate: Mapping[str, Any]) -> str | None:
    n, share = rate["n_questions"], rate["n_accepted"] / rate["n_questions"]
    nearest = min(RATE, key=lambda measured: abs(max(share, 1 - share) - measured))
    return caution(RATE[nearest], n)


def caution_of_differences(pairs: Iterable[Mapping[str, Any]]) -> str | None:
    """Return the sentence for the pair with the fewest questions."""
    known = [each["n_questions"] for each in pairs if each["interval"]["low"] is not None]
    return caution_of_numbers(known, DIFFERENCE, "difference")


def caution_of_numbers(numbers: Iterable[int], measured: Measured, what: str) -> str | None:
    """Return the sentence for intervals of one kind over these numbers of questions, or None."""
    known = list(numbers)
    n_few = sum(n < FEW_QUESTIONS for n in known)
    if n_few:
        return _do_not_trust(n_few, what)
    due = sorted((n, words) for n in known if (words := caution(measured, n)) is not None)
    if not due:
        return None
    few = f"fewer than {SOME_QUESTIONS}" if due[-1][0] < SOME_QUESTIONS else "few"
    return f"{_rest(len(due), what, f'on {few} questions')}; such an interval {due[0][1]}."


def _do_not_trust(n: int, what: str) -> str:
    return _rest(
        n, what, f"on fewer than {FEW_QUESTIONS} questions: do not trust such an interval."
    )


def _rest(n: int, what: str, words: str) -> str:
    return f"{n:,} {what} rests {words}" if n == 1 else f"{n:,} {what}s rest {words}"
