"""Where things stand on the pictures of agreement. Plain Python; the templates draw them as SVG."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pages.charts import Axis, truncated

LEFT, TOP = 116, 48
FEW_LABELS = 5
DARKEST = 0.5  # of the colour of bars: what is written on it keeps a contrast of 4.5 : 1


@dataclass(frozen=True)
class Cell:
    """So often (`n`) somebody else said `column` where somebody said `row`; `share` is of the row."""

    row: str
    column: str
    n: int
    share: float | None
    x: int
    y: int
    opacity: float


@dataclass(frozen=True)
class Label:
    """A label beside a row or above a column, cut to what there is room for."""

    words: str
    x: int
    y: int


@dataclass(frozen=True)
class Grid:
    """A confusion matrix: a square a cell, as dark as its share of the row."""

    width: int
    height: int
    size: int
    rows: tuple[Label, ...]
    columns: tuple[Label, ...]
    cells: tuple[Cell, ...]

    @property
    def left(self) -> int:
        """Where the first column begins."""
        return LEFT

    @property
    def by_row(self) -> list[tuple[str, list[Cell]]]:
        """The cells as the rows of a table."""
        n = len(self.rows)
        lines = [list(self.cells[at : at + n]) for at in range(0, len(self.cells), n)]
        return [(line[0].row, line) for line in lines]


def grid(labels: Sequence[str], counts: Sequence[Sequence[int]]) -> Grid:
    """Rows from the top, columns from the left, in the order of `labels`.

    Right: labels a b, counts [[3, 1], [0, 0]] → shares .75, .25, and None twice.
    """
    size, room = (76, 12) if len(labels) <= FEW_LABELS else (54, 7)
    totals = [sum(row) for row in counts]
    cells = tuple(
        Cell(
            row=labels[i],
            column=labels[j],
            n=n,
            share=n / totals[i] if totals[i] else None,
            x=LEFT + j * size,
            y=TOP + i * size,
            opacity=round(DARKEST * n / totals[i], 3) if totals[i] else 0.0,
        )
        for i, row in enumerate(counts)
        for j, n in enumerate(row)
    )
    middle = size // 2
    return Grid(
        width=LEFT + len(labels) * size + 8,
        height=TOP + len(labels) * size + 8,
        size=size,
        rows=tuple(
            Label(truncated(label, 14), LEFT - 8, TOP + i * size + middle)
            for i, label in enumerate(labels)
        ),
        columns=tuple(
            Label(truncated(label, room), LEFT + j * size + middle, TOP - 10)
            for j, label in enumerate(labels)
        ),
        cells=cells,
    )


@dataclass(frozen=True)
class Point:
    """A figure of a window: None where it has no value, `top` and `bottom` None without an interval."""

    x: float
    y: float | None
    top: float | None
    bottom: float | None


@dataclass(frozen=True)
class TimeLine:
    """Raw agreement and alpha, window by window, between `lowest` and 1."""

    width: int
    height: int
    left: int
    right: int
    ticks: tuple[Label, ...]
    windows: tuple[Label, ...]
    raw: tuple[Point, ...]
    alpha: tuple[Point, ...]


WIDTH, HEIGHT, BEFORE, AFTER, ABOVE, BELOW = 560, 240, 40, 12, 14, 196
APART = 6.0


def time_line(windows: Sequence[Mapping[str, Any]]) -> TimeLine:
    """Of `over_time` as in a report. The scale goes from 0 to 1, further down where something lies there."""
    lowest = _lowest(windows)
    axis = Axis(BELOW, ABOVE, lowest, 1)
    wide = (WIDTH - BEFORE - AFTER) / max(len(windows), 1)
    middles = [BEFORE + wide * (number + 0.5) for number in range(len(windows))]
    n_ticks = round((1 - lowest) / 0.2)
    values = [round(lowest + 0.2 * number, 1) for number in range(n_ticks + 1)]
    return TimeLine(
        width=WIDTH,
        height=HEIGHT,
        left=BEFORE,
        right=WIDTH - AFTER,
        ticks=tuple(
            Label(f"{value:.1f}", BEFORE - 6, round(axis.place(value))) for value in values
        ),
        windows=tuple(
            Label(str(number), round(x), BELOW + 18) for number, x in enumerate(middles, start=1)
        ),
        raw=_points(windows, "raw", middles, -APART, axis),
        alpha=_points(windows, "alpha", middles, APART, axis),
    )


def _lowest(windows: Sequence[Mapping[str, Any]]) -> float:
    """0, or the next fifth below all that is to be drawn."""
    figures = [window[key] for window in windows for key in ("raw", "alpha")]
    drawn = [each["value"] for each in figures] + [each["interval"]["low"] for each in figures]
    least = min([0.0, *(value for value in drawn if value is not None)])
    lowest = 0.0
    while lowest > least + 1e-9:
        lowest = round(lowest - 0.2, 1)
    return lowest


def _points(
    windows: Sequence[Mapping[str, Any]],
    key: str,
    middles: Sequence[float],
    beside: float,
    axis: Axis,
) -> tuple[Point, ...]:
    return tuple(
        Point(
            x=round(x + beside, 1),
            y=axis.place_if_any(window[key]["value"]),
            top=axis.place_if_any(window[key]["interval"]["high"]),
            bottom=axis.place_if_any(window[key]["interval"]["low"]),
        )
        for window, x in zip(windows, middles, strict=True)
    )
