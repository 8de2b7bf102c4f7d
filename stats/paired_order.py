"""The order in which pairs of runs are listed."""

from collections.abc import Iterable, Mapping
from typing import Any


def sorted_pairs(pairs: Iterable[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """Sort by p, then by the size of the difference; pairs without a p come last."""
    return sorted(
        pairs,
        key=lambda pair: (
            (1, 0.0, 0.0) if pair["p"] is None else (0, pair["p"], -abs(pair["difference"]))
        ),
    )
