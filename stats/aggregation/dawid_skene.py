"""Dawid and Skene's model: annotators' confusions and items' labels, estimated together by EM.

A. P. Dawid and A. M. Skene, Maximum Likelihood Estimation of Observer Error-Rates Using the EM
Algorithm, Applied Statistics 28 (1979), 20-28. With N items, W workers and K labels:

    p[k]         share of the items whose label is truly k
    c[w, k, l]   probability that worker w gives l to an item that is truly k; each c[w, k] sums to 1
    q[i, k]      probability that item i is truly k, given its judgements

    start   q[i, k] = the share of the judgements of i with label k
    M       p[k] = (s + Σ_i q[i, k]) / (K·s + N);  c[w, k, l] = (a[k, l] + n) / (Σ_l' a[k, l'] + n')
            with n = Σ q[i, k] over the judgements of w with label l, and n' over all of w
    E       q[i, k] ∝ p[k] · Π c[w, k, l] over the judgements (w, l) of i, in logarithms

The one-coin model has one accuracy a worker, r[w]: c[w, k, k] = r[w], every error (1 - r[w]) / (K -
1).

Input is integers from 0, output arrays. The order of rows, items and workers changes nothing; that
of items and rows not even by rounding.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

# The gain in log-likelihood for each judgement that is not worth another iteration.
TOLERANCE = 1e-8
MOST_ITERATIONS = 1_000
# Without a prior a share may be 0. So little instead keeps logarithms finite (crowd-kit does the same).
FLOOR = 1e-10

NOTHING = "there are no judgements"
ONE_LABEL = "only one label was given: error rates cannot be estimated"
ONE_WORKER = "only one annotator: there is nobody to compare with"
NO_OVERLAP = "no item was judged by two workers"
TWO_WORKERS = "only two annotators: their accuracies cannot be estimated separately"
NO_THREE = "no item was judged by three workers: a whole confusion matrix asks for that"


@dataclass(frozen=True, slots=True)
class Prior:
    """The prior, in judgements (in items, for `share`).

    right   the number of items of each label that each worker judged correctly,
    wrong   and incorrectly, spread evenly over the other labels
    share   the number of items of each label

    These are added to the counts of the M step: the estimate is the mode of the posterior under
    Dirichlet priors with parameters one larger. All 0 is maximum likelihood.

    By default a worker is right four times in five, with the weight of five judgements: a worker
    with three malformed items is still close to the prior, one with fifty is determined by their
    own judgements. The prior also keeps labels from exchanging names. One item a label is Laplace's
    rule.
    """

    right: float = 4.0
    wrong: float = 1.0
    share: float = 1.0


MAXIMUM_LIKELIHOOD = Prior(right=0.0, wrong=0.0, share=0.0)
DEFAULT_PRIOR = Prior()


@dataclass(frozen=True, eq=False)
class Fit:
    """The result of EM.

    posterior         (n_items, n_labels), each row sums to 1; without judgements it is the shares
    confusion         (n_workers, n_labels, n_labels): worker, true label, given label
    shares            (n_labels,)
    log_likelihoods   before each M step, with the logarithm of the prior's density (up to a constant);
                      without a prior that of the judgements. Never decreases
    n_iterations      E steps
    converged         whether the last gain was below the tolerance
    not_identified    why the judgements alone do not determine the confusions; then the prior does
    """

    posterior: Floats
    confusion: Floats
    shares: Floats
    log_likelihoods: tuple[float, ...]
    n_iterations: int
    converged: bool
    not_identified: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class Judgements:
    """One entry a judgement, in each of three arrays. A worker may judge an item several times.

    Right: task [0, 0, 1], worker [0, 1, 1], label [2, 2, 0]. Wrong: a label of -1 for a missing
    one.
    """

    task: Ints
    worker: Ints
    label: Ints
    n_items: int
    n_workers: int
    n_labels: int

    def __post_init__(self) -> None:
        if not len(self.task) == len(self.worker) == len(self.label):
            raise ValueError("task, worker and label differ in length")
        for codes, n in (
            (self.task, self.n_items),
            (self.worker, self.n_workers),
            (self.label, self.n_labels),
        ):
            if len(codes) and not (codes.min() >= 0 and codes.max() < n):
                raise ValueError(f"a number is not from 0 to {n - 1}")


@dataclass(frozen=True, eq=False)
class _Patterns:
    """Distinct patterns of judgements, shared by items with the same ones.

    codes    (n_patterns, most judgements of an item): worker · n_labels + label, ascending,
             then fillers
    filler   the code of no judgement
    weights  (n_patterns,), the number of items; 0 for the pattern without judgements
    of_item  (n_items,), the pattern of each item
    """

    codes: Ints
    filler: int
    weights: Floats
    of_item: Ints


def dawid_skene(
    judgements: Judgements,
    *,
    prior: Prior = DEFAULT_PRIOR,
    tolerance: float = TOLERANCE,
    most_iterations: int = MOST_ITERATIONS,
) -> Fit:
    """Fit a whole confusion matrix for each worker; this takes items with three judgements."""

    def confusion(counts: Floats) -> Floats:
        # What a worker never says has no part in any likelihood, and gets what the prior gives it.
        used = counts.sum(axis=1, keepdims=True) > 0
        held = np.where(used, np.maximum(counts, FLOOR), 0.0) + _pseudo_counts(
            judgements.n_labels, prior
        )
        return _row_shares(held)

    reasons = _why_not_identified(judgements, least=3, too_few=NO_THREE)
    return _em(judgements, confusion, prior, tolerance, most_iterations, reasons)


def one_coin(
    judgements: Judgements,
    *,
    prior: Prior = DEFAULT_PRIOR,
    tolerance: float = TOLERANCE,
    most_iterations: int = MOST_ITERATIONS,
) -> Fit:
    """Fit one accuracy for each worker, whatever the label.

    Errors are spread evenly over the others.

    The prior's `right` and `wrong` are for all labels together here.
    """
    n_labels = judgements.n_labels

    def confusion(counts: Floats) -> Floats:
        if n_labels == 1:
            return np.ones_like(counts)
        right = np.einsum("wkk->w", counts) + prior.right
        n = counts.sum(axis=(1, 2)) + prior.right + prior.wrong
        rate = np.divide(right, n, out=np.full(len(n), 1 / n_labels), where=n > 0)[:, None, None]
        same = np.eye(n_labels)
        error = (1 - rate) / (n_labels - 1)
        held: Floats = np.clip(rate * same + error * (1 - same), FLOOR, 1 - FLOOR)
        return held

    reasons = _why_not_identified(judgements, least=2, too_few=NO_OVERLAP)
    if judgements.n_workers and len(np.unique(judgements.worker)) == 2:
        reasons = (*reasons, TWO_WORKERS)
    return _em(judgements, confusion, prior, tolerance, most_iterations, reasons, one_coin=True)


def _pseudo_counts(n_labels: int, prior: Prior) -> Floats:
    """Return the prior's addition to the counts of true label (row) and given label (column)."""
    same = np.eye(n_labels)
    pseudo: Floats = prior.right * same + _spread(prior, n_labels) * (1 - same)
    return pseudo


