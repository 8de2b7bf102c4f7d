"""The expected benefit and number of further judgements of items that did not settle.

    crowd = fit_crowd(votes, labels=("plausible", "implausible", "malformed"), pool={"4", "7"})
    expected = expected_settlement("majority", crowd, most=[1, 1, 2])
    expected.by_most[0]     # the probability that item 0 settles within its `most` further judgements

With q[k] the probability that an item is truly k (stats.aggregation.dawid_skene, fitted to the
batch) and m[k, l] the probability that somebody of the pool gives l to an item that is truly k,
their mean confusion:

    P(next is l)               = Σ_k q[k] · m[k, l]
    P(next is l1, then l2 …)   = Σ_k q[k] · m[k, l1] · m[k, l2] · …
    q after l1, l2 …           ∝ q[k] · m[k, l1] · m[k, l2] · …

Judgements are sequential: another one is asked for only while the item is unsettled, has had fewer
than `most`, and can still be settled within the rest. So, backwards over all possible sequences:

    save(given) = Σ_l  P(given, l)         if the rule settles given + l
                       save(given, l)      if it does not and a judgement is left, else 0
    asks(given) = P(given) + Σ_l asks(given, l) over the l that settle nothing,   and 0 if save(given) is 0

With K labels and at most c judgements there are K + K² + … + K^c sequences: 39 for three and three,
so all of them are enumerated, and nothing is simulated.

By rule:
- unanimous: the judgements differ, so they differ for ever; no further judgement settles such an item. Only
  one with fewer than two judgements can settle.
- majority: 1:1 settles by the third unless that has yet another label; 1:1:1 needs two more that agree with
  each other and with one of the three.
- posterior: an item stops when a given label reaches consensus.LEVEL. After a third judgement the verdict is
  that of whole confusions.

Right: q (½, ½, 0), four in five right and errors even, votes 1:1:0, majority, one more: .9. Wrong:
.8, the probability that the third is right; it also settles the item by the same error.

Assumptions: the model holds, people err independently, and each further person is as the mean of
the pool (they are drawn with replacement, and nobody knows who comes). The fit stays as it is while
judgements are added, though each of them would change it a little.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from stats.aggregation import consensus
from stats.aggregation.dawid_skene import (
    DEFAULT_PRIOR,
    Fit,
    Floats,
    Ints,
    dawid_skene,
    one_coin,
)
from stats.aggregation.posteriors import (
    CONFUSIONS,
    DECIMALS,
    LEAST_FOR_CONFUSIONS,
    ONE_COIN,
    CodedVotes,
    code_votes,
)

Item = TypeVar("Item")
Bools = NDArray[np.bool_]

# More would be a second campaign, and 3^4 things to say for nothing that anybody plans by.
MOST_EXTRA = 3
POSTERIOR = "posterior"
NO_JUDGEMENTS = "there are no counted judgements: people are supposed right four times in five"
NOBODY_FITTED = (
    "nobody who may be asked has judged here: they are taken as the mean of those who have"
)


@dataclass(frozen=True, eq=False)
class Crowd:
    """The fitted model before further judgements. Rows are items, in the order of the votes.

    counts       (n_items, n_labels): how often each label was given
    posterior    (n_items, n_labels): the probability of each label, each row sums to 1
    confusion    (n_labels, n_labels): true label, given label, of a random member of the pool
    model        "confusions", "one_coin", or "" if nothing was judged
    cautions     sentences that say why these numbers are weaker than they look
    """

    labels: tuple[str, ...]
    counts: Ints
    posterior: Floats
    confusion: Floats
    model: str
    cautions: tuple[str, ...]

    def of_rows(self, rows: Sequence[int]) -> "Crowd":
        """Return the crowd for some of the items."""
        index = np.asarray(rows, dtype=np.int64)
        return Crowd(
            self.labels,
            self.counts[index],
            self.posterior[index],
            self.confusion,
            self.model,
            self.cautions,
        )


@dataclass(frozen=True, eq=False)
class ExpectedSettlement:
    """The expectation for each item, (n_items,).

    by_next      the probability that one more judgement settles it; 0 if none is allowed
    by_most      the probability that it settles within `most` judgements
    n_asked      the mean number of judgements, which end when it settles
    """

    by_next: Floats
    by_most: Floats
    n_asked: Floats


def fit_crowd(
    votes: Mapping[Item, Mapping[str, str]], labels: Collection[str], pool: Collection[str]
) -> Crowd:
    """Fit the model to all counted judgements; `pool` are the annotators who can still be asked.

    Whole confusions if any item has three judgements, else one accuracy an annotator. The pool's
    mean gives every member who has judged the same weight; if nobody has, it is the mean of all who
    have. Degenerate: without judgements every label is equally likely, and people err as in the
    prior.
    """
    found = code_votes(votes, labels)
    if not len(found.judgements.task):
        return _unjudged(found)
    by_confusions = any(len(by) >= LEAST_FOR_CONFUSIONS for by in votes.values())
    fit = (dawid_skene if by_confusions else one_coin)(found.judgements)
    members = [number for number, name in enumerate(found.annotators) if name in pool]
    cautions = fit.not_identified if members else (*fit.not_identified, NOBODY_FITTED)
    return Crowd(
        labels=found.labels,
        counts=_counts(found),
        posterior=fit.posterior,
        confusion=_mean(fit, members),
        model=CONFUSIONS if by_confusions else ONE_COIN,
        cautions=cautions,
    )


def _mean(fit: Fit, members: Sequence[int]) -> Floats:
    mean: Floats = (fit.confusion[members] if members else fit.confusion).mean(axis=0)
    return mean


def _counts(votes: CodedVotes) -> Ints:
    judgements = votes.judgements
    counts = np.zeros((judgements.n_items, judgements.n_labels), dtype=np.int64)
    np.add.at(counts, (judgements.task, judgements.label), 1)
    return counts


def _unjudged(votes: CodedVotes) -> Crowd:
    n_items, n_labels = votes.judgements.n_items, votes.judgements.n_labels
    right = DEFAULT_PRIOR.right / (DEFAULT_PRIOR.right + DEFAULT_PRIOR.wrong)
    same = np.eye(n_labels)
    error = (1 - right) / max(n_labels - 1, 1)
    return Crowd(
        labels=votes.labels,
        counts=np.zeros((n_items, n_labels), dtype=np.int64),
        posterior=np.full((n_items, n_labels), 1 / n_labels),
        confusion=right * same + error * (1 - same) if n_labels > 1 else same,
        model="",
        cautions=(NO_JUDGEMENTS,),
    )


def expected_settlement(rule: str, crowd: Crowd, most: Sequence[int]) -> ExpectedSettlement:
    """Return the expected benefit for items that are unsettled under the rule.

    `rule` is a name in consensus.RULES, `most` the number of further judgements allowed for each
    item, 0 to 3. Degenerate: with 0 nothing is asked and nothing settled; an item that nothing can
    settle within its `most` is not asked either, so that its n_asked is 0.
    """
    left = np.asarray(most, dtype=np.int64)
    if len(left) and not 0 <= left.min() <= left.max() <= MOST_EXTRA:
        raise ValueError(f"an item is asked 0 to {MOST_EXTRA} times more, not {most}")
    deciding = _RuleTable(rule, crowd)
    by_next, _ = _settlement(deciding, crowd, np.minimum(left, 1))
    by_most, n_asked = _settlement(deciding, crowd, left)
    return ExpectedSettlement(by_next, by_most, n_asked)


def _settlement(deciding: "_RuleTable", crowd: Crowd, left: Ints) -> tuple[Floats, Floats]:
    none = np.zeros(crowd.counts.shape[1], dtype=np.int64)
    return _settlement_from(deciding, crowd, none, crowd.posterior, left)


def _settlement_from(
    deciding: "_RuleTable", crowd: Crowd, added: Ints, joint: Floats, left: Ints
) -> tuple[Floats, Floats]:
    """Return by_most and n_asked after `said` (n_labels,) was added to each item's votes.

    joint[i, k] is the probability of these judgements together with k.
    """
    saved = n_asked = np.zeros(len(joint))
    if not len(left) or not left.max():
        return saved, n_asked
    for label, chances in enumerate(crowd.confusion.T):
        further, one_more = joint * chances, added.copy()
        one_more[label] += 1
        settles = deciding.settles(one_more, further)
        later, more = _settlement_from(deciding, crowd, one_more, further, np.maximum(left - 1, 0))
        saved = saved + np.where(settles, further.sum(axis=1), later)
        n_asked = n_asked + np.where(settles, 0.0, more)
    is_asked = (left > 0) & (saved > 0)
    return np.where(is_asked, saved, 0.0), np.where(is_asked, joint.sum(axis=1) + n_asked, 0.0)


class _RuleTable:
    """A rule, evaluated for many items at once.

    Rules of votes alone are evaluated once for each count.
    """

    def __init__(self, rule: str, crowd: Crowd) -> None:
        self.rule, self.crowd = rule, crowd
        self.distinct, of_item = np.unique(crowd.counts, axis=0, return_inverse=True)
        self.of_item = of_item.reshape(-1)

    def settles(self, added: Ints, joint: Floats) -> Bools:
        if self.rule == POSTERIOR:
            return by_posterior(self.crowd.counts + added, joint)
        settled: Bools = np.array(self._by_votes(self.distinct + added), dtype=np.bool_)
        return settled[self.of_item]

    def _by_votes(self, counts: Ints) -> list[bool]:
        votes = {number: self._said(row) for number, row in enumerate(counts.tolist())}
        outcomes = consensus.RULES[self.rule](votes, labels=self.crowd.labels)
        return [outcomes[number].label is not None for number in votes]

    def _said(self, row: Sequence[int]) -> dict[str, str]:
        labels = [name for name, n in zip(self.crowd.labels, row, strict=True) for _ in range(n)]
        return {str(number): label for number, label in enumerate(labels)}


def by_posterior(counts: Ints, joint: Floats) -> Bools:
    """Return whether consensus.posterior settles items of these votes.

    That takes at least two votes, not one against one, and a given label at LEVEL. Each row of
    `joint` is the item's posterior up to a factor.
    """
    totals = joint.sum(axis=1, keepdims=True)
    likely = np.round(
        np.divide(joint, totals, out=np.zeros_like(joint), where=totals > 0), DECIMALS
    )
    best, n = likely.argmax(axis=1), counts.sum(axis=1)
    rows = np.arange(len(counts))
    one_against_one = (n == consensus.LEAST_JUDGEMENTS) & (counts.max(axis=1, initial=0) == 1)
    settled: Bools = (
        (n >= consensus.LEAST_JUDGEMENTS)
        & ~one_against_one
        & (likely[rows, best] >= consensus.LEVEL)
        & (counts[rows, best] > 0)
    )
    return settled
