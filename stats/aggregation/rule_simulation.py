"""The outcomes of a batch under each consensus rule, and the share of wrong ones in a simulation.

The settled items are counted on the actual judgements. The share of wrong labels cannot be known
without the truth, so it is simulated: Dawid and Skene's model is fitted to the batch (whole
confusions if an item has three judgements, else one accuracy an annotator), then new truths and new
judgements are drawn from it, by the same people of the same items, and every rule settles them.

This assumes that the model holds: annotators err independently of each other, as estimated, and all
items of a label are equally hard. If one text misleads everybody, all rules are wrong more often
than in the simulation; the comparison between rules is still valid.
"""

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from math import sqrt
from typing import TypeVar

import numpy as np

from stats.aggregation import consensus
from stats.aggregation.dawid_skene import Fit, Ints, dawid_skene, one_coin
from stats.aggregation.posteriors import (
    CONFUSIONS,
    LEAST_FOR_CONFUSIONS,
    ONE_COIN,
    CodedVotes,
    code_votes,
)
from stats.aggregation.simulated_crowd import Crowd, Design, simulate
from stats.proportion_intervals import Z, wilson

Item = TypeVar("Item")
Votes = Mapping[Item, Mapping[str, str]]

# So many items are settled in all by each rule: enough for a small batch, and a large one needs fewer turns.
SIMULATED_ITEMS = 100_000
FEWEST_REPLICATES, MOST_REPLICATES = 20, 200

NOTHING_SETTLED = "nothing was settled in the simulation"


@dataclass(frozen=True, slots=True)
class RuleResult:
    """The number of items that a rule settles, and changes (see `rule_results`)."""

    rule: str
    n_settled: int
    n_disputed: int
    n_too_few: int
    n_other_label: int
    n_newly_settled: int
    n_no_longer_settled: int


@dataclass(frozen=True, slots=True)
class SimulatedShares:
    """The share settled of all items, and the share wrong of those settled, over all replicates.

    `low` and `high` are the 95 % interval of that share in infinitely many replicates: not the
    uncertainty of the model.
    """

    rule: str
    n_replicates: int
    settled_share: float
    wrong_share: float | None
    low: float | None
    high: float | None
    reason: str | None


@dataclass(frozen=True, slots=True)
class Comparison:
    """The comparison of all rules.

    `shares` are the fit's, by label; `accuracies` how often each annotator is right, ascending.
    """

    n_items: int
    n_judgements: int
    n_annotators: int
    model: str
    converged: bool
    not_identified: tuple[str, ...]
    shares: dict[str, float]
    accuracies: tuple[float, ...]
    seed: int
    made: tuple[RuleResult, ...]
    simulated: tuple[SimulatedShares, ...]


def compare(
    votes: Votes[Item],
    *,
    labels: tuple[str, ...],
    current: Mapping[Item, str],
    fixed: Collection[Item] = (),
    seed: int = 0,
    replicates: int | None = None,
    beat: Callable[[], None] = lambda: None,
) -> Comparison:
    """Compare all rules on these votes.

    `current` has the label of each item that has one now; `fixed` are the items whose outcome no
    rule changes. `beat` is called between replicates.
    """
    found = code_votes(votes, labels)
    by_confusions = any(len(by) >= LEAST_FOR_CONFUSIONS for by in votes.values())
    fit = (dawid_skene if by_confusions else one_coin)(found.judgements)
    n = replicates or number_of_replicates(len(votes))
    of_worker = np.einsum("k,wkk->w", fit.shares, fit.confusion)
    return Comparison(
        n_items=len(votes),
        n_judgements=len(found.judgements.task),
        n_annotators=len(found.annotators),
        model=CONFUSIONS if by_confusions else ONE_COIN,
        converged=fit.converged,
        not_identified=fit.not_identified,
        shares=dict(zip(found.labels, fit.shares.tolist(), strict=True)),
        accuracies=tuple(sorted(of_worker.tolist())),
        seed=seed,
        made=tuple(rule_results(name, votes, labels, current, fixed) for name in consensus.RULES),
        simulated=_simulated_shares(found, fit, seed, n, beat)
        if len(found.judgements.task)
        else (),
    )


def number_of_replicates(n_items: int) -> int:
    wanted = SIMULATED_ITEMS // max(n_items, 1)
    return min(max(wanted, FEWEST_REPLICATES), MOST_REPLICATES)


