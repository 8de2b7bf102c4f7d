"""How a set of accepted answers treats a run that gave it none: each team left out in turn.

Accepted answers are found among the runs that were drawn from, so a run that comes later could score less by them
than it would have if it had been among these. To see how much, each run is scored without the accepted answers that
its own team alone gave: as if the team had come later. By team, because two runs of one team usually share answers.

    full      the mean over questions of the measure, the maximum over the truth and all accepted answers
    left out  the same without the accepted answers that are lost without the run's team; the truth stays
    bias      full - left out; near 0, the set is fair to a run that comes later
    unique    of the run's answers that are accepted, the share that is lost without its team
    change    the run's place when it alone is scored left out, minus its place by full (> 0: it falls)

A run that pools were not drawn from gave nothing that could be lost but through its team: it is ranked, and in no mean.
The left-out ranking scores every run without the answers of its own team. Its τ_b and τ_AP are against the full
ranking. An answer that is missing is scored as an empty one. A text that is also the truth's is no accepted answer.

Intervals are the middle 95 % of bootstrap replicates over clusters of questions. A resample has fewer different
questions than the sample, so runs scatter more in it: the interval of a τ may lie below its value.

Sources: Zobel 1998, How reliable are the results of large-scale information retrieval experiments?, SIGIR; Voorhees
2001, The philosophy of information retrieval evaluation, CLEF; Büttcher, Clarke, Yeung & Soboroff 2007, Reliable
information retrieval evaluation with incomplete and biased judgements, SIGIR, who leave out whole teams.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from stats.bootstrap import BootstrapInterval, Floats, question_interval
from stats.means import DIGITS
from stats.rank_changes import places
from stats.team_scores import Measure, Question, Scores, TeamRun, places_alone, sums_of

ONE_RUN = "it takes two runs"
ALL_TIED = "all runs have the same score in a ranking"
NOTHING_ACCEPTED = "none of the run's answers is accepted"


@dataclass(frozen=True, slots=True)
class Estimate:
    """A figure with its interval. None with the reason."""

    value: float | None
    reason: str | None
    interval: BootstrapInterval


@dataclass(frozen=True, slots=True)
class RunFigures:
    """The figures of a run, named as the module defines them.

    `place` is by full, `place_alone` that of the run when it alone is scored left out, `place_left_out` in the
    left-out ranking. Tied runs share the mean of their places.
    """

    run: str
    team: str
    full: float
    left_out: float
    bias: Estimate
    n_accepted: int
    n_lost: int
    unique_share: Estimate
    place: float
    place_alone: float
    change: Estimate
    place_left_out: float
    is_late: bool


@dataclass(frozen=True, slots=True)
class LeftOut:
    """The figures of all runs, in the order given, and the comparison of both rankings.

    `greatest_fall` is the largest difference of a run's places in them, 0 if none falls, and `fallen` the runs
    that fall so far. `mean_bias`, without sign, and `largest_bias` are those of the runs that pools were drawn from,
    None if there is none: a run that came later has no bias, or that of its team.
    """

    runs: tuple[RunFigures, ...]
    kendall_tau_b: Estimate
    tau_ap: Estimate
    greatest_fall: float
    fallen: tuple[str, ...]
    mean_bias: float | None
    largest_bias: float | None
    n_questions: int
    n_clusters: int


def leave_one_team_out(
    questions: Sequence[Question],
    runs: Sequence[TeamRun],
    measure: Measure,
    *,
    replicates: int,
    seed: int,
    beat: Callable[[], None] = lambda: None,
) -> LeftOut:
    """Return the figures of all runs. Their order and that of the questions change no figure.

    `beat` is called again and again. Raises ValueError without a run or a question, and for fewer than 1,000
    replicates.
    """
    if not questions or not runs:
        raise ValueError("there is nothing to score: it takes a question and a run")
    sums = sums_of(questions, runs, measure, beat)
    n_clusters = len(sums.n)
    scores = sums.weighted(np.ones((1, n_clusters)))
    estimates = _Estimates(scores, sums.resampled(replicates, seed), n_clusters, seed)
    falls = places(scores.left_out)[0] - places(scores.full)[0]
    greatest = max(0.0, float(falls.max()))
    biases = np.abs(scores.bias[0, [not run.is_late for run in runs]])
    return LeftOut(
        runs=tuple(estimates.of_run(place, run) for place, run in enumerate(runs)),
        kendall_tau_b=estimates.tau_b,
        tau_ap=estimates.tau_ap,
        greatest_fall=greatest,
        fallen=tuple(
            run.name for run, fall in zip(runs, falls, strict=True) if 0 < fall == greatest
        ),
        mean_bias=float(biases.mean().round(DIGITS)) if len(biases) else None,
        largest_bias=float(biases.max()) if len(biases) else None,
        n_questions=len(questions),
        n_clusters=n_clusters,
    )


class _Estimates:
    """Figures of the sample with their intervals from the replicates."""

    def __init__(self, scores: Scores, drawn: Scores, n_clusters: int, seed: int) -> None:
        self.scores, self.drawn, self.n_clusters, self.seed = scores, drawn, n_clusters, seed
        self.change, tau_b, tau_ap = scores.rankings()
        self.changes, taus_b, taus_ap = drawn.rankings()
        why = ONE_RUN if scores.full.shape[1] < 2 else ALL_TIED
        self.tau_b = self._estimate(tau_b[0], taus_b, why)
        self.tau_ap = self._estimate(tau_ap[0], taus_ap, why)

    def of_run(self, at: int, run: TeamRun) -> RunFigures:
        scores, drawn = self.scores, self.drawn
        return RunFigures(
            run=run.name,
            team=run.team,
            full=float(scores.full[0, at]),
            left_out=float(scores.left_out[0, at]),
            bias=self._estimate(scores.bias[0, at], drawn.bias[:, at]),
            n_accepted=int(scores.accepted[0, at]),
            n_lost=int(scores.lost[0, at]),
            unique_share=self._estimate(
                scores.unique[0, at], drawn.unique[:, at], NOTHING_ACCEPTED
            ),
            place=float(places(scores.full)[0, at]),
            place_alone=float(places_alone(scores.full, scores.left_out)[0, at]),
            change=self._estimate(self.change[0, at], self.changes[:, at]),
            place_left_out=float(places(scores.left_out)[0, at]),
            is_late=run.is_late,
        )

    def _estimate(
        self, value: np.float64, replicates: Floats, undefined: str | None = None
    ) -> Estimate:
        interval = question_interval(replicates, n_questions=self.n_clusters, seed=self.seed)
        is_undefined = bool(np.isnan(value))
        return Estimate(
            None if is_undefined else float(value), undefined if is_undefined else None, interval
        )
