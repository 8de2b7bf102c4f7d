"""Where runs stand in a picture of one measure with its intervals: plain numbers for SVG. Plain Python."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from exports.comparison.summary_table import COLUMNS, Column, figure, written
from pages.charts import Axis, truncated

LEFT, RIGHT, SAID = 170, 470, 560
ROW, HEAD, FOOT = 26, 8, 26
LONGEST = 22
# Of each way of writing a figure where the axis has lines, from end to end.
TICKS: Mapping[str, tuple[float, ...]] = {
    "rating": (1, 2, 3, 4),
    "share": (0, 0.25, 0.5, 0.75, 1),
}
PICTURED = tuple(
    column for column in COLUMNS if column.name in ("faithful", "appropriate", "both", "win_rate")
)


@dataclass(frozen=True, slots=True)
class Mark:
    """A run's row: `x` is None where there is no figure, the ends where there is no interval."""

    run: str
    words: str
    y: float
    x: float | None
    low: float | None
    high: float | None
    said: str


@dataclass(frozen=True, slots=True)
class Picture:
    column: Column
    height: int
    bottom: int
    marks: tuple[Mark, ...]
    ticks: tuple[tuple[float, str], ...]
    left: int = LEFT
    right: int = RIGHT
    width: int = SAID


def picture(setup: Mapping[str, Any], column: Column) -> Picture:
    """The runs in their order, the first on top."""
    at = TICKS[column.how]
    axis = Axis(LEFT, RIGHT, at[0], at[-1])
    marks = tuple(
        _mark(run["run"], figure(setup, place, column.name), column, axis, place)
        for place, run in enumerate(setup["runs"])
    )
    bottom = HEAD + ROW * len(marks)
    ticks = tuple((axis.place(tick), _tick(tick, column)) for tick in at)
    return Picture(column, bottom + FOOT, bottom, marks, ticks)


def _mark(run: str, found: Mapping[str, Any], column: Column, axis: Axis, place: int) -> Mark:
    value = found["value"]
    return Mark(
        run=run,
        words=truncated(run, LONGEST),
        y=HEAD + ROW * place + ROW / 2,
        x=axis.place_if_any(value),
        low=axis.place_if_any(found["interval"]["low"]),
        high=axis.place_if_any(found["interval"]["high"]),
        said="none" if value is None else written(value, column.how),
    )


def _tick(tick: float, column: Column) -> str:
    return f"{100 * tick:.0f} %" if column.how == "share" else f"{tick:.0f}"
