"""Positions on charts. Templates draw the charts as SVG."""

import re
from dataclasses import dataclass

# What XML 1.0 cannot hold, not even escaped.
_NO_XML = re.compile("[^\t\n\r -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


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


def in_xml(text: str) -> str:
    """Return the text of an SVG file, with spaces for what XML cannot hold, such as U+FFFE in a name."""
    return _NO_XML.sub(" ", text)
