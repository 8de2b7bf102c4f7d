"""Gwet's AC2: AC1 for labels on a scale, with partial credit for near labels."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Literal

import numpy as np

from stats.agreement.judgement_table import (
    Floats,
    Judgements,
    Sums,
    cluster_sums,
    label_pairs,
)
from stats.agreement.krippendorff_alpha import label_numbers
from stats.agreement.nominal import label_share_values
from stats.agreement.result import (
    DEFAULT_REPLICATES,
    Agreement,
    Measure,
    agreement_figure,
    basis_of,
    ratio,
    undefined_figure,
    why_no_chance,
)

Scale = Literal["ordinal", "linear", "interval"]


def gwet_ac2(
    judgements: Judgements,
    *,
    level: Scale = "ordinal",
    values: Mapping[str, float],
    replicates: int = DEFAULT_REPLICATES,
    seed: int = 0,
) -> Agreement:
    """Return (P - E) / (1 - E) with weights w_kl of two labels' agreement.

    Gwet 2014, chapters 3 and 5. P is the mean over the items with m ≥ 2 of 1 - Σ_{k≠l} (1 -
    w_kl)·c_k·c_l / m(m - 1), and E = T / (V(V - 1)) · Σ_v π_v(1 - π_v) with T = Σ_{k,l} w_kl, π the
    prevalence over all items, including those judged once, and V the number of labels that occur in
    the table, also for replicates in which one of them does not. Each label has its number in
    `values`; in their order the labels are 1 … V. Weights by `level`:

    ordinal     1 - C(|k - l| + 1, 2) / C(V, 2), of the places k, l in the order
    linear      1 - |x - y| / (largest - smallest), of the numbers x, y
    interval    1 - ((x - y) / (largest - smallest))², the quadratic weights

    With w_kl = 1 for k = l and else 0 it is AC1. Right: irrCAC's cac.raw4raters → .899 ordinal,
    .859 linear, .914 quadratic. Wrong: .775 for them, which is AC1.

    Undefined as AC1 is. Raises ValueError for an unknown level, and for labels without a finite
    number or two labels of one number.
    """
    if level not in WEIGHTS:
        raise ValueError(f"level is one of {', '.join(WEIGHTS)}, not {level!r}")
    numbers = label_numbers(judgements.labels, "interval", values)
    order = np.argsort(numbers)
    judgements, numbers = judgements.relabelled(order), numbers[order]
    basis = basis_of(judgements, at_least=1)
    measure = _measure(level)
    reason = why_no_chance(judgements, basis)
    if reason is not None:
        return undefined_figure(measure, basis, reason, seed=seed)
    sums = cluster_sums(judgements, at_least=1)
    statistic = partial(_ac2_values, sums, WEIGHTS[level](numbers))
    return agreement_figure(
        measure, basis, sums.matrix, statistic, replicates=replicates, seed=seed
    )


def _measure(level: Scale) -> Measure:
    return Measure(
        f"Gwet's AC2 ({level})",
        "agreement, a near miss counted in part, above what chance gives on items that are hard to"
        " judge, for questions like these",
    )


def _ac2_values(sums: Sums, weights: Floats, totals: Floats) -> Floats:
    labels, pairs = sums.split(totals)
    first, second = label_pairs(sums.n_labels)
    paired = sums.sizes >= 2
    sizes = sums.sizes[paired]
    n_items = (labels[:, paired].sum(axis=2) / sizes).sum(axis=1)
    apart = pairs[:, paired] @ (1 - weights[first, second])
    observed = ratio(n_items - (2 * apart / (sizes * (sizes - 1))).sum(axis=1), n_items)
    share = label_share_values(sums, labels)
    n_labels = sums.n_labels
    unlike = (share * (1 - share)).sum(axis=1)
    chance = weights.sum() / (n_labels * (n_labels - 1)) * unlike
    return ratio(observed - chance, 1 - chance)


def _ordinal(numbers: Floats) -> Floats:
    place = np.arange(len(numbers))
    apart = np.abs(place[:, np.newaxis] - place)
    most = len(numbers) * (len(numbers) - 1)
    weights: Floats = 1 - apart * (apart + 1) / most
    return weights


def _linear(numbers: Floats) -> Floats:
    weights: Floats = 1 - np.abs(numbers[:, np.newaxis] - numbers) / np.ptp(numbers)
    return weights


def _interval(numbers: Floats) -> Floats:
    weights: Floats = 1 - ((numbers[:, np.newaxis] - numbers) / np.ptp(numbers)) ** 2
    return weights


WEIGHTS: dict[Scale, Callable[[Floats], Floats]] = {
    "ordinal": _ordinal,
    "linear": _linear,
    "interval": _interval,
}
