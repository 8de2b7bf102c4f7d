"""Rates that are products of two shares, and their differences: of gold, where faithfulness is open for some."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import cache
from typing import Any

from exports.verification.intervals import Bootstrap, Draw, draws, interval
from exports.verification.tables import conversation_of


def product(totals: Sequence[int]) -> Fraction | None:
    n, first, known, second = totals
    if not first:
        return Fraction(0)
    return Fraction(first, n) * Fraction(second, known) if known else None


def difference_of_products(totals: Sequence[int]) -> Fraction | None:
    n, *steps = totals
    one, other = product([n, *steps[:3]]), product([n, *steps[3:]])
    return None if one is None or other is None else one - other


def drawn_interval(
    rows_of: Mapping[str, tuple[int, ...]],
    value: Callable[[Sequence[int]], Fraction | None],
    bootstrap: Bootstrap,
) -> dict[str, Any]:
    """Of a value of the totals of the turns' rows, over conversations drawn by their patterns."""
    of_conversation: dict[str, list[tuple[int, ...]]] = defaultdict(list)
    for turn, row in rows_of.items():
        of_conversation[conversation_of(turn)].append((1, *row))
    rows = {name: tuple(sum(column) for column in zip(*of)) for name, of in of_conversation.items()}

    @cache
    def of_draw(draw: Draw) -> Fraction | None:
        patterns, counts = zip(*draw)
        return value([sum(n * t for n, t in zip(column, counts)) for column in zip(*patterns)])

    values = [of_draw(draw) for draw in draws(rows, bootstrap, is_defined=True)]
    return interval(values, len(rows), bootstrap, is_defined=True)
