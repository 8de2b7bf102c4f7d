"""Where things stand on a picture: what all pictures share. Templates draw them as SVG."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Axis:
    """Places values from `low` to `high` between `start` and `end`; `start` may be the greater, as going up."""

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
    """Returns at most so many characters, with an ellipsis where something is cut off."""
    return words if len(words) <= most else f"{words[: most - 1]}…"
