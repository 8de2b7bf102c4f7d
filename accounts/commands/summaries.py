"""Summaries of commands as text."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

INDENT = "  "
# A row of plain values that is no longer than this stands on one line.
ROW_WIDTH = 90
# What a value means where its name does not say it.
EXPLANATIONS = {
    ("created", "no"): "no (the same is there already: nothing was changed)",
    ("n_scored", "0"): "0 (no score was missing: metrics of the same texts are computed together)",
}


def lines(summary: Mapping[str, Any]) -> Iterator[str]:
    """Yield one line a value; nested values are indented."""
    for name, value in summary.items():
        yield from _entry(name, value)


def _entry(name: str, value: Any) -> Iterator[str]:
    if not _is_plain(value):
        yield f"{name}:"
        yield from (INDENT + line for line in _parts(value))
        return
    text = plain(value)
    first, *more = EXPLANATIONS.get((name, text), text).split("\n")
    yield f"{name}: {first}".rstrip()
    yield from (INDENT + line for line in more)


def _parts(value: Any) -> Iterator[str]:
    if isinstance(value, Mapping):
        yield from lines(value)
        return
    for each in value:
        first, *more = _row(each)
        yield f"- {first}"
        yield from (INDENT + line for line in more)


def _row(value: Any) -> list[str]:
    if not isinstance(value, Mapping):
        return plain(value).split("\n") if _is_plain(value) else list(_parts(value))
    rows = list(lines(value))
    row = ", ".join(rows)
    is_short = len(row) <= ROW_WIDTH and all(_is_plain(each) for each in value.values())
    return [row] if is_short else rows


def _is_plain(value: Any) -> bool:
    """Return whether the value fits on the line of its name. Empty containers do."""
    return not (isinstance(value, Mapping | list | tuple) and value)


def plain(value: Any) -> str:
    if value is None or (isinstance(value, Mapping | list | tuple | str) and not value):
        return "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return short(value)
    return str(value)


def short(number: float) -> str:
    """Return the number with three decimals, or two significant figures if it is below 0.001.

    Examples: 0.667, 12.5, 1.0, 0.00012.
    """
    if number and abs(number) < 0.001:
        return f"{number:.2g}"
    return str(round(number, 3))


def table(rows: Sequence[Sequence[str]], indent: str = "") -> Iterator[str]:
    """Yield one line a row, with aligned columns."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = (cell.ljust(width) for cell, width in zip(row, widths, strict=True))
        yield f"{indent}{'  '.join(cells)}".rstrip()
