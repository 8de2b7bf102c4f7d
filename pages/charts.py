"""Positions on charts. Templates draw the charts as SVG."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Axis:
    """An axis that maps values from `low` to `high` to positions from `start` to `end`.

    `start` may be greater than `end`, as on an axis that points up.
    """

    start: float
    end: float
    low: float = 0.0
    high: float = 1.0
    digits: int = 1

    def place(self, value: float) -> float:
        share = (self.end - self.start) * (value - self.low) / (self.high - self.low)
        return round(self.start + share, self.digits)

    def place_if_any(self, value: float | None) -> float | None:
        return None if value is None else self.place(value)


def truncated(words: str, most: int) -> str:
    """Return the text, cut to `most` characters with an ellipsis."""
    return words if len(words) <= most else f"{words[: most - 1]}…"
