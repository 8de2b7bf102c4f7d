"""Scores of runs by all accepted answers and without those of their own team, over samples of questions.

`stats.leave_one_team_out` has the definitions.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from stats.bootstrap import Floats, times_drawn
from stats.correlation import kendall_tau_b
from stats.means import DIGITS
from stats.rank_changes import places, tau_ap

Measure = Callable[[str, str], float]  # of an answer and a reference
# Comparisons of every two runs that are held at once: of each replicate runs².
COMPARED_AT_ONCE = 4_000_000
QUESTIONS_A_BEAT = 100


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
    """A run with its answers by question, without outer white space.

    `is_late`: no pool was drawn from it, so no accepted answer was found through it.
    """

    name: str
    team: str
    answers: Mapping[str, str]
    is_late: bool = False


@dataclass(frozen=True)
class Sums:
    """Sums over the questions of each cluster, (clusters, runs), and the number of questions."""

    full: Floats
    left_out: Floats
    accepted: Floats
    lost: Floats
    n: Floats

    def weighted(self, weights: Floats) -> "Scores":
        """Return the means and counts where the clusters are drawn so often, (replicates, clusters)."""
        n = (weights @ self.n)[:, None]
        full, left_out = ((weights @ of / n).round(DIGITS) for of in (self.full, self.left_out))
        bias = (weights @ (self.full - self.left_out) / n).round(DIGITS)
        return Scores(full, left_out, bias, weights @ self.accepted, weights @ self.lost)

    def resampled(self, replicates: int, seed: int) -> "Scores":
        """Return the means and counts of bootstrap replicates over clusters."""
        weights = times_drawn(len(self.n), replicates=replicates, seed=seed)
        parts = [self.weighted(some) for some in weights]
        return Scores(
            np.concatenate([part.full for part in parts]),
            np.concatenate([part.left_out for part in parts]),
            np.concatenate([part.bias for part in parts]),
            np.concatenate([part.accepted for part in parts]),
            np.concatenate([part.lost for part in parts]),
        )


@dataclass(frozen=True)
class Scores:
    """Means and counts of replicates, (replicates, runs)."""

    full: Floats
    left_out: Floats
    bias: Floats
    accepted: Floats
    lost: Floats

    @property
    def unique(self) -> Floats:
        found = np.full(self.lost.shape, np.nan)
        np.divide(self.lost, self.accepted, out=found, where=self.accepted > 0)
        return found

    def rankings(self) -> tuple[Floats, Floats, Floats]:
        """Return the changes of place, (replicates, runs), and both τ, (replicates,)."""
        n_at_once = max(1, COMPARED_AT_ONCE // self.full.shape[1] ** 2)
        pieces = (slice(start, start + n_at_once) for start in range(0, len(self.full), n_at_once))
        found = [
            (
                places_alone(self.full[some], self.left_out[some]) - places(self.full[some]),
                kendall_tau_b(self.full[some], self.left_out[some]),
                tau_ap(self.left_out[some], self.full[some]),
            )
            for some in pieces
        ]
        changes, taus_b, taus_ap = zip(*found, strict=True)
        return np.concatenate(changes), np.concatenate(taus_b), np.concatenate(taus_ap)


def places_alone(full: Floats, left_out: Floats) -> Floats:
    """Return the place of each run by its left-out score among the others' full scores."""
    others = ~np.eye(full.shape[1], dtype=bool)
    own, of_others = left_out[:, :, None], full[:, None, :]
    above = ((of_others > own) & others).sum(axis=2)
    tied = ((of_others == own) & others).sum(axis=2)
    found: Floats = 1 + above + tied / 2
    return found


def given_by_one_team(givers: Iterable[str]) -> frozenset[str]:
    """Return the team without which an answer is lost: the only one that gave it, if there is only one."""
    teams = frozenset(givers)
    return teams if len(teams) == 1 else frozenset()


def sums_of(
    questions: Sequence[Question],
    runs: Sequence[TeamRun],
    measure: Measure,
    beat: Callable[[], None],
) -> Sums:
    """Return the sums of all clusters, which are sorted. `beat` is called again and again."""
    clusters = sorted({question.cluster for question in questions})
    index = {cluster: at for at, cluster in enumerate(clusters)}
    found = np.zeros((4, len(clusters), len(runs)))
    n = np.zeros(len(clusters))
    # Sorted, so that sums are rounded in the same way in any order.
    for number, question in enumerate(sorted(questions, key=lambda each: each.name)):
        at = index[question.cluster]
        n[at] += 1
        found[:, at] += np.array(_values(question, runs, measure)).T
        if number % QUESTIONS_A_BEAT == 0:
            beat()
    full, left_out, accepted, lost = found
    return Sums(full, left_out, accepted, lost, n)


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
