"""The two-level bootstrap: agreement among other people like these."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace

import numpy as np

from stats.agreement.few_people import LEAST_PEOPLE, TOO_FEW
from stats.agreement.judgement_table import Floats, Judgements, label_pairs
from stats.agreement.krippendorff_alpha import DISTANCES, Level, label_numbers
from stats.agreement.result import (
    DEFAULT_REPLICATES,
    basis_of,
    why_no_chance,
)
from stats.bootstrap import BootstrapInterval, percentile_interval
from stats.clusters import SINGLE_CLUSTER

ESTIMAND = "for questions like these and other people from the pool that these came from"


@dataclass(frozen=True, slots=True)
class AnnotatorIntervals:
    """Intervals of raw agreement, alpha and AC1 if the annotators are a sample too."""

    n_workers: int
    raw: BootstrapInterval
    alpha: BootstrapInterval
    ac1: BootstrapInterval


@dataclass(frozen=True)
class _Replicate:
    """A function that computes one replicate. Arrays by label are stored label by label."""

    judgements: Judgements
    level: Level
    numbers: Floats

    def values(self, people: Floats, clusters: Floats) -> tuple[float, float, float]:
        """Return raw agreement, alpha and AC1, NaN if undefined.

        The arguments say how often each person and each cluster was drawn.
        """
        table = self.judgements
        n_tasks, n_labels = len(table.tasks), len(table.labels)
        weight = people[table.worker]
        cells = table.label * n_tasks + table.task
        counts = np.bincount(cells, weight, n_labels * n_tasks).astype(np.float64, copy=False)
        by_label = counts.reshape(n_labels, n_tasks)
        given = by_label.sum(axis=0)
        compared = given * given - np.bincount(table.task, weight * weight, n_tasks)
        times = clusters[table.cluster]
        raw, alpha = self._paired(by_label, given, compared, np.where(compared > 0, times, 0.0))
        return raw, alpha, _ac1(raw, by_label, given, np.where(given > 0, times, 0.0))

    def _paired(
        self, by_label: Floats, given: Floats, compared: Floats, times: Floats
    ) -> tuple[float, float]:
        if not times.any():
            return float("nan"), float("nan")
        share = times / np.maximum(compared, 1)
        first, second = label_pairs(len(by_label))
        # pair by pair: products of whole matrices wake every core for a millisecond's work
        unlike = [2 * by_label[i] * by_label[j] * share for i, j in zip(first, second, strict=True)]
        raw = 1 - sum(each.sum() for each in unlike) / times.sum()
        labels = (by_label * times).sum(axis=1)
        apart = DISTANCES[self.level](self.numbers, labels[np.newaxis]).reshape(-1)
        expected = 2 * (labels[first] * labels[second] * apart).sum()
        if not expected:
            return float(raw), float("nan")
        observed = np.array([(given * each).sum() for each in unlike]) @ apart
        return float(raw), float(1 - (labels.sum() - 1) * observed / expected)


def annotator_intervals(
    judgements: Judgements,
    *,
    level: Level = "nominal",
    values: Mapping[str, float] | None = None,
    replicates: int = DEFAULT_REPLICATES,
    seed: int = 0,
) -> AnnotatorIntervals:
    """Return percentile intervals over clusters of questions and people drawn with replacement.

    1. The people are numbered by code point of their names, 0 … A - 1, the clusters likewise, 0 … Q - 1;
       both of all judgements in the table, including those of items judged once.
    2. `rng = numpy.random.default_rng(seed)`; for each replicate first `rng.integers(A, size=A)`, the
       people drawn, then `rng.integers(Q, size=Q)`, the clusters. Person a is drawn w_a times,
       cluster q t_q times.
    3. With s_v = Σ w_a over those who gave v to an item and s = Σ s_v, two judgements of an item are
       compared if they are by two people, a ≠ b, and count w_a·w_b: D = s² - Σ w_a² in all. (To
       compare a person with their own copy would find them always agreeing.)
    4. Raw agreement is the mean of 1 - Σ_{k≠l} s_k·s_l / D over the items with D > 0, each t_q times.
       Alpha is 1 - (n - 1)·Σ t_q·s·Σ_{k≠l} s_k·s_l·d_kl / D / Σ_{k≠l} n_k·n_l·d_kl over the same items,
       n_v = Σ t_q·s_v and n = Σ n_v, d the squared distance as in `alpha`. AC1 is (raw - E) / (1 - E),
       E as in `gwet_ac1` with π_v the mean of s_v / s over the items with s > 0, each t_q times.
    5. `numpy.percentile(defined values, [2.5, 97.5])`.

    With every w and t 1 these are the coefficients themselves. The draw of people and questions
    apart, a product of weights, is Owen's (2007) "pigeonhole" bootstrap, whose intervals are rather
    wide.

    Undefined, with the reason, if alpha is undefined, or there are fewer than five people, one
    cluster, no defined replicate, or equal replicates only.
    """
    numbers = label_numbers(judgements.labels, level, values)
    order = np.argsort(numbers)
    judgements, numbers = judgements.relabelled(order), numbers[order]
    n_people = len(judgements.workers)
    n_clusters = int(judgements.cluster.max()) + 1 if len(judgements.task) else 0
    reason = why_no_chance(judgements, basis_of(judgements)) or _why_not(judgements)
    drawn = _Replicate(judgements, level, numbers)
    rng = np.random.default_rng(seed)
    found = [
        drawn.values(_times_drawn(rng, n_people), _times_drawn(rng, n_clusters))
        for _ in range(0 if reason else replicates)
    ]
    columns = np.array(found, dtype=np.float64).reshape(-1, 3).T
    intervals = [_interval(column, reason, n_clusters, seed) for column in columns]
    return AnnotatorIntervals(n_people, *intervals)


def _why_not(judgements: Judgements) -> str | None:
    if len(judgements.workers) < LEAST_PEOPLE:
        return TOO_FEW
    if judgements.cluster.any():
        return None
    return SINGLE_CLUSTER if judgements.question.any() else "a single question"


def _times_drawn(rng: np.random.Generator, n: int) -> Floats:
    return np.bincount(rng.integers(n, size=n), minlength=n).astype(np.float64)


def _ac1(raw: float, by_label: Floats, given: Floats, times: Floats) -> float:
    if not times.any():
        return float("nan")
    share = (by_label * (times / np.maximum(given, 1))).sum(axis=1) / times.sum()
    chance = float((share * (1 - share)).sum() / (len(share) - 1))
    return (raw - chance) / (1 - chance)


def _interval(values: Floats, reason: str | None, n_clusters: int, seed: int) -> BootstrapInterval:
    found = percentile_interval(values)
    if reason:
        found = replace(found, low=None, high=None, reason=reason)
    return BootstrapInterval(**asdict(found), n_questions=n_clusters, seed=seed)
