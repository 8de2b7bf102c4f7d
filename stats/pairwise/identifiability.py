"""Checks whether comparisons determine the strengths of runs, and which groups they do not link.

`wins` and `ties` are (R, K, K): in each of R tables wins[i, j] is how often i was preferred to j,
ties[i, j] = ties[j, i] how often neither was. A tie counts for both.

Bradley-Terry has one best fit exactly if each run leads to each other along steps "preferred to, or
tied with" (Ford 1957, American Mathematical Monthly 64(8):28-33). Otherwise there is a group that
always wins against the rest, and its strength would be infinite, or two groups were never compared.

Davidson's model has one more parameter, θ, for how likely ties are. With no tie at all it is
Bradley-Terry with θ = 0. With ties it may fit ever better as strengths drift apart while θ grows
without bound: with log-strengths c·d and log θ = c/2, c → ∞, no probability of a result falls if
d_i - d_j >= 1 for each win of i over j and |d_i - d_j| <= 1 for each tie. Such d exist exactly if
no closed walk along wins (winner to loser, -1 each) and ties (either way, +1 each) has a sum below
0 (a system of difference constraints); then there is no best fit. Right: 5 wins, 2 ties, no loss:
none. 5 wins, 2 ties, 1 loss: there is one.
"""

from collections.abc import Sequence
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from stats.agreement.judgement_table import Floats

Model = Literal["half", "davidson"]
Bools = NDArray[np.bool_]

NO_BEST_FIT = "by Davidson's model they fit ever better as ties grow likelier: nobody both won and lost enough"


def is_identified(wins: Floats, ties: Floats, model: Model) -> Bools:
    """Return for each of the R tables whether it has exactly one best fit."""
    found = np.asarray(reachable(wins, ties).all(axis=(1, 2)))
    if model == "half":
        return found
    return found & (_has_falling_walk(wins, ties) | ~(ties > 0).any(axis=(1, 2)))


def reachable(wins: Floats, ties: Floats) -> Bools:
    """Return (R, K, K): whether a chain of wins and ties leads from i to j.

    True on the diagonal.
    """
    n_runs = wins.shape[1]
    leads: Bools = (wins > 0) | (ties > 0) | np.eye(n_runs, dtype=bool)
    for via in range(n_runs):
        leads |= leads[:, :, via, None] & leads[:, None, via, :]
    return leads


def groups(leads: Bools, runs: Sequence[str]) -> list[list[str]]:
    """Group the runs of one table that reach each other.

    The group that reaches most comes first.
    """
    both = leads & leads.T
    found = {tuple(np.flatnonzero(row).tolist()) for row in both}
    ordered = sorted(found, key=lambda group: (-int(leads[group[0]].sum()), group))
    return [[runs[place] for place in group] for group in ordered]


def why_not_identified(wins: Floats, ties: Floats, runs: Sequence[str]) -> str:
    """Return the reason why one table (K, K) has no best fit."""
    met = wins + wins.T
    parts = groups(reachable(met[None], ties[None])[0], runs)
    if len(parts) > 1:
        rest = [run for part in parts[1:] for run in part]
        return f"no comparison links {_and(parts[0])} with {_and(rest)}"
    leads = reachable(wins[None], ties[None])[0]
    found = groups(leads, runs)
    if len(found) == 1:
        return NO_BEST_FIT
    if len(found[0]) > 1 and len(found[-1]) == 1:
        return f"{found[-1][0]} never wins, nor ties"
    # Those that no other group leads to: some of one group, where several were not compared.
    unbeaten = [group for group in found if int(leads[:, runs.index(group[0])].sum()) == len(group)]
    return "; ".join(f"nobody else ever beat {_or(group)}, or tied" for group in unbeaten)


def _has_falling_walk(wins: Floats, ties: Floats) -> Bools:
    """Return whether a closed walk has a negative sum, by Floyd and Warshall's shortest walks."""
    n_runs = wins.shape[1]
    far = np.where(wins > 0, -1.0, np.where(ties > 0, 1.0, np.inf))
    for via in range(n_runs):
        # A sum that low is one that falls; held there, it cannot grow beyond numbers.
        step = (far[:, :, via, None] + far[:, None, via, :]).clip(min=-2.0 * n_runs)
        far = np.minimum(far, step)
    return np.asarray((np.diagonal(far, axis1=1, axis2=2) < 0).any(axis=1))


def _or(names: Sequence[str]) -> str:
    return " or ".join(names)


def _and(names: Sequence[str]) -> str:
    *some, last = names
    return f"{', '.join(some)} and {last}" if some else last
