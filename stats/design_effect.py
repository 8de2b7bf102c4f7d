"""The number of independent items that the items of a few questions are worth.

Items of one question are alike, so n of them are worth fewer independent ones: n / deff, with
Kish's design effect (Kish 1965) deff = 1 + (m - 1) icc, m = sum of squared group sizes / n, and icc
the intra-class correlation by analysis of variance (Donner and Koval 1980). An icc below 0 counts
as 0.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Group:
    """The number of items of one question, and of those with the outcome in question."""

    n: int
    n_accepted: int


def intraclass_correlation(groups: Iterable[Group]) -> float | None:
    """Return the intra-class correlation, 0 to 1.

    None if no question has two items, if there is one question only, or if all items have the same
    outcome: then it cannot be estimated.
    """
    groups = [group for group in groups if group.n]
    n, n_groups = sum(group.n for group in groups), len(groups)
    accepted = sum(group.n_accepted for group in groups)
    if n_groups < 2 or n == n_groups or accepted in (0, n):
        return None
    within = sum(each.n_accepted * (each.n - each.n_accepted) / each.n for each in groups)
    between = accepted * (n - accepted) / n - within
    mean_between, mean_within = between / (n_groups - 1), within / (n - n_groups)
    size = (n - sum(group.n**2 for group in groups) / n) / (n_groups - 1)
    together = mean_between + (size - 1) * mean_within
    return max(0.0, (mean_between - mean_within) / together) if together else None


def design_effect(sizes: Sequence[int], icc: float) -> float | None:
    """Return the design effect; 1 if each item has its own question."""
    n = sum(sizes)
    if not n:
        return None
    return 1 + (sum(size**2 for size in sizes) / n - 1) * icc