def rule_results(
    rule: str,
    votes: Votes[Item],
    labels: tuple[str, ...],
    current: Mapping[Item, str],
    fixed: Collection[Item] = (),
) -> RuleResult:
    """Compare a rule's outcomes with the current ones.

    `n_other_label` items have a label now and would have another, `n_newly_settled` have none now,
    `n_no_longer_settled` have one now and would have none. `fixed` items are in none of these,
    because the rule does not change them.
    """
    outcomes = consensus.RULES[rule](votes, labels=labels)
    changeable = [item for item in outcomes if item not in fixed]
    pairs = [(current.get(item), outcomes[item].label) for item in changeable]
    too_few = [outcome.reason == consensus.TOO_FEW for outcome in outcomes.values()]
    n_settled = sum(outcome.label is not None for outcome in outcomes.values())
    return RuleResult(
        rule=rule,
        n_settled=n_settled,
        n_disputed=len(outcomes) - n_settled - sum(too_few),
        n_too_few=sum(too_few),
        n_other_label=sum(None not in pair and pair[0] != pair[1] for pair in pairs),
        n_newly_settled=sum(now is None and then is not None for now, then in pairs),
        n_no_longer_settled=sum(now is not None and then is None for now, then in pairs),
    )


def _simulated_shares(
    found: CodedVotes, fit: Fit, seed: int, replicates: int, beat: Callable[[], None]
) -> tuple[SimulatedShares, ...]:
    counts: dict[str, list[tuple[int, int]]] = {name: [] for name in consensus.RULES}
    for votes, truth in _replicates(found, fit, seed, replicates):
        for name, rule in consensus.RULES.items():
            counts[name].append(_settled_and_wrong(rule(votes, labels=found.labels), truth))
        beat()
    n_items = found.judgements.n_items
    return tuple(
        simulated_shares(name, np.array(counts_of_rule), n_items)
        for name, counts_of_rule in counts.items()
    )


def _replicates(
    found: CodedVotes, fit: Fit, seed: int, replicates: int
) -> Iterator[tuple[dict[int, dict[str, str]], list[str]]]:
    judgements = found.judgements
    crowd = Crowd(fit.shares, fit.confusion, kinds=())
    design = Design(judgements.task, judgements.worker, np.arange(judgements.n_items))
    tasks = judgements.task.tolist()
    annotators = [found.annotators[worker] for worker in judgements.worker.tolist()]
    for rng in np.random.default_rng(seed).spawn(replicates):
        drawn = simulate(rng, crowd, design)
        votes: dict[int, dict[str, str]] = {item: {} for item in range(judgements.n_items)}
        for task, annotator, label in zip(tasks, annotators, drawn.label.tolist(), strict=True):
            votes[task][annotator] = found.labels[label]
        yield votes, [found.labels[label] for label in drawn.truth.tolist()]


def _settled_and_wrong(
    outcomes: Mapping[int, consensus.Outcome], truth: list[str]
) -> tuple[int, int]:
    settled = [item for item, outcome in outcomes.items() if outcome.label is not None]
    return len(settled), sum(outcomes[item].label != truth[item] for item in settled)


def simulated_shares(rule: str, counts: Ints, n_items: int) -> SimulatedShares:
    """Return the shares from (settled, wrong) of each replicate, at least two: R = W / S.

    R is the ratio of the sums. Its interval is R ± 1.96 · √(Σ (w - R·s)² / (n(n - 1))) / mean(s),
    the ratio estimator's (Cochran 1977, 6.4); if nothing at all was wrong, Wilson's upper limit for
    0 of S. Wrong: the mean of the replicates' shares, in which a replicate that settled little has
    too great a weight.
    """
    n, (settled, wrong) = len(counts), counts.sum(axis=0).tolist()
    share = settled / (n * n_items)
    if not settled:
        return SimulatedShares(rule, n, share, None, None, None, NOTHING_SETTLED)
    ratio = wrong / settled
    if not wrong:
        return SimulatedShares(rule, n, share, 0.0, 0.0, wilson(0, settled).high, None)
    residuals = counts[:, 1] - ratio * counts[:, 0]
    half = Z * sqrt(float(residuals @ residuals) / (n * (n - 1))) * n / settled
    return SimulatedShares(
        rule, n, share, ratio, max(ratio - half, 0.0), min(ratio + half, 1.0), None
    )
