"""Raw agreement, Fleiss' κ, Gwet's AC1 and the prevalence of each label.

Notation: an item has m judgements, c_v of them say v; there are N items and V labels.
"""

from collections.abc import Callable
from functools import partial

import numpy as np

from stats.agreement.judgement_table import (
    Floats,
    Judgements,
    Sums,
    cluster_sums,
    n_distinct,
)
from stats.agreement.result import (
    DEFAULT_REPLICATES,
    Agreement,
    Measure,
    agreement_figure,
    basis_of,
    ratio,
    undefined_figure,
    why_no_chance,
    why_not_pairable,
)
from stats.proportion_intervals import Interval, wilson

RAW = Measure(
    "raw agreement",
    "share of agreeing pairs of judgements of one item, averaged over items,"
    " for questions like these and the people who judged them",
)
FLEISS = Measure(
    "Fleiss' κ",
    "raw agreement above what the labels' shares alone would give, for questions like these",
)
AC1 = Measure(
    "Gwet's AC1",
    "raw agreement above what chance gives on items that are hard to judge, for questions like these",
)


def raw_agreement(
    judgements: Judgements, *, replicates: int = DEFAULT_REPLICATES, seed: int = 0
) -> Agreement:
    """Return the mean over the items with m ≥ 2 of Σ_v c_v(c_v-1) / m(m-1).

    With one category only it is 1, and rightly so: people did agree. The interval is then
    undefined.
    """
    basis = basis_of(judgements)
    reason = why_not_pairable(judgements)
    if reason is not None:
        return undefined_figure(RAW, basis, reason, seed=seed)
    sums = cluster_sums(judgements, at_least=2)
    statistic = partial(raw_values, sums)
    return agreement_figure(RAW, basis, sums.matrix, statistic, replicates=replicates, seed=seed)


def raw_wilson(judgements: Judgements) -> Interval:
    """Return Wilson's interval for raw agreement.

    It needs two judgements an item, one item a question and one question a cluster. Otherwise it is
    undefined with the reason: items of one question, and questions of one conversation, are alike,
    so they count as fewer independent ones, and with more than two judgements an item may agree in
    part.
    """
    reason = why_not_pairable(judgements)
    if reason is not None:
        return Interval(None, None, reason)
    pairable = judgements.sizes >= 2
    questions, clusters = judgements.question[pairable], judgements.cluster[pairable]
    if judgements.sizes.max() > 2:
        return Interval(None, None, "an item has more than two judgements")
    if n_distinct(questions) < len(questions):
        return Interval(None, None, "items of one question are not independent")
    if n_distinct(clusters) < len(clusters):
        return Interval(None, None, "questions of one conversation are not independent")
    agreed = judgements.counts[pairable].max(axis=1) == 2
    return wilson(int(agreed.sum()), len(questions))


def fleiss_kappa(
    judgements: Judgements, *, replicates: int = DEFAULT_REPLICATES, seed: int = 0
) -> Agreement:
    """Return (P - E) / (1 - E): P the raw agreement, E = Σ_v p_v², p_v the share of label v.

    Fleiss 1971. Every item needs the same number of judgements. If even one item has another
    number, the value is undefined, and Krippendorff's alpha is the coefficient to quote.
    """
    basis = basis_of(judgements)
    reason = why_no_chance(judgements, basis) or _why_unequal(judgements)
    if reason is not None:
        return undefined_figure(FLEISS, basis, reason, seed=seed)
    sums = cluster_sums(judgements, at_least=2)
    statistic = partial(corrected_values, sums, _fleiss_chance)
    return agreement_figure(FLEISS, basis, sums.matrix, statistic, replicates=replicates, seed=seed)


def gwet_ac1(
    judgements: Judgements, *, replicates: int = DEFAULT_REPLICATES, seed: int = 0
) -> Agreement:
    """Return (P - E) / (1 - E): P the raw agreement, E = Σ_v π_v(1 - π_v) / (V - 1).

    Gwet 2008. π is the prevalence over all items, including those judged once, and V counts the
    labels that occur in the table, also for replicates in which one of them does not.
    """
    basis = basis_of(judgements, at_least=1)
    reason = why_no_chance(judgements, basis)
    if reason is not None:
        return undefined_figure(AC1, basis, reason, seed=seed)
    sums = cluster_sums(judgements, at_least=1)
    statistic = partial(corrected_values, sums, gwet_chance)
    return agreement_figure(AC1, basis, sums.matrix, statistic, replicates=replicates, seed=seed)


def prevalence(judgements: Judgements) -> dict[str, float]:
    """Return π_v, the mean over all items of c_v / m, by label; empty without judgements."""
    if not len(judgements.task):
        return {}
    shares = (judgements.counts / judgements.sizes[:, np.newaxis]).mean(axis=0)
    return dict(zip(judgements.labels, shares.tolist(), strict=True))


def _why_unequal(judgements: Judgements) -> str | None:
    least, most = judgements.sizes.min(), judgements.sizes.max()
    if least == most:
        return None
    return f"items have unequal numbers of judgements ({least} to {most})"


def raw_values(sums: Sums, totals: Floats) -> Floats:
    labels, pairs = sums.split(totals)
    paired = sums.sizes >= 2
    sizes = sums.sizes[paired]
    n_items = (labels[:, paired].sum(axis=2) / sizes).sum(axis=1)
    unlike = 2 * pairs[:, paired].sum(axis=2) / (sizes * (sizes - 1))
    return ratio(n_items - unlike.sum(axis=1), n_items)


def corrected_values(
    sums: Sums, chance: Callable[[Sums, Floats], Floats], totals: Floats
) -> Floats:
    expected = chance(sums, sums.split(totals)[0])
    return ratio(raw_values(sums, totals) - expected, 1 - expected)


def _fleiss_chance(sums: Sums, labels: Floats) -> Floats:
    given = labels.sum(axis=1)
    share: Floats = given / given.sum(axis=1, keepdims=True)
    chance: Floats = (share**2).sum(axis=1)
    return chance


def label_share_values(sums: Sums, labels: Floats) -> Floats:
    """Return π of each replicate, (R, labels): the mean over its items of c_v / m."""
    weighted = (labels / sums.sizes[:, np.newaxis]).sum(axis=1)
    share: Floats = weighted / weighted.sum(axis=1, keepdims=True)
    return share


def gwet_chance(sums: Sums, labels: Floats) -> Floats:
    share = label_share_values(sums, labels)
    chance: Floats = (share * (1 - share)).sum(axis=1) / (sums.n_labels - 1)
    return chance
