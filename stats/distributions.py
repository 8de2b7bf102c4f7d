"""Jeffreys' interval of a share, and Student's t. Imports scipy: only for jobs."""

from scipy import special

from stats.proportion_intervals import Interval

TAIL = 0.025


def jeffreys_interval(found: int, n: int) -> Interval:
    """Return Jeffreys' 95 % interval for a share, found of n.

    It is the middle of Beta(found + 1/2, n - found + 1/2). Its lower end is 0 if none was found and
    its upper end 1 if all were (Brown, Cai & DasGupta 2001, Statistical Science 16:101-133). Wrong:
    .8 to .8 for 8 of 10. ValueError unless 0 <= found <= n.

    >>> jeffreys_interval(8, 10)
    Interval(low=0.4972..., high=0.9559..., reason=None)
    """
    if not 0 <= found <= n:
        raise ValueError(f"{found} of {n} cannot be")
    if n == 0:
        return Interval(None, None, "none was judged")
    a, b = found + 0.5, n - found + 0.5
    low = 0.0 if found == 0 else float(special.betaincinv(a, b, TAIL))
    high = 1.0 if found == n else float(special.betaincinv(a, b, 1 - TAIL))
    return Interval(low, high)


def student_t_quantile(share: float, df: float) -> float:
    """Return the number below which Student's t with df degrees of freedom is with probability share.

    >>> round(student_t_quantile(0.975, 10), 3)
    2.228
    """
    return float(special.stdtrit(df, share))


def student_t_cdf(t: float, df: float) -> float:
    """Return P(T <= t) of Student's t with df degrees of freedom, which need not be whole.

    >>> round(student_t_cdf(-2.228, 10), 4)
    0.025
    """
    return float(special.stdtr(df, t))
