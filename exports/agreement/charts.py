"""Coordinates of the pictures of agreement. Imports no Django; the templates draw them as SVG."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pages.charts import Axis, truncated

LEFT, TOP = 116, 48
FEW_LABELS = 5
DARKEST = 0.5  # opacity of the bars' colour at which text on it keeps a contrast of 4.5 : 1


@dataclass(frozen=True)
class Cell:
    """The number of pairs of judgements that say `row` and `column`, and its share of the row."""

    row: str
    column: str
    n: int
    share: float | None
    x: int
    y: int
    opacity: float


@dataclass(frozen=True)
class Label:
    """A label beside a row or above a column, truncated to its space."""

    words: str
    x: int
    y: int


@dataclass(frozen=True)
class Grid:
    """A confusion matrix of square cells. A cell's opacity grows with its share of the row."""

    width: int
    height: int
    size: int
    rows: tuple[Label, ...]
    columns: tuple[Label, ...]
    cells: tuple[Cell, ...]

    @property
    def left(self) -> int:
        """The left edge of the first column."""
        return LEFT

    @property
    def by_row(self) -> list[tuple[str, list[Cell]]]:
        """The cells as the rows of a table."""
        n = len(self.rows)
        lines = [list(self.cells[at : at + n]) for at in range(0, len(self.cells), n)]
        return [(line[0].row, line) for line in lines]


def grid(labels: Sequence[str], counts: Sequence[Sequence[int]]) -> Grid:
    """The grid of a confusion matrix, with rows and columns in the order of `labels`.

    Example: the labels a and b with the counts [[3, 1], [0, 0]] have the shares .75, .25, None and
    None.
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
    """A figure of a window. `y` is None without a value, `top` and `bottom` without an interval."""

    x: float
    y: float | None
    top: float | None
    bottom: float | None


@dataclass(frozen=True)
class TimeLine:
    """Raw agreement and alpha of each window of time."""

    width: int
    height: int
    left: int
    right: int
    ticks: tuple[Label, ...]
    windows: tuple[Label, ...]
    raw: tuple[Point, ...]
    alpha: tuple[Point, ...]


WIDTH, HEIGHT, LEFT_MARGIN, RIGHT_MARGIN, PLOT_TOP, PLOT_BOTTOM = 560, 240, 40, 12, 14, 196
OFFSET = 6.0


def time_line(windows: Sequence[Mapping[str, Any]]) -> TimeLine:
    """The picture of `over_time` in a report. The scale is 0 to 1, or begins lower if a figure is
    below 0.
    """
    lowest = _lowest(windows)
    axis = Axis(PLOT_BOTTOM, PLOT_TOP, lowest, 1)
    window_width = (WIDTH - LEFT_MARGIN - RIGHT_MARGIN) / max(len(windows), 1)
    middles = [LEFT_MARGIN + window_width * (number + 0.5) for number in range(len(windows))]
    n_ticks = round((1 - lowest) / 0.2)
    values = [round(lowest + 0.2 * number, 1) for number in range(n_ticks + 1)]
    return TimeLine(
        width=WIDTH,
        height=HEIGHT,
        left=LEFT_MARGIN,
        right=WIDTH - RIGHT_MARGIN,
        ticks=tuple(
            Label(f"{value:.1f}", LEFT_MARGIN - 6, round(axis.place(value))) for value in values
        ),
        windows=tuple(
            Label(str(number), round(x), PLOT_BOTTOM + 18)
            for number, x in enumerate(middles, start=1)
        ),
        raw=_points(windows, "raw", middles, -OFFSET, axis),
        alpha=_points(windows, "alpha", middles, OFFSET, axis),
    )


def _lowest(windows: Sequence[Mapping[str, Any]]) -> float:
    """The lower end of the scale: 0, or the next multiple of 0.2 below all figures."""
    figures = [window[key] for window in windows for key in ("raw", "alpha")]
    values = [each["value"] for each in figures] + [each["interval"]["low"] for each in figures]
    least = min([0.0, *(value for value in values if value is not None)])
    lowest = 0.0
    while lowest > least + 1e-9:
        lowest = round(lowest - 0.2, 1)
    return lowest


def _points(
    windows: Sequence[Mapping[str, Any]],
    key: str,
    middles: Sequence[float],
    offset: float,
    axis: Axis,
) -> tuple[Point, ...]:
    return tuple(
        Point(
            x=round(x + offset, 1),
            y=axis.place_if_any(window[key]["value"]),
            top=axis.place_if_any(window[key]["interval"]["high"]),
            bottom=axis.place_if_any(window[key]["interval"]["low"]),
        )
        for window, x in zip(windows, middles, strict=True)
    )
