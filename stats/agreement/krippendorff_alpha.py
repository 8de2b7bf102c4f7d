"""Krippendorff's alpha: the value by the package `krippendorff`, the interval by our own bootstrap."""

from collections.abc import Callable, Mapping
from functools import partial
from math import isfinite
from typing import Literal

import krippendorff
import numpy as np

from stats.agreement.judgement_table import (
    Floats,
    Ints,
    Judgements,
    Sums,
    cluster_sums,
    label_pairs,
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
)
from stats.bootstrap import distinct_rows

Level = Literal["nominal", "ordinal", "interval", "ratio"]

# how far apart the labels i < j are: from their values, (V,), and how often each was given in each
# replicate, (R, V), to squared distances, (R, pairs) or (pairs,)
Distance = Callable[[Floats, Floats], Floats]


def krippendorff_alpha(
    judgements: Judgements,
    *,
    level: Level = "nominal",
    values: Mapping[str, float] | None = None,
    replicates: int = DEFAULT_REPLICATES,
    seed: int = 0,
) -> Agreement:
    """Return 1 - D_o / D_e over all items with at least two judgements (Krippendorff 2004, 2011).

    D_o is the mean squared distance of two judgements of one item (an item of m judgements counts m
    times), D_e that of any two judgements. `level` is the distance of two labels: nominal 1;
    ordinal the judgements ranked between them, and half of their own; interval x - y; ratio
    (x - y) / (x + y). For all but nominal, `values` gives each label its number (for ordinal only
    their order counts), and in `judgement_table.Sums` the labels are in the order of these numbers.

    The value is the package's, and so is each replicate's (to rounding; the tests compare them).
    Undefined: no two judgements of any item, or one category only, with D_e = 0.

    Right: Krippendorff's 4 observers and 12 units → .743 nominal, .815 ordinal, .849 interval,
    .797 ratio. Wrong: 1.0 for a hundred items that everybody called plausible; it is undefined.

    Raises ValueError for an unknown level, for labels without a finite number, for two labels of
    one number, and at ratio level for numbers below 0.
    """
    if level not in DISTANCES:
        raise ValueError(f"level is one of {', '.join(DISTANCES)}, not {level!r}")
    measure = _measure(level)
    numbers = label_numbers(judgements.labels, level, values)
    order = np.argsort(numbers)
    judgements, numbers = judgements.relabelled(order), numbers[order]
    basis = basis_of(judgements)
    reason = why_no_chance(judgements, basis)
    if reason is not None:
        return undefined_figure(measure, basis, reason, seed=seed)
    sums = cluster_sums(judgements, at_least=2)
    return agreement_figure(
        measure,
        basis,
        sums.matrix,
        partial(alpha_values, sums, level, numbers),
        replicates=replicates,
        seed=seed,
        value=_package_value(judgements.counts, numbers, level),
    )


def alpha_values(sums: Sums, level: Level, numbers: Floats, totals: Floats) -> Floats:
    """Return alpha of each row of totals, NaN if the denominator is 0.

    1 - (n - 1)·Σ o_ij·d_ij / Σ n_i·n_j·d_ij over the pairs i < j, with o_ij = Σ_m (unlike pairs
    among the items with m judgements) / (m - 1), n_i how often label i was given, n = Σ n_i, d the
    squared distance.
    """
    labels, pairs = sums.split(totals)
    given = labels.sum(axis=1)
    first, second = label_pairs(sums.n_labels)
    apart = DISTANCES[level](numbers, given)
    observed = ((pairs / (sums.sizes - 1)[:, np.newaxis]).sum(axis=1) * apart).sum(axis=1)
    expected = (given[:, first] * given[:, second] * apart).sum(axis=1)
    return 1 - ratio((given.sum(axis=1) - 1) * observed, expected)


def _package_value(counts: Ints, numbers: Floats, level: Level) -> float:
    # the package adds floats up item by item; sorted, the last bit does not hang on items' names
    rows, n_items = distinct_rows(counts)
    # column by column in memory, its arithmetic is twice as fast
    by_column = np.asfortranarray(np.repeat(rows, n_items, axis=0))
    return float(
        krippendorff.alpha(
            value_counts=by_column,
            value_domain=numbers,
            level_of_measurement=level,
        )
    )


def _measure(level: Level) -> Measure:
    return Measure(
        f"Krippendorff's alpha ({level})",
        "agreement above what exchanging the judgements among the items would give,"
        " for questions like these and the people who judged them",
    )


def label_numbers(
    labels: tuple[str, ...], level: Level, values: Mapping[str, float] | None
) -> Floats:
    if level == "nominal":
        return np.arange(len(labels), dtype=np.float64)
    known = values or {}
    missing = [label for label in labels if not isfinite(known.get(label, float("nan")))]
    if missing:
        raise ValueError(f"{level} level: no number for {', '.join(missing)}")
    numbers = np.array([known[label] for label in labels], dtype=np.float64)
    if len(np.unique(numbers)) < len(numbers):
        raise ValueError("two labels have the same number")
    if level == "ratio" and (numbers < 0).any():
        raise ValueError("ratio level: numbers are 0 or more")
    return numbers


def _nominal(numbers: Floats, given: Floats) -> Floats:
    return np.ones(len(label_pairs(len(numbers))[0]))


def _ordinal(numbers: Floats, given: Floats) -> Floats:
    first, second = label_pairs(len(numbers))
    rank = given.cumsum(axis=1) - given / 2
    distance: Floats = (rank[:, second] - rank[:, first]) ** 2
    return distance


def _interval(numbers: Floats, given: Floats) -> Floats:
    first, second = label_pairs(len(numbers))
    distance: Floats = (numbers[second] - numbers[first]) ** 2
    return distance


def _ratio(numbers: Floats, given: Floats) -> Floats:
    first, second = label_pairs(len(numbers))
    total = numbers[second] + numbers[first]
    distance: Floats = ((numbers[second] - numbers[first]) / total) ** 2
    return distance


DISTANCES: dict[Level, Distance] = {
    "nominal": _nominal,
    "ordinal": _ordinal,
    "interval": _interval,
    "ratio": _ratio,
}