def _spread(prior: Prior, n_labels: int) -> float:
    return prior.wrong / max(n_labels - 1, 1)


def _row_shares(rows: Floats) -> Floats:
    """Divide each row by its sum; a row of zeros becomes even."""
    totals = rows.sum(axis=-1, keepdims=True)
    even = np.full_like(rows, 1 / rows.shape[-1])
    normalised: Floats = np.divide(rows, totals, out=even, where=totals > 0)
    return normalised


def _em(
    judgements: Judgements,
    confusion_of: Callable[[Floats], Floats],
    prior: Prior,
    tolerance: float,
    most_iterations: int,
    reasons: tuple[str, ...],
    *,
    one_coin: bool = False,
) -> Fit:
    patterns, shape = _patterns(judgements), (judgements.n_workers, judgements.n_labels)

    def maximised(q: Floats) -> tuple[Floats, Floats]:
        weighted = q * patterns.weights[:, None]
        shares = _row_shares(weighted.sum(axis=0) + prior.share)
        return np.maximum(shares, FLOOR), confusion_of(_counts(patterns.codes, weighted, shape))

    shares, confusion = maximised(_vote_shares(patterns, judgements.n_labels))
    q, gains, converged = np.empty((0, shape[1])), list[float](), False
    for _ in range(max(most_iterations, 1)):
        q, log_likelihood = _e_step(patterns, shares, confusion)
        gains.append(log_likelihood + _log_prior(shares, confusion, prior, one_coin=one_coin))
        shares, confusion = maximised(q)
        if len(gains) > 1 and gains[-1] - gains[-2] < tolerance * max(len(judgements.task), 1):
            converged = True
            break
    unsaid = patterns.weights == 0
    q[unsaid] = shares / shares.sum()
    return Fit(
        posterior=q[patterns.of_item],
        confusion=confusion,
        shares=shares,
        log_likelihoods=tuple(gains),
        n_iterations=len(gains),
        converged=converged,
        not_identified=reasons,
    )


