"""How a set of accepted answers treats a run that gave it none: each team left out in turn.

Accepted answers are found among the runs that were drawn from, so a run that comes later could score less by them
than it would have if it had been among these. To see how much, each run is scored without the accepted answers that
its own team alone gave: as if the team had come later. By team, because two runs of one team usually share answers.

    full      the mean over questions of the measure, the maximum over the truth and all accepted answers
    left out  the same without the accepted answers that are lost without the run's team; the truth stays
    bias      full - left out; near 0, the set is fair to a run that comes later
    unique    of the run's answers that are accepted, the share that is lost without its team
    change    the run's place when it alone is scored left out, minus its place by full (> 0: it falls)

The left-out ranking scores every run without the answers of its own team. Its τ_b and τ_AP are against the full
ranking. An answer that is missing is scored as an empty one. A text that is also the truth's is no accepted answer.

Intervals are the middle 95 % of bootstrap replicates over clusters of questions. A resample has fewer different
questions than the sample, so runs scatter more in it: the interval of a τ may lie below its value.

Sources: Zobel 1998, How reliable are the results of large-scale information retrieval experiments?, SIGIR; Voorhees
2001, The philosophy of information retrieval evaluation, CLEF; Büttcher, Clarke, Yeung & Soboroff 2007, Reliable
information retrieval evaluation with incomplete and biased judgements, SIGIR, who leave out whole teams.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from stats.bootstrap import BootstrapInterval, Floats, question_interval, times_drawn
from stats.correlation import kendall_tau_b
from stats.means import DIGITS
from stats.rank_changes import places, tau_ap

Measure = Callable[[str, str], float]  # of an answer and a reference
ONE_RUN = "it takes two runs"
ALL_TIED = "all runs have the same score in a ranking"
NOTHING_ACCEPTED = "none of the run's answers is accepted"
# Comparisons of every two runs that are held at once: of each replicate runs².
COMPARED_AT_ONCE = 4_000_000


@dataclass(frozen=True, slots=True)
class Question:
    """A question with its references, and its accepted answers.

    `lost_without` has for each accepted text the teams without any one of which it would not be there.
    """

    name: str
    cluster: str
    truth: tuple[str, ...]
    lost_without: Mapping[str, frozenset[str]]


@dataclass(frozen=True, slots=True)
class TeamRun:
    """A run with its answers by question, without outer white space."""

    name: str
    team: str
    answers: Mapping[str, str]


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


@dataclass(frozen=True, slots=True)
class LeftOut:
    """The figures of all runs, in the order given, and the comparison of both rankings.

    `greatest_fall` is the largest difference of a run's places in them, 0 if none falls, and `fallen` the runs
    that fall so far.
    """

    runs: tuple[RunFigures, ...]
    kendall_tau_b: Estimate
    tau_ap: Estimate
    greatest_fall: float
    fallen: tuple[str, ...]
    mean_bias: float
    largest_bias: float
    n_questions: int
    n_clusters: int


@dataclass(frozen=True)
class _Sums:
    """Sums over the questions of each cluster, (clusters, runs), and the number of questions."""

    full: Floats
    left_out: Floats
    accepted: Floats
    lost: Floats
    n: Floats

    def drawn(self, weights: Floats) -> "_Scores":
        n = (weights @ self.n)[:, None]
        full, left_out = ((weights @ of / n).round(DIGITS) for of in (self.full, self.left_out))
        return _Scores(full, left_out, weights @ self.accepted, weights @ self.lost)


@dataclass(frozen=True)
class _Scores:
    """Means and counts of replicates, (replicates, runs)."""

    full: Floats
    left_out: Floats
    accepted: Floats
    lost: Floats

    @property
    def unique(self) -> Floats:
        found = np.full(self.lost.shape, np.nan)
        np.divide(self.lost, self.accepted, out=found, where=self.accepted > 0)
        return found

    def pieces(self) -> Iterable["_Scores"]:
        n_at_once = max(1, COMPARED_AT_ONCE // self.full.shape[1] ** 2)
        for start in range(0, len(self.full), n_at_once):
            some = slice(start, start + n_at_once)
            yield _Scores(
                self.full[some], self.left_out[some], self.accepted[some], self.lost[some]
            )

    def rankings(self) -> tuple[Floats, Floats, Floats]:
        """Return the changes of place, (replicates, runs), and both τ, (replicates,)."""
        found = [
            (
                _places_alone(each) - places(each.full),
                kendall_tau_b(each.full, each.left_out),
                tau_ap(each.left_out, each.full),
            )
            for each in self.pieces()
        ]
        changes, taus_b, taus_ap = zip(*found, strict=True)
        return np.concatenate(changes), np.concatenate(taus_b), np.concatenate(taus_ap)


def given_by_one_team(givers: Iterable[str]) -> frozenset[str]:
    """Return the team without which an answer is lost: the only one that gave it, if there is only one."""
    teams = frozenset(givers)
    return teams if len(teams) == 1 else frozenset()


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

    `beat` is called after each question. Raises ValueError without a run or a question, and for fewer than 1,000
    replicates.
    """
    if not questions or not runs:
        raise ValueError("there is nothing to score: it takes a question and a run")
    sums = _sums(questions, runs, measure, beat)
    scores = sums.drawn(np.ones((1, len(sums.n))))
    parts = [sums.drawn(w) for w in times_drawn(len(sums.n), replicates=replicates, seed=seed)]
    drawn = _Scores(*(np.concatenate(of) for of in zip(*map(_as_tuple, parts), strict=True)))
    estimates = _Estimates(scores, drawn, len(sums.n), seed)
    falls = places(scores.left_out)[0] - places(scores.full)[0]
    greatest = max(0.0, float(falls.max()))
    biases = np.abs(scores.full - scores.left_out)[0]
    return LeftOut(
        runs=tuple(estimates.of_run(place, run) for place, run in enumerate(runs)),
        kendall_tau_b=estimates.tau_b,
        tau_ap=estimates.tau_ap,
        greatest_fall=greatest,
        fallen=tuple(
            run.name for run, fall in zip(runs, falls, strict=True) if 0 < fall == greatest
        ),
        mean_bias=float(biases.mean().round(DIGITS)),
        largest_bias=float(biases.max()),
        n_questions=len(questions),
        n_clusters=len(sums.n),
    )


