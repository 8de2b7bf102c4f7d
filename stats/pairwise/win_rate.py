"""Win-rates of runs, as CLAP-NQ reports them, with what a tie counts and what that does.

On a question a run's win-rate is its wins over the comparisons of it that were judged there; in a complete
design these are (runs - 1) · annotators. The run's win-rate is the mean over its questions, each counting
alike however many of its comparisons were judged. CLAP-NQ (Rosenthal et al. 2024, arXiv:2404.02103) does not say
what a tie counts, and its sums, of 157 % and 110 % for three models, show that it was not always the same.
So there are three policies:

    policy   a tie counts      the sum over K runs in a complete design, t the share of ties
    zero     0 (the default)   K/2 · (1 - t), so 150 % at most for three
    half     1/2 for each      K/2
    both     1 for each        K/2 · (1 + t)

Whatever the policy, the share of ties and the sum stand beside the rates.

Worked example: 2 questions, 3 annotators, 3 runs; who was preferred by each of the three, = for a tie.

    question   A or B   A or C   B or C   wins and ties of 6 comparisons:  A      B      C
    1          A A =    A A C    B = C                                     4, 1   1, 2   2, 1
    2          A B B    A A A    B B =                                     4, 0   4, 1   0, 1

    zero   A (4/6 + 4/6)/2 = 8/12    B (1/6 + 4/6)/2 = 5/12      C (2/6 + 0/6)/2 = 2/12      sum 15/12 = 125 %
    half   A (4.5 + 4)/12 = 8.5/12   B (2 + 4.5)/12 = 6.5/12     C (2.5 + .5)/12 = 3/12      sum 18/12 = 150 %
    both   A (5 + 4)/12 = 9/12       B (3 + 5)/12 = 8/12         C (3 + 1)/12 = 4/12         sum 21/12 = 175 %

3 of 18 comparisons are ties, t = 1/6: 1.5 · 5/6 = 1.25, 1.5, 1.5 · 7/6 = 1.75.

Had only the first annotator judged question 2 (A, A, B: A wins 2 of 2, B 1 of 2, C 0 of 2), A's rate by zero
is right (4/6 + 2/2)/2 = 10/12, and wrong 6/8, which pools the comparisons.

A rate has an interval for the people who judged and one for people like them (`stats.means_over_people`).

Undefined: a run that was compared on no question; the sum is over those that were.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from stats.clusters import Cluster, itself
from stats.interval_cautions import caution
from stats.interval_coverage import WIN_RATE
from stats.means_over_people import (
    Judged,
    PeopleFigure,
    question_means_by_run,
    question_weights,
)
from stats.pairwise.records import Preference
from stats.proportion_intervals import Interval

Policy = Literal["zero", "half", "both"]
# what a tie counts for each of the two
POLICIES: Mapping[Policy, Fraction] = {
    "zero": Fraction(0),
    "half": Fraction(1, 2),
    "both": Fraction(1),
}
NEVER_COMPARED = "it was compared on no question"


@dataclass(frozen=True, slots=True)
class WinRate:
    """Win-rate of one run, with its intervals; None with the reason.

    See `stats.means_over_people.PeopleFigure`.
    """

    run: str
    value: float | None
    reason: str | None
    interval: Interval
    people_interval: Interval
    share_of_people: float | None
    n_annotators: int
    n_questions: int
    n_comparisons: int
    n_wins: int
    n_ties: int


@dataclass(frozen=True, slots=True)
class WinRates:
    """The rates. `tie_share` is n_ties / n_comparisons; it and `sum` are None without comparisons.

    `caution` says why the intervals are not to be trusted, or is None.
    """

    policy: Policy
    rates: tuple[WinRate, ...]
    sum: float | None
    n_comparisons: int
    n_ties: int
    tie_share: float | None
    caution: str | None


def win_rates(
    preferences: Sequence[Preference],
    *,
    runs: Sequence[str],
    policy: Policy = "zero",
    cluster: Cluster = itself,
) -> WinRates:
    """Return the rate of each run, in their order. The order of the comparisons changes nothing.

    `cluster` returns what a question is drawn with, such as its conversation.

    Raises ValueError for a comparison of a run with itself or of one that is not among `runs`.
    """
    require_runs(preferences, runs)
    own = {run: [each for each in preferences if run in (each.left, each.right)] for run in runs}
    credits = {run: _credits(run, own[run], POLICIES[policy]) for run in runs}
    figures = question_means_by_run(credits, without=NEVER_COMPARED, within=(0, 1), cluster=cluster)
    rates = [_run_rate(run, own[run], figures[run]) for run in runs]
    exact = [_exact_rate(credits[run]) for run in runs if credits[run]]
    n_ties = sum(each.preferred == "tie" for each in preferences)
    return WinRates(
        policy=policy,
        rates=tuple(rates),
        sum=float(sum(exact)) if exact else None,
        n_comparisons=len(preferences),
        n_ties=n_ties,
        tie_share=n_ties / len(preferences) if preferences else None,
        caution=caution((each.interval for each in rates), WIN_RATE, "win-rate"),
    )


def require_runs(preferences: Sequence[Preference], runs: Sequence[str]) -> None:
    """Raise ValueError for a comparison of a run with itself or of one that is not among `runs`."""
    for each in preferences:
        if each.left == each.right:
            raise ValueError(f"{each.question}: {each.left!r} is compared with itself")
        for run in (each.left, each.right):
            if run not in runs:
                raise ValueError(f"{each.question}: the run {run!r} is not among those compared")


def _credits(run: str, preferences: Sequence[Preference], tie: Fraction) -> list[Judged]:
    """Return what each comparison counts for the run."""
    return [
        Judged(each.question, each.annotator, tie if winner is None else Fraction(winner == run))
        for each in preferences
        for winner in [each.winner()]
    ]


def _exact_rate(credits: Sequence[Judged]) -> Fraction:
    weights = question_weights(credits)
    return sum((weights[each.question] * each.value for each in credits), Fraction())


def _run_rate(run: str, preferences: Sequence[Preference], figure: PeopleFigure) -> WinRate:
    winners = [each.winner() for each in preferences]
    return WinRate(
        run=run,
        value=figure.value,
        reason=figure.reason,
        interval=figure.interval,
        people_interval=figure.people_interval,
        share_of_people=figure.share_of_people,
        n_annotators=figure.n_annotators,
        n_questions=figure.n_questions,
        n_comparisons=len(winners),
        n_wins=winners.count(run),
        n_ties=winners.count(None),
    )
