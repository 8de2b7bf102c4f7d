"""Adjustment of p-values for their number."""

from collections.abc import Sequence

# An adjusted p of this at most is significant.
LEVEL = 0.05


def holm(values: Sequence[float | None]) -> list[float | None]:
    """Return the p-values adjusted by Holm's step-down; None stays None and does not count.

    The i-th smallest of m becomes the largest of (m - j + 1) p_j for j <= i, at most 1. However the
    tests depend on one another, the probability of any adjusted p of .05 or less among true null
    hypotheses is at most .05 (Holm 1979, Scandinavian Journal of Statistics 6:65-70).

    >>> holm([.01, .04, None, .03, .005])
    [0.03, 0.06, None, 0.06, 0.02]
    """
    ordered = sorted((p, place) for place, p in enumerate(values) if p is not None)
    adjusted: list[float | None] = [None] * len(values)
    highest = 0.0
    for rank, (p, place) in enumerate(ordered):
        highest = max(highest, min(1.0, (len(ordered) - rank) * p))
        adjusted[place] = highest
    return adjusted
