"""Exact limits of a finite population's share, from units drawn without replacement."""

from collections.abc import Callable
from fractions import Fraction
from math import comb, exp, lgamma

LEVEL = 0.95
# Tails that are nearer to the level's than that, in parts of it, are counted out in whole numbers.
TOO_NEAR = 1e-6
# What is left of a tail after a term so much smaller than its sum is lost in rounding.
NEGLIGIBLE = 1e-18


def limits(found: int, drawn: int, of: int, *, level: float = LEVEL) -> tuple[int, int]:
    """Return the interval for K, the number of `of` units with the property.

    It rests on the `found` units with the property among the `drawn`, by inversion of two one-sided
    tests at (1 - level) / 2 each: from the smallest K with P(Y >= found | K) above that to the
    largest K with P(Y <= found | K) above it, Y hypergeometric. It covers K with a probability of
    at least `level`, whatever K is (Buonaccorsi 1987, The American Statistician 41:215-218). It has
    width 0 exactly if all were drawn; if none was, it is the whole range. Raises ValueError for
    impossible numbers.

    A tail that equals the level to the last digit is not above it: 1 of 1 drawn, of 40, is 2 to 40,
    for P(Y = 1 | 1) = 1 / 40 = .025.

    P(Y = 0 | 3) = C(7,5) / C(10,5) = .083 is above .025 and P(Y = 0 | 4) = C(6,5) / C(10,5) = .024
    is not:

    >>> limits(0, 5, 10), limits(1, 1, 40), limits(2, 10, 100)
    ((0, 3), (2, 40), (3, 54))

    Wrong: 0 to 0, because none was found.
    """
    if not 0 <= found <= drawn <= of:
        raise ValueError(f"{found} of {drawn} of {of} cannot be")
    tail = (1 - Fraction(str(level))) / 2
    least, most = found, of - (drawn - found)
    # The more have it, the likelier are many and the less likely few: each limit is found by halving.
    low = _first(least, most, lambda k: _is_above(tail, found, drawn, k, drawn, of))
    high = _first(least, most, lambda k: not _is_above(tail, 0, found, k + 1, drawn, of))
    return low, high


def _is_above(tail: Fraction, low: int, high: int, k: int, drawn: int, of: int) -> bool:
    """Return whether P(low <= Y <= high) is above `tail`; `low` is 0 or `high` is `drawn`."""
    found = _at_least(low, k, drawn, of) if low else at_most(high, k, drawn, of)
    if abs(found - tail) > TOO_NEAR * tail:
        return found > tail
    ys = range(max(low, drawn - (of - k)), min(high, k) + 1)
    ways = sum(comb(k, y) * comb(of - k, drawn - y) for y in ys)
    return ways > tail * comb(of, drawn)


def _first(low: int, high: int, holds: Callable[[int], bool]) -> int:
    """Return the first number for which `holds` is true, by bisection."""
    while low < high:
        middle = (low + high) // 2
        if holds(middle):
            high = middle
        else:
            low = middle + 1
    return low


def at_most(y: int, k: int, drawn: int, of: int) -> float:
    """Return P(Y <= y) if k of `of` have the property, and `drawn` are drawn.

    >>> round(at_most(0, 3, 5, 10), 3)
    0.083
    """
    return _tail(y, -1, k, drawn, of) if y < drawn * k / of else 1 - _tail(y + 1, 1, k, drawn, of)


def _at_least(y: int, k: int, drawn: int, of: int) -> float:
    return _tail(y, 1, k, drawn, of) if y > drawn * k / of else 1 - _tail(y - 1, -1, k, drawn, of)


def _tail(y: int, step: int, k: int, drawn: int, of: int) -> float:
    """Return the probability of y and all beyond it, away from the mean as `step` says."""
    least, most = max(0, drawn - (of - k)), min(drawn, k)
    if not least <= y <= most:
        # Beyond the end that it leads to there is nothing; before the other end, everything.
        return 0.0 if (y > most) == (step > 0) else 1.0
    term = exp(_choose(k, y) + _choose(of - k, drawn - y) - _choose(of, drawn))
    total = 0.0
    while least <= y <= most and term > NEGLIGIBLE * total:
        total += term
        if step > 0:
            term *= (k - y) * (drawn - y) / ((y + 1) * (of - k - drawn + y + 1))
        else:
            term *= y * (of - k - drawn + y) / ((k - y + 1) * (drawn - y + 1))
        y += step
    return min(1.0, total)


def _choose(n: int, k: int) -> float:
    """Return the logarithm of the binomial coefficient."""
    return lgamma(n + 1) - lgamma(k + 1) - lgamma(n - k + 1)
