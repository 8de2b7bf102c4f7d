"""How many independent items the items of a few questions are worth.

Items of one question are alike, so n of them tell less than n independent ones: as much as n / deff, with
Kish's design effect (Kish 1965) deff = 1 + (m - 1) icc, m = sum of squared group sizes / n, and icc the
intra-class correlation by analysis of variance (Donner and Koval 1980). An icc below 0 counts as 0.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Group:
    """The items of one question: how many, and how many of them ended as hoped for."""

    n: int
    n_accepted: int


def intraclass_correlation(groups: Iterable[Group]) -> float | None:
    """The intra-class correlation, 0 to 1.

    None where no question has two items, where there is one question only, or where all items ended alike:
    from those nothing can be said.
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
    """Returns 1 where each item has its own question."""
    n = sum(sizes)
    if not n:
        return None
    return 1 + (sum(size**2 for size in sizes) / n - 1) * icc