def _patterns(judgements: Judgements) -> _Patterns:
    codes = judgements.worker * judgements.n_labels + judgements.label
    order = np.lexsort((codes, judgements.task))
    task, codes = judgements.task[order], codes[order]
    sizes = np.bincount(task, minlength=judgements.n_items)
    first = np.cumsum(sizes) - sizes
    filler = judgements.n_workers * judgements.n_labels
    table = np.full((judgements.n_items, int(sizes.max(initial=0))), filler, np.int64)
    table[task, np.arange(len(task)) - first[task]] = codes
    distinct, of_item, weights = np.unique(table, axis=0, return_inverse=True, return_counts=True)
    is_said = (distinct != filler).any(axis=1)
    return _Patterns(distinct, filler, weights * is_said, of_item.reshape(-1))


def _vote_shares(patterns: _Patterns, n_labels: int) -> Floats:
    codes = patterns.codes
    said = [
        ((codes % n_labels == label) & (codes != patterns.filler)).sum(axis=1)
        for label in range(n_labels)
    ]
    return _row_shares(np.stack(said, axis=1).astype(np.float64))


def _counts(codes: Ints, weighted: Floats, shape: tuple[int, int]) -> Floats:
    """Return expected counts of judgements by worker, true label and given label."""
    n_workers, n_labels = shape
    flat, width = codes.reshape(-1), codes.shape[1]
    counts = np.empty((n_workers, n_labels, n_labels))
    for true in range(n_labels):
        said = np.bincount(flat, np.repeat(weighted[:, true], width), n_workers * n_labels + 1)
        counts[:, true] = said[:-1].reshape(n_workers, n_labels)
    return counts


def _e_step(patterns: _Patterns, shares: Floats, confusion: Floats) -> tuple[Floats, float]:
    """Return the posterior of each pattern and the log-likelihood of all judgements."""
    n_labels = len(shares)
    logs = np.log(confusion, out=np.zeros_like(confusion), where=confusion > 0)
    of_code = np.vstack([logs.transpose(0, 2, 1).reshape(-1, n_labels), np.zeros((1, n_labels))])
    joint = np.log(shares) + of_code[patterns.codes].sum(axis=1)
    highest = joint.max(axis=1, keepdims=True)
    scaled = np.exp(joint - highest)
    totals = scaled.sum(axis=1, keepdims=True)
    each = (np.log(totals) + highest)[:, 0]
    return scaled / totals, float(patterns.weights @ each)


def _log_prior(shares: Floats, confusion: Floats, prior: Prior, *, one_coin: bool) -> float:
    n_labels = len(shares)
    same = np.eye(n_labels, dtype=bool)
    # One accuracy a worker is one thing to believe, not one for each label.
    rows = confusion[:, :1] if one_coin else confusion
    same = same[:1] if one_coin else same
    found = 0.0
    for weight, values in (
        (prior.share, shares),
        (prior.right, rows[:, same]),
        (_spread(prior, n_labels), rows[:, ~same]),
    ):
        if weight:
            found += weight * float(np.log(values).sum())
    return found


def _why_not_identified(judgements: Judgements, *, least: int, too_few: str) -> tuple[str, ...]:
    if not len(judgements.task):
        return (NOTHING,)
    reasons = []
    if len(np.unique(judgements.label)) == 1:
        reasons.append(ONE_LABEL)
    pairs = np.unique(judgements.task * judgements.n_workers + judgements.worker)
    most = int(np.bincount(pairs // judgements.n_workers).max())
    if len(np.unique(judgements.worker)) == 1:
        reasons.append(ONE_WORKER)
    elif most == 1:
        reasons.append(NO_OVERLAP)
    elif most < least:
        reasons.append(too_few)
    return tuple(reasons)
