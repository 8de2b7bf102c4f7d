"""The course of somebody's work as lines in a box: judgements across, a figure up."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import log
from typing import Any

from pages.charts import Axis

WIDTH, HEIGHT = 720.0, 160.0
UP = Axis(HEIGHT, 0)


@dataclass(frozen=True, slots=True)
class Picture:
    """`lines` are the points of a polyline for each session, `dots` those of sessions with one piece only;
    `ends` are where a session ends and another begins. `low` and `high` are the values at the edges.
    """

    low: float
    high: float
    lines: list[str]
    dots: list[tuple[str, str]]
    ends: list[str]


def of_speed(pieces: Sequence[Mapping[str, Any]]) -> Picture | None:
    """Seconds a word, on a logarithmic scale between the fastest and the slowest piece."""
    values = [piece["per_word"] for piece in pieces]
    if not values:
        return None
    low, high = min(values), max(values)
    if low == high:
        low, high = low / 2, high * 2
    span = log(high / low)
    return _drawn(pieces, [log(value / low) / span for value in values], low, high)


def of_agreement(pieces: Sequence[Mapping[str, Any]]) -> Picture | None:
    """The share of the others that agree, from 0 to 1."""
    if all(piece["agrees"] is None for piece in pieces):
        return None
    return _drawn(pieces, [piece["agrees"] for piece in pieces], 0.0, 1.0)


def _drawn(
    pieces: Sequence[Mapping[str, Any]], heights: Sequence[float | None], low: float, high: float
) -> Picture:
    across = Axis(0, WIDTH, 0, pieces[-1]["last"])
    sessions: dict[int, list[tuple[str, str]]] = {}
    for piece, height in zip(pieces, heights, strict=True):
        if height is not None:
            middle = (piece["first"] - 1 + piece["last"]) / 2
            point = str(across.place(middle)), str(UP.place(height))
            sessions.setdefault(piece["session"], []).append(point)
    starts = [
        piece["first"] - 1
        for before, piece in pairwise(pieces)
        if before["session"] != piece["session"]
    ]
    return Picture(
        low=low,
        high=high,
        lines=[
            " ".join(f"{x},{y}" for x, y in points)
            for points in sessions.values()
            if len(points) > 1
        ],
        dots=[points[0] for points in sessions.values() if len(points) == 1],
        ends=[str(across.place(start)) for start in starts],
    )
