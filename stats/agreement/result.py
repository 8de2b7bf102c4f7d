"""The result of a coefficient of agreement, and the reasons for undefined ones."""

from dataclasses import dataclass, replace

import numpy as np

from stats.agreement.judgement_table import Floats, Ints, Judgements, n_distinct
from stats.bootstrap import BootstrapInterval, Statistic, bootstrap, no_interval
from stats.clusters import SINGLE_CLUSTER

DEFAULT_REPLICATES = 1_000

NO_JUDGEMENTS = "no judgements"
SINGLE_WORKER = "a single annotator"
NOTHING_PAIRABLE = "no item has two judgements"
ONE_CATEGORY = "one category only"


@dataclass(frozen=True, slots=True)
class Measure:
    name: str
    estimand: str


@dataclass(frozen=True, slots=True)
class Basis:
    """The data behind a figure; `categories` are the labels that occur in it.

    Intervals draw the clusters; there are as many as questions if none has several.
    """

    n_items: int
    n_judgements: int
    n_workers: int
    n_questions: int
    n_clusters: int
    categories: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Agreement:
    """One coefficient. `value` is None exactly if there is a `reason`."""

    measure: Measure
    value: float | None
    reason: str | None
    interval: BootstrapInterval
    basis: Basis


def basis_of(judgements: Judgements, *, at_least: int = 2) -> Basis:
    """Return the basis: the number of items with `at_least` judgements, with theirs."""
    items = judgements.sizes >= at_least
    rows = items[judgements.task]
    used = np.flatnonzero(judgements.counts[items].sum(axis=0))
    return Basis(
        n_items=int(items.sum()),
        n_judgements=int(rows.sum()),
        n_workers=n_distinct(judgements.worker[rows]),
        n_questions=n_distinct(judgements.question[items]),
        n_clusters=n_distinct(judgements.cluster[items]),
        categories=tuple(judgements.labels[code] for code in used),
    )


def why_not_pairable(judgements: Judgements) -> str | None:
    if not len(judgements.task):
        return NO_JUDGEMENTS
    if len(judgements.workers) == 1:
        return SINGLE_WORKER
    if judgements.sizes.max() < 2:
        return NOTHING_PAIRABLE
    return None


def why_no_chance(judgements: Judgements, basis: Basis) -> str | None:
    """Return why a chance-corrected coefficient is undefined, or None."""
    unpaired = why_not_pairable(judgements)
    return unpaired or (ONE_CATEGORY if len(basis.categories) == 1 else None)


def undefined_figure(measure: Measure, basis: Basis, reason: str, *, seed: int) -> Agreement:
    interval = replace(no_interval(reason, seed), n_questions=basis.n_clusters)
    return Agreement(measure, value=None, reason=reason, interval=interval, basis=basis)


def agreement_figure(
    measure: Measure,
    basis: Basis,
    sums: Ints,
    statistic: Statistic,
    *,
    replicates: int,
    seed: int,
    value: float | None = None,
) -> Agreement:
    """Return the figure over all questions; `value` if another program computed it.

    `sums` has a row for each cluster; the interval draws these.
    """
    if value is None:
        value = float(statistic(sums.sum(axis=0, keepdims=True).astype(np.float64))[0])
    interval = bootstrap(sums, statistic, replicates=replicates, seed=seed)
    if basis.n_clusters == 1 < basis.n_questions:
        interval = replace(interval, reason=SINGLE_CLUSTER)
    return Agreement(measure, value=value, reason=None, interval=interval, basis=basis)


def ratio(numerator: Floats, denominator: Floats) -> Floats:
    """Divide, with NaN for a denominator of 0."""
    quotient: Floats = np.full(numerator.shape, np.nan)
    np.divide(numerator, denominator, out=quotient, where=denominator != 0)
    return quotient
