"""Coordinates of the picture of biases with their intervals. Imports no Django; a template draws it as SVG."""

from collections.abc import Mapping
from dataclasses import dataclass
from math import ceil, floor
from typing import Any

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
from pages.charts import Axis, truncated

MOST_TICKS = 6
STEPS = (0.01, 0.02, 0.05, 0.1, 0.2, 0.5)


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


def picture(found: Mapping[str, Any], measure: str) -> Picture:
    """The picture of the runs' biases by a measure, the largest at the top."""
    runs = sorted(found["runs"], key=lambda run: (-run["bias"]["value"], run["run"]))
    values = _tick_values([end for run in runs for end in _ends(run["bias"])])
    axis = Axis(LEFT, RIGHT, values[0], values[-1])
    bottom = HEAD + ROW * len(runs)
    return Picture(
        description=f"Bias of each run by {measure} with its 95 % interval",
        height=bottom + FOOT,
        bottom=bottom,
        marks=tuple(_mark(run, axis, place) for place, run in enumerate(runs)),
        ticks=tuple((axis.place(value), f"{value:.2f}") for value in values),
    )


def _ends(bias: Mapping[str, Any]) -> list[float]:
    interval = bias["interval"]
    return [
        bias["value"],
        *(each for each in (interval["low"], interval["high"]) if each is not None),
    ]


def _tick_values(values: list[float]) -> list[float]:
    """Return the ticks from 0, or below the lowest value, to above the highest one."""
    low, high = min([0.0, *values]), max([STEPS[0], *values])
    step = next((each for each in STEPS if (high - low) / each < MOST_TICKS - 1), STEPS[-1])
    return [
        round(number * step, 2)
        for number in range(floor(low / step + 1e-9), ceil(high / step - 1e-9) + 1)
    ]


def _mark(run: Mapping[str, Any], axis: Axis, place: int) -> Mark:
    bias = run["bias"]
    return Mark(
        run=run["run"],
        words=truncated(run["run"], LONGEST),
        name_y=HEAD + ROW * place + NAME,
        y=HEAD + ROW * place + MIDDLE,
        x=axis.place(bias["value"]),
        low=axis.place_if_any(bias["interval"]["low"]),
        high=axis.place_if_any(bias["interval"]["high"]),
        value_text=f"{bias['value']:.3f}",
    )
