"""Agreement on each label by itself, and the share of each label, with intervals."""

from functools import partial

import numpy as np

from stats.agreement.judgement_table import (
    Floats,
    Ints,
    Judgements,
    Sums,
    cluster_sums,
    label_pairs,
)
from stats.agreement.nominal import label_share_values
from stats.agreement.result import (
    DEFAULT_REPLICATES,
    Agreement,
    Measure,
    agreement_figure,
    basis_of,
    ratio,
    undefined_figure,
    why_not_pairable,
)

SPECIFIC = Measure(
    "specific agreement",
    "where somebody gives the label, the chance that another judgement of the item gives it too,"
    " for questions like these and the people who judged them",
)
SHARE = Measure("prevalence", "mean share of the label over items, for questions like these")

NEVER_PAIRED = "given to no item with two judgements"


def specific_agreement(
    judgements: Judgements, *, replicates: int = DEFAULT_REPLICATES, seed: int = 0
) -> dict[str, Agreement]:
    """Return p_v = Σ c_v(c_v - 1) / Σ c_v(m - 1) over the items with m ≥ 2, for every label.

    For two people it is 2·n_vv / (n_v. + n_.v), the positive and negative agreement of Cicchetti
    and Feinstein (1990), also called Dice; for any number of people it is Uebersax's (1982). It is
    the diagonal of `confusion.confusion` divided by the row's sum.

    Right: the table [[20, 5], [10, 15]] → 40/55 and 30/45. Undefined if the label was given to no
    item with two judgements; so is a replicate in which it does not occur.
    """
    basis = basis_of(judgements)
    reason = why_not_pairable(judgements)
    if reason is not None:
        return {
            label: undefined_figure(SPECIFIC, basis, reason, seed=seed)
            for label in judgements.labels
        }
    sums = cluster_sums(judgements, at_least=2)
    return {
        label: agreement_figure(
            SPECIFIC,
            basis,
            sums.matrix,
            partial(_specific_values, sums, place),
            replicates=replicates,
            seed=seed,
        )
        if label in basis.categories
        else undefined_figure(SPECIFIC, basis, NEVER_PAIRED, seed=seed)
        for place, label in enumerate(judgements.labels)
    }


def label_shares(
    judgements: Judgements, *, replicates: int = DEFAULT_REPLICATES, seed: int = 0
) -> dict[str, Agreement]:
    """Return π_v, the mean over all items of c_v / m, with its interval, for every label."""
    if not len(judgements.task):
        return {}
    basis = basis_of(judgements, at_least=1)
    sums = cluster_sums(judgements, at_least=1)
    return {
        label: agreement_figure(
            SHARE,
            basis,
            sums.matrix,
            partial(_share_values, sums, place),
            replicates=replicates,
            seed=seed,
        )
        for place, label in enumerate(judgements.labels)
    }


def _specific_values(sums: Sums, place: int, totals: Floats) -> Floats:
    labels, pairs = sums.split(totals)
    possible = (labels[:, :, place] * (sums.sizes - 1)).sum(axis=1)
    unlike = pairs[:, :, _pairs_with(place, sums.n_labels)].sum(axis=(1, 2))
    return ratio(possible - unlike, possible)


def _pairs_with(place: int, n_labels: int) -> Ints:
    first, second = label_pairs(n_labels)
    return np.flatnonzero((first == place) | (second == place))


def _share_values(sums: Sums, place: int, totals: Floats) -> Floats:
    return label_share_values(sums, sums.split(totals)[0])[:, place]
