"""Coordinates of pictures of runs by one measure, with intervals. Imports no Django; templates draw them
as SVG.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from exports.comparison.summary_table import COLUMNS, Column, figure, value_text
from pages.charts import Axis, truncated

LEFT, RIGHT, WIDTH = 8, 470, 560
# A row has the run's name, and below it the interval.
ROW, HEAD, FOOT = 42, 8, 26
NAME, MIDDLE, TICK = 12, 28, 4
LONGEST = 72
# The ticks of an axis by unit, from end to end.
TICKS: Mapping[str, tuple[float, ...]] = {
    "rating": (1, 2, 3, 4),
    "share": (0, 0.25, 0.5, 0.75, 1),
}
PICTURE_COLUMNS = tuple(
    column for column in COLUMNS if column.name in ("faithful", "appropriate", "both", "win_rate")
)


@dataclass(frozen=True, slots=True)
class Mark:
    """The row of a run. `x` is None without a figure, `low` and `high` without an interval.

    They are the ends of the interval for people like those who judged where there is one; then
    `ticks` are those of the interval for these people.
    """

    run: str
    words: str
    name_y: float
    y: float
    x: float | None
    low: float | None
    high: float | None
    value_text: str
    ticks: tuple[float, ...] = ()

    @property
    def tick_top(self) -> float:
        return self.y - TICK

    @property
    def tick_bottom(self) -> float:
        return self.y + TICK


@dataclass(frozen=True, slots=True)
class Picture:
    column: Column
    height: int
    bottom: int
    marks: tuple[Mark, ...]
    ticks: tuple[tuple[float, str], ...]
    left: int = LEFT
    right: int = RIGHT
    width: int = WIDTH

    @property
    def description(self) -> str:
        return f"{self.column.head} of each run with its 95 % interval{self.whose}"

    @property
    def whose(self) -> str:
        """Whom the intervals are for; of some runs too few people may have judged for people like them."""
        drawn = [mark for mark in self.marks if mark.low is not None]
        if not any(mark.ticks for mark in drawn):
            return ""
        if all(mark.ticks for mark in drawn):
            return (
                " for people like those who judged, and ticks at the ends of that for these people"
            )
        return (
            " for people like those who judged where it has ticks, which are the ends of that for these people;"
            " without ticks for these people only"
        )


def picture(setup: Mapping[str, Any], column: Column) -> Picture:
    """The picture of a setup's runs by a column, from top to bottom in their order."""
    at = TICKS[column.unit]
    axis = Axis(LEFT, RIGHT, at[0], at[-1])
    marks = tuple(
        _mark(run["run"], figure(setup, place, column.name), column, axis, place)
        for place, run in enumerate(setup["runs"])
    )
    bottom = HEAD + ROW * len(marks)
    ticks = tuple((axis.place(tick), _tick(tick, column)) for tick in at)
    return Picture(column, bottom + FOOT, bottom, marks, ticks)


def _mark(run: str, found: Mapping[str, Any], column: Column, axis: Axis, place: int) -> Mark:
    value, own, people = found["value"], found["interval"], found.get("people_interval")
    drawn, ends = own, []
    if people is not None and people["low"] is not None:
        drawn, ends = people, [axis.place_if_any(own[end]) for end in ("low", "high")]
    return Mark(
        run=run,
        words=truncated(run, LONGEST),
        name_y=HEAD + ROW * place + NAME,
        y=HEAD + ROW * place + MIDDLE,
        x=axis.place_if_any(value),
        low=axis.place_if_any(drawn["low"]),
        high=axis.place_if_any(drawn["high"]),
        value_text="none" if value is None else value_text(value, column.unit),
        ticks=tuple(end for end in ends if end is not None),
    )


def _tick(tick: float, column: Column) -> str:
    return f"{100 * tick:.0f} %" if column.unit == "share" else f"{tick:.0f}"