def _as_tuple(scores: _Scores) -> tuple[Floats, Floats, Floats, Floats]:
    return scores.full, scores.left_out, scores.accepted, scores.lost


class _Estimates:
    """Figures of the sample with their intervals from the replicates."""

    def __init__(self, scores: _Scores, drawn: _Scores, n_clusters: int, seed: int) -> None:
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
            bias=self._estimate(
                (scores.full - scores.left_out)[0, at].round(DIGITS),
                (drawn.full - drawn.left_out)[:, at],
            ),
            n_accepted=int(scores.accepted[0, at]),
            n_lost=int(scores.lost[0, at]),
            unique_share=self._estimate(
                scores.unique[0, at], drawn.unique[:, at], NOTHING_ACCEPTED
            ),
            place=float(places(scores.full)[0, at]),
            place_alone=float(_places_alone(scores)[0, at]),
            change=self._estimate(self.change[0, at], self.changes[:, at]),
            place_left_out=float(places(scores.left_out)[0, at]),
        )

    def _estimate(
        self, value: np.float64, replicates: Floats, undefined: str | None = None
    ) -> Estimate:
        interval = question_interval(replicates, n_questions=self.n_clusters, seed=self.seed)
        is_undefined = bool(np.isnan(value))
        return Estimate(
            None if is_undefined else float(value), undefined if is_undefined else None, interval
        )


def _places_alone(scores: _Scores) -> Floats:
    """Return the place of each run by its left-out score among the others' full scores."""
    others = ~np.eye(scores.full.shape[1], dtype=bool)
    own, full = scores.left_out[:, :, None], scores.full[:, None, :]
    above = ((full > own) & others).sum(axis=2)
    tied = ((full == own) & others).sum(axis=2)
    found: Floats = 1 + above + tied / 2
    return found


def _sums(
    questions: Sequence[Question],
    runs: Sequence[TeamRun],
    measure: Measure,
    beat: Callable[[], None],
) -> _Sums:
    clusters = sorted({question.cluster for question in questions})
    index = {cluster: at for at, cluster in enumerate(clusters)}
    found = np.zeros((4, len(clusters), len(runs)))
    n = np.zeros(len(clusters))
    # Sorted, so that sums are rounded in the same way in any order.
    for question in sorted(questions, key=lambda each: each.name):
        at = index[question.cluster]
        n[at] += 1
        found[:, at] += np.array(_values(question, runs, measure)).T
        beat()
    return _Sums(*found, n=n)


def _values(
    question: Question, runs: Sequence[TeamRun], measure: Measure
) -> list[tuple[float, float, bool, bool]]:
    """Return of each run its score by all references and without its team's, and whether its answer is accepted and lost."""
    accepted = {
        text: teams for text, teams in question.lost_without.items() if text not in question.truth
    }
    known: dict[str, tuple[float, dict[str, float]]] = {}
    found = []
    for run in runs:
        text = run.answers.get(question.name, "")
        if text not in known:
            by_truth = max((measure(text, each) for each in question.truth), default=0.0)
            known[text] = by_truth, {each: measure(text, each) for each in accepted}
        by_truth, values = known[text]
        left = [value for each, value in values.items() if run.team not in accepted[each]]
        is_lost = run.team in accepted.get(text, ())
        found.append(
            (max([by_truth, *values.values()]), max([by_truth, *left]), text in accepted, is_lost)
        )
    return found
