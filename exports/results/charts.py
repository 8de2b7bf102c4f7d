"""Coordinates of the pictures of runs. Imports no Django; the templates draw them as SVG.

A picture is 100 wide, so that a coordinate is a share in per cent.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pages.charts import Axis

PER_CENT = Axis(0, 100, digits=2)


@dataclass(frozen=True, slots=True)
class Mark:
    """A run's rate with its interval (`low`, `high`) and bounds (`least`, `most`) in per cent, or None.

    The interval is that for people like those who judged if there is one, else for these.
    """

    run: str
    value: float | None
    low: float | None
    high: float | None
    least: float | None
    most: float | None

    @property
    def width(self) -> float | None:
        return None if self.low is None or self.high is None else round(self.high - self.low, 2)

    @property
    def span(self) -> float | None:
        return None if self.least is None or self.most is None else round(self.most - self.least, 2)


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of a stacked bar; `left` and `width` in per cent of the longest bar."""

    name: str
    n: int
    left: float
    width: float


def marks(rows: Sequence[Mapping[str, Any]]) -> list[Mark]:
    """The marks of the rows of a leaderboard in their order."""
    return [_mark(row["rate"]) for row in rows]


def _mark(rate: Mapping[str, Any]) -> Mark:
    bounds = rate["bounds"] or (None, None)
    people = rate["people_interval"]
    interval = rate["interval"] if people["low"] is None else people
    return Mark(
        run=rate["run"],
        value=PER_CENT.place_if_any(rate["value"]),
        low=PER_CENT.place_if_any(interval["low"]),
        high=PER_CENT.place_if_any(interval["high"]),
        least=PER_CENT.place_if_any(bounds[0]),
        most=PER_CENT.place_if_any(bounds[1]),
    )


def bar_pieces(counts: Sequence[tuple[str, int]], longest: int) -> list[Piece]:
    """The pieces of a bar from the left, without empty ones.

    Example: (a 1) (b 0) (c 3) of `longest` 8 give the widths 12.5 and 37.5.
    """
    axis = Axis(0, 100, 0, longest, digits=2)
    pieces, before = [], 0
    for name, n in counts:
        if n:
            pieces.append(Piece(name, n, axis.place(before), axis.place(n)))
        before += n
    return pieces
