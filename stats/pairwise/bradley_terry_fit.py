"""Strengths of runs from preferences: Bradley-Terry and Davidson.

With π the strengths, positive, and θ >= 0 how likely ties are,

    P(i preferred to j) = π_i / D,   P(tie) = θ·√(π_i·π_j) / D,   D = π_i + π_j + θ·√(π_i·π_j)

    half       θ = 0, and a tie is half a win for each (Bradley and Terry 1952, Biometrika 39:324-345)
    davidson   θ is estimated too (Davidson 1970, J. American Statistical Association 65:317-328)

They are found by minorisation and maximisation (Hunter 2004, Annals of Statistics 32:384-406): with
n[i, j] the comparisons of i and j, c_i the wins of i and half its ties, T all ties, all strengths 1
at first, each step sets

    π_i ← c_i / Σ_j n[i, j]·(1 + θ/2·√(π_j/π_i)) / D        then  θ ← T / Σ_{i<j} n[i, j]·√(π_i·π_j) / D

and divides π by its geometric mean; no step lowers the likelihood. It ends when no log π and no θ
moves by more than 1e-10 (θ: of 1 + θ); after a hundred thousand steps it raises NotConvergedError.
The fit then expects exactly the observed c and T.
"""

from dataclasses import dataclass

import numpy as np

from stats.agreement.judgement_table import Floats
from stats.agreement.result import ratio
from stats.pairwise.identifiability import Model, is_identified

CLOSE = 1e-10
MOST_STEPS = 100_000


class NotConvergedError(ArithmeticError):
    """A best fit exists and was not reached."""


@dataclass(frozen=True)
class Fit:
    """The fit of each of R tables; NaN without a best fit.

    `strengths` (R, K) are log π, with a mean of 0; `expected` (R, K) a run's mean wins against each
    of the others, a tie as half; `tie` (R,) is θ.
    """

    strengths: Floats
    expected: Floats
    tie: Floats


def best_fit(wins: Floats, ties: Floats, model: Model) -> Fit:
    """Fit tables as in `stats.pairwise.identifiability`, for two runs or more."""
    n_tables, n_runs, _ = wins.shape
    strengths = np.full((n_tables, n_runs), np.nan)
    tie = np.full(n_tables, np.nan)
    known = is_identified(wins, ties, model)
    strengths[known], tie[known] = _maximum(wins[known], ties[known], model)
    return Fit(strengths, _expected(strengths, tie), tie)


def _maximum(wins: Floats, ties: Floats, model: Model) -> tuple[Floats, Floats]:
    n = wins + wins.swapaxes(1, 2) + ties
    credit = wins.sum(axis=2) + ties.sum(axis=2) / 2
    n_ties = ties.sum(axis=(1, 2)) / 2
    scores, tie = np.zeros(credit.shape), np.zeros(len(credit))
    if model == "davidson":
        tie = n_ties / n.sum(axis=(1, 2))
    left = np.arange(len(credit))  # those that still move
    for _ in range(MOST_STEPS):
        if not len(left):
            return scores, tie
        old, ties_as = scores[left], tie[left]
        some, about = n[left], ties_as[:, None, None] / 2
        # π_j / π_i and √ of it, which is all that a step takes
        root = np.exp((old[:, None, :] - old[:, :, None]) / 2)
        expected_wins = some * (1 + about * root) / (1 + root**2 + 2 * about * root)
        new = old + np.log(credit[left] / expected_wins.sum(axis=2))
        new -= new.mean(axis=1, keepdims=True)
        moved = np.abs(new - old).max(axis=1)
        if model == "davidson":
            root = np.exp((new[:, None, :] - new[:, :, None]) / 2)
            shares = some * root / (1 + root**2 + 2 * about * root)
            tie[left] = n_ties[left] / (shares.sum(axis=(1, 2)) / 2)
            moved = np.maximum(moved, np.abs(tie[left] - ties_as) / (1 + ties_as))
        scores[left] = new
        left = left[moved > CLOSE]
    raise NotConvergedError(
        f"{len(left)} of {len(scores)} fits still move after {MOST_STEPS} steps"
    )


def _expected(strengths: Floats, tie: Floats) -> Floats:
    n_runs = strengths.shape[1]
    root = np.exp((strengths[:, None, :] - strengths[:, :, None]) / 2)
    tied = tie[:, None, None] * root
    wins = (1 + tied / 2) / (1 + root**2 + tied)
    # Against itself it would be a half.
    return ratio(wins.sum(axis=2) - 0.5, np.full(strengths.shape, n_runs - 1.0))
