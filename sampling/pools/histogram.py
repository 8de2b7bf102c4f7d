"""A histogram of scores: bins of equal width, and bars on a chart 1000 wide and 100 high.

Scores of SAS are between 0 and 1, or -1 and 1: bins are .02 wide then. Imported scores may be on
any scale, which is divided into about fifty bins of a round width (1, 2 or 5 times a power of ten).
"""

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from pages.charts import Axis

N_BINS = 50
WIDTH, HEIGHT = 1000.0, 100.0


@dataclass(frozen=True)
class Scale:
    """A scale from `low` to `high` in bins of `width`.

    Both ends are multiples of the width, and 0 and 1 lie between them.
    """

    low: float
    high: float
    width: float

    @property
    def step(self) -> float:
        """Return one step of a threshold: .01 for SAS."""
        return _plain(self.width / 2)

    @property
    def drop(self) -> float:
        """Return how much lower the second threshold of a preview is: .05 for SAS."""
        return _plain(self.width * 2.5)

    def x(self, score: float) -> float:
        """Return the place of a score on the chart."""
        axis = Axis(0, WIDTH, self.low, self.high, digits=2)
        return axis.place(min(self.high, max(self.low, score)))


@dataclass(frozen=True)
class Bar:
    """The scores in [low, high); in the last bar up to `high`.

    `n_open` of them may become candidates.
    """

    low: float
    high: float
    n: int
    n_open: int
    x: float
    width: float
    height: float
    height_open: float

    @property
    def y(self) -> float:
        return round(HEIGHT - self.height, 2)

    @property
    def y_open(self) -> float:
        return round(HEIGHT - self.height_open, 2)


@dataclass(frozen=True)
class Histogram:
    scale: Scale
    bars: tuple[Bar, ...]
    ticks: tuple[float, ...]  # evenly spaced, from end to end

    @property
    def most(self) -> int:
        """Return the number of scores in the highest bar."""
        return max((bar.n for bar in self.bars), default=0)


def scale_of(scores: Iterable[float]) -> Scale:
    values = [*scores, 0.0, 1.0]
    low, high = min(values), max(values)
    width = _round_down((high - low) / N_BINS)
    # Outwards to multiples of ten bins, so that the ticks are numbers that people can say.
    ten = 10 * width
    return Scale(
        _plain(math.floor(low / ten + 1e-9) * ten),
        _plain(math.ceil(high / ten - 1e-9) * ten),
        width,
    )


def _round_down(value: float) -> float:
    """Return the next lower of …, .01, .02, .05, .1, .2, .5, 1, …"""
    unit = 10.0 ** math.floor(math.log10(value) + 1e-9)
    lead = next(lead for lead in (5, 2, 1) if lead * unit <= value * (1 + 1e-9))
    return _plain(lead * unit)


def _plain(value: float) -> float:
    """Return the value without rounding errors of binary fractions."""
    return float(f"{value:.9g}")


def histogram(scores: Sequence[float], open_scores: Sequence[float]) -> Histogram:
    """Return the histogram of all scores, and of the open ones of distinct answers among them."""
    scale = scale_of(scores)
    n_bins = round((scale.high - scale.low) / scale.width)

    def counted(values: Iterable[float]) -> Counter[int]:
        places = (math.floor((value - scale.low) / scale.width + 1e-9) for value in values)
        return Counter(min(max(place, 0), n_bins - 1) for place in places)

    n_all, n_open = counted(scores), counted(open_scores)
    most = max(n_all.values(), default=1)
    wide = WIDTH / n_bins
    up = Axis(0, HEIGHT, 0, most, digits=2)
    bars = tuple(
        Bar(
            low=_plain(scale.low + place * scale.width),
            high=_plain(scale.low + (place + 1) * scale.width),
            n=n_all[place],
            n_open=n_open[place],
            x=round(place * wide, 2),
            width=round(wide, 2),
            height=up.place(n_all[place]),
            height_open=up.place(n_open[place]),
        )
        for place in range(n_bins)
    )
    n_ticks = round(n_bins / 10)
    ticks = tuple(_plain(scale.low + tick * 10 * scale.width) for tick in range(n_ticks + 1))
    return Histogram(scale, bars, ticks)
