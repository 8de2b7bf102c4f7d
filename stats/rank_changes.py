"""How one ranking of runs differs from another: places, and Yilmaz's τ_AP, which counts changes at the top most.

Rankings are given as scores, of which the highest stands first. Source: Yilmaz, Aslam & Robertson (2008), A new rank
correlation coefficient for information retrieval, SIGIR 2008.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from stats.bootstrap import Floats

Counts = NDArray[np.signedinteger[Any]]


def places(scores: Floats) -> Floats:
    """Return the place of each run, from 1 for the highest score; tied runs share the mean of their places.

    `scores` is (replicates, runs), and so is the answer; NaN for a run without a score, which takes no place.

    >>> places(np.array([[.5, .9, .5, np.nan]])).tolist()
    [[2.5, 1.0, 2.5, nan]]
    """
    above, tied = _above_and_tied(scores)
    return np.where(np.isnan(scores), np.nan, above + (tied + 1) / 2)


def tau_ap(scores: Floats, reference: Floats) -> Floats:
    """Return τ_AP of each row of `scores` against that of `reference`: (replicates, runs) twice gives (replicates,).

    τ_AP = 2/(n - 1) · Σ_{i ≥ 2} C(i)/(i - 1) - 1, where C(i) counts the runs above place i of `scores` that stand
    above that run in `reference` too. 1 for the same order, -1 for the reverse; not symmetric. Tied runs stand in
    random order, in both: the value is the mean over all such orders, exactly. NaN, for undefined, where a ranking
    has only ties, a score is missing (NaN), or there are fewer than two runs.

    >>> scores = np.array([[5., 4, 3, 2, 1]])  # A B C D E
    >>> swapped_top, swapped_end = np.array([[4., 5, 3, 2, 1]]), np.array([[5., 4, 3, 1, 2]])
    >>> tau_ap(swapped_top, scores).tolist(), tau_ap(swapped_end, scores).tolist()
    ([0.5], [0.875])
    """
    n_runs = scores.shape[-1]
    if n_runs < 2:
        return np.full(len(scores), np.nan)
    one, other = _runs_by_pairs(scores)
    is_above, is_tied = other > one, (other == one) & ~np.eye(n_runs, dtype=bool)
    reference_one, reference_other = _runs_by_pairs(reference)
    agrees = np.where(reference_other == reference_one, 0.5, reference_other > reference_one)
    above, tied = _above_and_tied(scores)
    of_above, of_tied = _weights(n_runs)
    kept = (agrees * is_above).sum(axis=2) * of_above[above, tied]
    kept += (agrees * is_tied).sum(axis=2) * of_tied[above, tied]
    value: Floats = 2 / (n_runs - 1) * kept.sum(axis=1) - 1
    defined = ~np.isnan(scores + reference).any(axis=1) & _varies(scores) & _varies(reference)
    return np.where(defined, value, np.nan)


def _runs_by_pairs(scores: Floats) -> tuple[Floats, Floats]:
    """The scores as (replicates, runs, 1) and (replicates, 1, runs)."""
    return scores[:, :, None], scores[:, None, :]


def _above_and_tied(scores: Floats) -> tuple[Counts, Counts]:
    """How many runs stand above each, and how many stand where it does, itself included."""
    one, other = _runs_by_pairs(scores)
    return (other > one).sum(axis=2), (other == one).sum(axis=2)


def _weights(n_runs: int) -> tuple[Floats, Floats]:
    """What a run above, and a run tied, adds to C(i)/(i - 1) on average, by `[above, tied]` of the run at place i.

    Of m tied runs below s others each takes the places s + 1 + j for j = 0 … m - 1 equally often, with j of the
    m - 1 others above it.
    """
    of_above, of_tied = np.zeros((2, n_runs + 1, n_runs + 1))
    for above in range(n_runs):
        for tied in range(1, n_runs - above + 1):
            j = np.arange(above == 0, tied)
            of_above[above, tied] = (1 / (above + j)).sum() / tied
            of_tied[above, tied] = (j / (above + j)).sum() / tied / max(tied - 1, 1)
    return of_above, of_tied


def _varies(scores: Floats) -> NDArray[np.bool_]:
    varies: NDArray[np.bool_] = np.ptp(scores, axis=1) > 0
    return varies
