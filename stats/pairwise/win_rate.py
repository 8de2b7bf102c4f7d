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

Undefined: a run that was compared on no question; the sum is over those that were.
"""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from stats.bootstrap import BootstrapInterval
from stats.clustered_means import mean
from stats.interval_cautions import caution
from stats.interval_coverage import WIN_RATE
from stats.pairwise.records import Preference

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
    """Win-rate of one run, with an interval over questions; None with the reason."""

    run: str
    value: float | None
    reason: str | None
    interval: BootstrapInterval
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


@dataclass(slots=True)
class _Tally:
    """Wins, losses and ties of one run on one question."""

    n: int = 0
    n_wins: int = 0
    n_ties: int = 0

    def rate(self, tie: Fraction) -> Fraction:
        return (self.n_wins + tie * self.n_ties) / self.n


def win_rates(
    preferences: Sequence[Preference],
    *,
    runs: Sequence[str],
    policy: Policy = "zero",
    replicates: int,
    seed: int,
) -> WinRates:
    """Return the rate of each run, in their order. The order of the comparisons changes nothing.

    Raises ValueError for a comparison of a run with itself or of one that is not among `runs`.
    """
    tallies = _tallies(preferences, runs)
    tie = POLICIES[policy]
    rates = [_run_rate(run, tallies[run], tie, replicates, seed) for run in runs]
    exact = [each.rate(tie) / len(tallies[run]) for run in runs for each in tallies[run].values()]
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


def _tallies(
    preferences: Sequence[Preference], runs: Sequence[str]
) -> dict[str, dict[str, _Tally]]:
    require_runs(preferences, runs)
    found: dict[str, defaultdict[str, _Tally]] = {run: defaultdict(_Tally) for run in runs}
    for each in preferences:
        winner = each.winner()
        for run in (each.left, each.right):
            tally = found[run][each.question]
            tally.n += 1
            tally.n_wins += winner == run
            tally.n_ties += winner is None
    return {run: dict(questions) for run, questions in found.items()}


def _run_rate(
    run: str, questions: Mapping[str, _Tally], tie: Fraction, replicates: int, seed: int
) -> WinRate:
    by_question = {question: [tally.rate(tie)] for question, tally in questions.items()}
    figure = mean(by_question, without=NEVER_COMPARED, replicates=replicates, seed=seed)
    counts = Counter[str]()
    for tally in questions.values():
        counts.update(n=tally.n, n_wins=tally.n_wins, n_ties=tally.n_ties)
    return WinRate(
        run=run,
        value=figure.value,
        reason=figure.reason,
        interval=figure.interval,
        n_questions=figure.n_questions,
        n_comparisons=counts["n"],
        n_wins=counts["n_wins"],
        n_ties=counts["n_ties"],
    )
