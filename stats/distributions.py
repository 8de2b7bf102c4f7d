"""The beta distribution, as intervals of shares and tails of Student's t need it. Plain Python.

scipy has all of it and is no run-time dependency; the tests hold this to scipy.
"""

from math import exp, lgamma, log, log1p

from stats.proportion_intervals import Interval

TINY = 1e-300
ENOUGH = 1e-15
MOST_STEPS = 100_000
TAIL = 0.025


def regularised(x: float, a: float, b: float) -> float:
    """I_x(a, b), the beta distribution function: P(X <= x). ValueError unless a, b > 0 and 0 <= x <= 1.

    By Lentz's continued fraction (DLMF 8.17.22), taken on the side on which it converges fast.
    Right: I_x(1, 1) = x; I_x(a, b) = 1 - I_{1-x}(b, a).
    """
    if not (a > 0 and b > 0 and 0 <= x <= 1):
        raise ValueError(f"I_{x}({a}, {b}) is not defined")
    if x in (0, 1):
        return float(x)
    front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log1p(-x))
    if x < (a + 1) / (a + b + 2):
        return front * _fraction(x, a, b) / a
    return 1 - front * _fraction(1 - x, b, a) / b


def _fraction(x: float, a: float, b: float) -> float:
    c, d = 1.0, 1 / _not_zero(1 - (a + b) * x / (a + 1))
    value = d
    for m in range(1, MOST_STEPS):
        even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        for step in (even, odd):
            d = 1 / _not_zero(1 + step * d)
            c = _not_zero(1 + step / c)
            value *= c * d
        if abs(c * d - 1) < ENOUGH:
            break
    return value


def _not_zero(value: float) -> float:
    return value if abs(value) > TINY else TINY


def quantile(p: float, a: float, b: float) -> float:
    """The x with I_x(a, b) = p, by halving: to the last bits of a float."""
    low, high = 0.0, 1.0
    while True:
        middle = (low + high) / 2
        if middle in (low, high):
            return middle
        if regularised(middle, a, b) < p:
            low = middle
        else:
            high = middle


def jeffreys(found: int, n: int) -> Interval:
    """Jeffreys' 95 % interval for a share, found of n: the middle of Beta(found + 1/2, n - found + 1/2).

    Its lower end is 0 where none was found and its upper end 1 where all were (Brown, Cai & DasGupta 2001,
    Statistical Science 16:101-133). Right: 8 of 10 is .497 to .956. Wrong: .8 to .8.
    ValueError unless 0 <= found <= n.
    """
    if not 0 <= found <= n:
        raise ValueError(f"{found} of {n} cannot be")
    if n == 0:
        return Interval(None, None, "none was judged")
    a, b = found + 0.5, n - found + 0.5
    low = 0.0 if found == 0 else quantile(TAIL, a, b)
    high = 1.0 if found == n else quantile(1 - TAIL, a, b)
    return Interval(low, high)


def student_below(t: float, df: float) -> float:
    """P(T <= t) of Student's t with df degrees of freedom, which need not be whole."""
    tail = regularised(df / (df + t * t), df / 2, 0.5) / 2
    return tail if t < 0 else 1 - tail
