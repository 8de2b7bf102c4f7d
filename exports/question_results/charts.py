"""Coordinates of the picture of means with their intervals. Imports no Django; a template draws it as SVG."""

from dataclasses import dataclass
from math import ceil, floor, log10
from typing import TYPE_CHECKING

from exports.comparison.charts import (
    FOOT,
    HEAD,
    LEFT,
    LONGEST,
    MIDDLE,
    NAME,
    RIGHT,
    ROW,
    WIDTH,
    Mark,
)
from exports.question_results.figures import NOT_GIVEN, Key, Results
from pages.charts import Axis, truncated

if TYPE_CHECKING:
    from stats.cell_means import CellMean

# A picture of more is none that anybody reads.
MOST_MARKS = 60
MOST_TICKS = 6


@dataclass(frozen=True, slots=True)
class Picture:
    description: str
    height: int
    bottom: int
    marks: tuple[Mark, ...]
    ticks: tuple[tuple[float, str], ...]
    left: int = LEFT
    right: int = RIGHT
    width: int = WIDTH


def picture(results: Results) -> Picture | None:
    """Return the picture of the cells that have a value, in the order of the table; None of too many."""
    if len(results.cells) > MOST_MARKS:
        return None
    ends = [
        end
        for mean in results.cells.values()
        for end in (mean.value, mean.interval.low, mean.interval.high)
        if end is not None
    ]
    values, digits = _ticks(min([0.0, *ends]), max(ends))
    axis = Axis(LEFT, RIGHT, values[0], values[-1])
    bottom = HEAD + ROW * len(results.cells)
    return Picture(
        description=f"Mean {results.label} with 95 % intervals and numbers of answers",
        height=bottom + FOOT,
        bottom=bottom,
        marks=tuple(
            _mark(key, results.cells[key], axis, place) for place, key in enumerate(results.names())
        ),
        ticks=tuple((axis.place(value), f"{value:.{digits}f}") for value in values),
    )


def _ticks(low: float, high: float) -> tuple[list[float], int]:
    """Return round values from below `low` to above `high`, at most MOST_TICKS steps, and their digits."""
    size = high - low or 1.0
    power = floor(log10(size / MOST_TICKS))
    step = next(
        factor * 10.0**power
        for factor in (1, 2, 5, 10)
        if size / (factor * 10.0**power) <= MOST_TICKS
    )
    first, last = floor(low / step + 1e-9), ceil(high / step - 1e-9)
    digits = max(0, -floor(log10(step) + 1e-9))
    return [number * step for number in range(first, max(last, first + 1) + 1)], digits


def _mark(key: Key, mean: "CellMean", axis: Axis, place: int) -> Mark:
    name = ", ".join(part or NOT_GIVEN for part in key)
    return Mark(
        run=name,
        words=truncated(name, LONGEST),
        name_y=HEAD + ROW * place + NAME,
        y=HEAD + ROW * place + MIDDLE,
        x=axis.place(mean.value),
        low=axis.place_if_any(mean.interval.low),
        high=axis.place_if_any(mean.interval.high),
        value_text=f"{mean.value:.3g} ({mean.n})",
    )
