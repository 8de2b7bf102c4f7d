"""Pictures of the course of a person's work: a line over the judgements for each session."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import log
from typing import Any

from pages.charts import Axis

WIDTH, HEIGHT = 720.0, 160.0
VERTICAL = Axis(HEIGHT, 0)


@dataclass(frozen=True, slots=True)
class Picture:
    """The coordinates of a picture.

    lines      the points of a polyline for each session
    dots       the points of sessions with one piece
    ends       the places where one session ends and the next begins
    low, high  the values at the lower and the upper edge
    """

    low: float
    high: float
    lines: list[str]
    dots: list[tuple[str, str]]
    ends: list[str]


def speed_picture(pieces: Sequence[Mapping[str, Any]]) -> Picture | None:
    """Seconds per word, on a logarithmic scale from the fastest to the slowest piece."""
    values = [piece["per_word"] for piece in pieces]
    if not values:
        return None
    low, high = min(values), max(values)
    if low == high:
        low, high = low / 2, high * 2
    span = log(high / low)
    return _picture(pieces, [log(value / low) / span for value in values], low, high)


def agreement_picture(pieces: Sequence[Mapping[str, Any]]) -> Picture | None:
    """The share of the other annotators who agree, on a scale from 0 to 1; None without any share."""
    if all(piece["agrees"] is None for piece in pieces):
        return None
    return _picture(pieces, [piece["agrees"] for piece in pieces], 0.0, 1.0)


def _picture(
    pieces: Sequence[Mapping[str, Any]], heights: Sequence[float | None], low: float, high: float
) -> Picture:
    horizontal = Axis(0, WIDTH, 0, pieces[-1]["last"])
    sessions: dict[int, list[tuple[str, str]]] = {}
    for piece, height in zip(pieces, heights, strict=True):
        if height is not None:
            middle = (piece["first"] - 1 + piece["last"]) / 2
            point = str(horizontal.place(middle)), str(VERTICAL.place(height))
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
        ends=[str(horizontal.place(start)) for start in starts],
    )
