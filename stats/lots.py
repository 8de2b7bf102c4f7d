"""Random draws determined by a seed: the same on every machine, for any order of the units."""

import hashlib
import heapq
from collections.abc import Iterable

BITS = 256


def lot(*parts: object, separator: str = "\x1f") -> int:
    r"""Return a number below 2^256 determined by the parts, a seed among them.

    Draws take the smallest. It is the SHA-256 of the parts as text, joined by the separator. The
    default cannot occur in names, so ("a b", "c") and ("a", "b c") are two lots. Draws of samples
    join by a blank and second adjudications by a colon: another separator would change the draw of
    the same seed. `sampling.pools.turn_selection` draws in another way, from the rule as JSON, for the
    same reason.

    >>> lot(7, "q1") == int(hashlib.sha256(b"7\x1fq1").hexdigest(), 16)
    True
    """
    digest = hashlib.sha256(separator.join(map(str, parts)).encode("utf-8")).digest()
    return int.from_bytes(digest)


def fraction(*parts: object) -> float:
    """Return a number in [0, 1): the first 56 bits of the lot."""
    return (lot(*parts) >> (BITS - 56)) / 2**56


def first_by_lot(units: Iterable[str], n: int | None, seed: int) -> Iterable[str]:
    """Return the n units with the smallest lots, or all if n is None or there are fewer."""
    if n is None:
        return units
    return heapq.nsmallest(n, units, key=lambda unit: (lot(seed, unit), unit))
